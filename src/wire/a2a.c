#include "wire/a2a.h"

#define DIALECT(v, mime_, who, lists_)                                                                                 \
	{.version = "v" v,                                                                                             \
	 .uri = SJ_A2A_URI_BASE v,                                                                                     \
	 .mime = mime_,                                                                                                \
	 .capabilities_key = "a2ui" who "Capabilities",                                                                \
	 .data_model_key = "a2ui" who "DataModel",                                                                     \
	 .lists = lists_}
const struct sj_a2a_dialect SJ_A2A_DIALECTS[SJ_A2A_NDIALECTS] = {
	DIALECT("0.8", SJ_A2A_MIME_V08, "Client", false),
	DIALECT("0.9", SJ_A2A_MIME, "Client", true),
	DIALECT("0.9.1", SJ_A2A_MIME, "Client", true),
	DIALECT("1.0", SJ_A2A_MIME, "Renderer", true),
};

static bool is_version(struct sj_slice v)
{
	bool digit = false;
	for (size_t i = 0; i < v.len; i++) {
		if (v.ptr[i] != '.' && (v.ptr[i] < '0' || v.ptr[i] > '9'))
			return false;
		if (v.ptr[i] == '.' && !digit)
			return false;
		digit = v.ptr[i] != '.';
	}
	return digit;
}

bool sj_a2a_uri_version(struct sj_slice uri, struct sj_slice *version)
{
	size_t base = sizeof SJ_A2A_URI_BASE - 1;
	if (!sj_slice_starts(uri, SJ_A2A_URI_BASE))
		return false;
	struct sj_slice v = sj_slice(uri.ptr + base, uri.len - base);
	if (!is_version(v))
		return false;
	*version = v;
	return true;
}

const struct sj_a2a_dialect *sj_a2a_dialect(struct sj_slice v)
{
	if (!sj_a2a_uri_version(v, &v) && v.len > 0 && v.ptr[0] == 'v')
		v = sj_slice(v.ptr + 1, v.len - 1);
	for (int i = 0; i < SJ_A2A_NDIALECTS; i++)
		if (sj_slice_is(v, SJ_A2A_DIALECTS[i].version + 1))
			return &SJ_A2A_DIALECTS[i];
	return NULL;
}

/* Takes the next number off a version, without its leading zeros; empty at the end. */
static struct sj_slice next_number(struct sj_slice *v)
{
	size_t n = 0, zeros = 0;
	while (n < v->len && v->ptr[n] != '.')
		n++;
	while (zeros < n && v->ptr[zeros] == '0')
		zeros++;
	struct sj_slice number = sj_slice(v->ptr + zeros, n - zeros);
	n += n < v->len;
	*v = sj_slice(v->ptr + n, v->len - n);
	return number;
}

int sj_a2a_version_cmp(struct sj_slice a, struct sj_slice b)
{
	while (a.len > 0 || b.len > 0) {
		/* Of any length: longer is larger, then digit by digit. */
		struct sj_slice x = next_number(&a), y = next_number(&b);
		int order = x.len != y.len ? (x.len < y.len ? -1 : 1) : sj_slice_cmp(x, y);
		if (order != 0)
			return order;
	}
	return 0;
}

static bool holds(const struct sj_value *uris, struct sj_slice uri)
{
	for (uint32_t i = 0; uris && i < sj_value_count(uris); i++) {
		const struct sj_value *v = sj_value_item(uris, i);
		if (sj_value_is_string(v) && sj_slice_eq(sj_value_text(v), uri))
			return true;
	}
	return !uris && sj_a2a_dialect(uri) && sj_slice_is(uri, sj_a2a_dialect(uri)->uri);
}

bool sj_a2a_newest(const struct sj_value *requested, const struct sj_value *advertised, struct sj_slice *uri)
{
	struct sj_slice best = SJ_NO_SLICE;
	bool found = false;
	if (!requested || requested->type != SJ_V_ARRAY || (advertised && advertised->type != SJ_V_ARRAY))
		return false;
	for (uint32_t i = 0; i < sj_value_count(requested); i++) {
		struct sj_slice one = sj_value_text(sj_value_item(requested, i)), v;
		/* The version first: it is cheap, and most of a hostile list ends there. */
		if (!sj_a2a_uri_version(one, &v) || (found && sj_a2a_version_cmp(v, best) <= 0) ||
		    !holds(advertised, one))
			continue;
		best = v;
		*uri = one;
		found = true;
	}
	return found;
}

bool sj_a2a_header_next(struct sj_slice *rest, struct sj_slice *uri)
{
	while (rest->len > 0) {
		size_t n = 0, from = 0;
		while (n < rest->len && rest->ptr[n] != ',')
			n++;
		struct sj_slice one = sj_slice(rest->ptr, n);
		n += n < rest->len;
		*rest = sj_slice(rest->ptr + n, rest->len - n);
		while (from < one.len && (one.ptr[from] == ' ' || one.ptr[from] == '\t'))
			from++;
		while (one.len > from && (one.ptr[one.len - 1] == ' ' || one.ptr[one.len - 1] == '\t'))
			one.len--;
		if (one.len > from) {
			*uri = sj_slice(one.ptr + from, one.len - from);
			return true;
		}
	}
	return false;
}

/* Sets a string member; the object is released when that fails. */
static enum sj_status put_text(struct sj_mem *mem, struct sj_value *object, const char *key, struct sj_slice text)
{
	struct sj_value v;
	enum sj_status status = sj_value_string(mem, text, &v);
	return status == SJ_OK ? sj_value_set(mem, object, sj_slice_of(key), v) : status;
}

static enum sj_status put_params(struct sj_mem *mem, const struct sj_value *catalog_ids, bool accepts_inline,
                                 struct sj_value *extension)
{
	struct sj_value params;
	enum sj_status status = sj_value_object(mem, &params);
	if (status != SJ_OK)
		return status;
	if (catalog_ids)
		status = sj_value_set(mem, &params, SJ_LIT("supportedCatalogIds"), sj_value_ref(*catalog_ids));
	if (status == SJ_OK && accepts_inline)
		status = sj_value_set(mem, &params, SJ_LIT("acceptsInlineCatalogs"), sj_value_bool(true));
	if (status == SJ_OK)
		return sj_value_set(mem, extension, SJ_LIT("params"), params);
	sj_value_unref(mem, params);
	return status;
}

enum sj_status sj_a2a_extension(struct sj_mem *mem, struct sj_slice version, const struct sj_value *catalog_ids,
                                bool accepts_inline, struct sj_value *out, struct sj_diag *diag)
{
	struct sj_slice v = version.len > 0 && version.ptr[0] == 'v' ? sj_slice(version.ptr + 1, version.len - 1)
	                                                             : version;
	struct sj_value card;
	struct sj_buf uri;
	if (!is_version(v))
		return sj_diag_set(diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
		                   "'%.*s' is no version of A2UI", SJ_ARG(version));
	enum sj_status status = sj_value_object(mem, &card);
	if (status != SJ_OK)
		return status;
	sj_buf_init(&uri, mem, 0);
	sj_buf_puts(&uri, SJ_A2A_URI_BASE);
	sj_buf_slice(&uri, v);
	status = sj_buf_status(&uri);
	if (status == SJ_OK)
		status = put_text(mem, &card, "uri", sj_buf_view(&uri));
	sj_buf_finish(&uri);
	if (status == SJ_OK)
		status = put_text(mem, &card, "description", SJ_LIT("Shows user interfaces described with A2UI."));
	if (status == SJ_OK && (catalog_ids || accepts_inline))
		status = put_params(mem, catalog_ids, accepts_inline, &card);
	if (status == SJ_OK)
		*out = card;
	else
		sj_value_unref(mem, card);
	return status;
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

bool sj_a2a_is_mime(struct sj_slice mime)
{
	static const char *const known[] = {SJ_A2A_MIME, SJ_A2A_MIME_V08};
	size_t n = 0;
	while (n < mime.len && mime.ptr[n] != ';')
		n++;
	while (n > 0 && (mime.ptr[n - 1] == ' ' || mime.ptr[n - 1] == '\t'))
		n--;
	for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
		size_t i = 0, len = strlen(known[k]);
		while (n == len && i < n) {
			char c = mime.ptr[i];
			if ((c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c) != known[k][i])
				break;
			i++;
		}
		if (n == len && i == n)
			return true;
	}
	return false;
}

static const struct sj_value *member(const struct sj_value *v, const char *key)
{
	return v && v->type == SJ_V_OBJECT ? sj_value_get(v, sj_slice_of(key)) : NULL;
}

bool sj_a2a_part_is_a2ui(const struct sj_value *part)
{
	const struct sj_value *mime = member(member(part, "metadata"), "mimeType");
	/* A2A 1.0 says it beside the data and has no `kind`. */
	if (!mime)
		mime = member(part, "mediaType");
	return mime && sj_value_is_string(mime) && sj_a2a_is_mime(sj_value_text(mime)) && member(part, "data");
}

static enum sj_status new_part(struct sj_mem *mem, const char *kind, struct sj_value *out)
{
	enum sj_status status = sj_value_object(mem, out);
	if (status != SJ_OK)
		return status;
	status = put_text(mem, out, "kind", sj_slice_of(kind));
	if (status != SJ_OK)
		sj_value_unref(mem, *out);
	return status;
}

enum sj_status sj_a2a_part(struct sj_mem *mem, const struct sj_a2a_dialect *dialect, struct sj_value take,
                           struct sj_value *out)
{
	struct sj_value part, metadata;
	enum sj_status status = new_part(mem, "data", &part);
	if (status != SJ_OK) {
		sj_value_unref(mem, take);
		return status;
	}
	status = sj_value_set(mem, &part, SJ_LIT("data"), take);
	if (status == SJ_OK)
		status = sj_value_object(mem, &metadata);
	if (status == SJ_OK) {
		status = put_text(mem, &metadata, "mimeType",
		                  sj_slice_of(dialect ? dialect->mime : SJ_A2A_DIALECTS[0].mime));
		if (status == SJ_OK)
			status = sj_value_set(mem, &part, SJ_LIT("metadata"), metadata);
		else
			sj_value_unref(mem, metadata);
	}
	if (status == SJ_OK)
		*out = part;
	else
		sj_value_unref(mem, part);
	return status;
}

enum sj_status sj_a2a_text_part(struct sj_mem *mem, struct sj_slice text, struct sj_value *out)
{
	struct sj_value part;
	enum sj_status status = new_part(mem, "text", &part);
	if (status != SJ_OK)
		return status;
	status = put_text(mem, &part, "text", text);
	if (status == SJ_OK)
		*out = part;
	else
		sj_value_unref(mem, part);
	return status;
}

/* Messages of v0.8 have no version; some writers say it all the same. */
static bool is_of_v08(const struct sj_value *message)
{
	const struct sj_value *version = member(message, "version");
	return !version || (sj_value_is_string(version) && sj_slice_is(sj_value_text(version), "v0.8"));
}

static enum sj_status put_part(struct sj_mem *mem, const struct sj_a2a_dialect *dialect, struct sj_value take,
                               struct sj_value *parts)
{
	struct sj_value part;
	enum sj_status status = sj_a2a_part(mem, dialect, take, &part);
	return status == SJ_OK ? sj_value_append(mem, parts, part) : status;
}

enum sj_status sj_a2a_put_messages(struct sj_mem *mem, const struct sj_a2a_dialect *dialect,
                                   const struct sj_value *messages, struct sj_value *parts)
{
	uint32_t n = messages && messages->type == SJ_V_ARRAY ? sj_value_count(messages) : 0,
		 before = sj_value_count(parts);
	enum sj_status status = SJ_OK;
	for (uint32_t i = 0; i < n && status == SJ_OK;) {
		const struct sj_value *first = sj_value_item(messages, i);
		if (!(dialect && dialect->lists) || is_of_v08(first)) {
			status = put_part(mem, dialect, sj_value_ref(*first), parts);
			i++;
			continue;
		}
		struct sj_value run;
		status = sj_value_array(mem, &run);
		if (status != SJ_OK)
			break;
		for (; i < n && status == SJ_OK && !is_of_v08(sj_value_item(messages, i)); i++)
			status = sj_value_append(mem, &run, sj_value_ref(*sj_value_item(messages, i)));
		if (status == SJ_OK)
			status = put_part(mem, dialect, run, parts);
		else
			sj_value_unref(mem, run);
	}
	if (status != SJ_OK) /* shortening a list that was just grown needs no memory */
		(void)sj_value_truncate(mem, parts, before);
	return status;
}

enum sj_status sj_a2a_part_messages(struct sj_mem *mem, const struct sj_value *part, struct sj_value *out,
                                    struct sj_diag *diag)
{
	if (!sj_a2a_part_is_a2ui(part))
		return SJ_ABSENT;
	const struct sj_value *data = member(part, "data");
	if (data->type == SJ_V_ARRAY) {
		*out = sj_value_ref(*data);
		return SJ_OK;
	}
	if (data->type != SJ_V_OBJECT) {
		sj_diag_pointer(diag, "/data");
		return sj_diag_set(diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
		                   "the part's data is neither a message nor a list of messages");
	}
	struct sj_value list;
	enum sj_status status = sj_value_array(mem, &list);
	if (status != SJ_OK)
		return status;
	status = sj_value_append(mem, &list, sj_value_ref(*data));
	if (status == SJ_OK)
		*out = list;
	else
		sj_value_unref(mem, list);
	return status;
}

/* ---- metadata ---------------------------------------------------------------------------------------------------- */

const struct sj_value *sj_a2a_capabilities(const struct sj_value *metadata)
{
	for (int i = SJ_A2A_NDIALECTS; i-- > 0;)
		if (member(metadata, SJ_A2A_DIALECTS[i].capabilities_key))
			return member(metadata, SJ_A2A_DIALECTS[i].capabilities_key);
	return NULL;
}

const struct sj_value *sj_a2a_data_model(const struct sj_value *metadata)
{
	for (int i = SJ_A2A_NDIALECTS; i-- > 0;)
		if (member(metadata, SJ_A2A_DIALECTS[i].data_model_key))
			return member(metadata, SJ_A2A_DIALECTS[i].data_model_key);
	return NULL;
}

enum sj_status sj_a2a_metadata(struct sj_mem *mem, const struct sj_a2a_dialect *dialect,
                               const struct sj_value *capabilities, const struct sj_value *data_model,
                               struct sj_value *metadata)
{
	enum sj_status status = SJ_OK;
	if (capabilities && capabilities->type != SJ_V_ABSENT)
		status = sj_value_set(mem, metadata, sj_slice_of(dialect->capabilities_key),
		                      sj_value_ref(*capabilities));
	if (status == SJ_OK && data_model && data_model->type != SJ_V_ABSENT)
		status =
			sj_value_set(mem, metadata, sj_slice_of(dialect->data_model_key), sj_value_ref(*data_model));
	return status;
}

static enum sj_status put_uris(struct sj_mem *mem, const struct sj_value *from, struct sj_value *uris)
{
	enum sj_status status = SJ_OK;
	if (from && sj_value_is_string(from)) {
		struct sj_slice rest = sj_value_text(from), uri;
		while (status == SJ_OK && sj_a2a_header_next(&rest, &uri)) {
			struct sj_value v;
			status = sj_value_string(mem, uri, &v);
			if (status == SJ_OK)
				status = sj_value_append(mem, uris, v);
		}
	}
	if (from && from->type == SJ_V_ARRAY)
		for (uint32_t i = 0; i < sj_value_count(from) && status == SJ_OK; i++)
			if (sj_value_is_string(sj_value_item(from, i)))
				status = sj_value_append(mem, uris, sj_value_ref(*sj_value_item(from, i)));
	return status;
}

enum sj_status sj_a2a_requested(struct sj_mem *mem, const struct sj_value *message, struct sj_value *uris)
{
	uint32_t before = sj_value_count(uris);
	enum sj_status status = put_uris(mem, member(message, "extensions"), uris);
	if (status == SJ_OK)
		status = put_uris(mem, member(member(message, "metadata"), SJ_A2A_HEADER), uris);
	if (status != SJ_OK)
		(void)sj_value_truncate(mem, uris, before);
	return status;
}
