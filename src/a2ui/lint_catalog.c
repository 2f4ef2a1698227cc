#include "a2ui/lint.h"
#include "text/near.h"

void sj_lint_docs_init(struct sj_lint_docs *d, struct sj_mem *mem) { *d = (struct sj_lint_docs){.mem = mem}; }

void sj_lint_docs_finish(struct sj_lint_docs *d)
{
	for (uint32_t i = 0; i < d->count; i++)
		sj_value_unref(d->mem, d->docs[i].document);
	d->count = 0;
}

static const struct sj_value *document(struct sj_lint_docs *d, const struct sj_catalog *c)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	for (uint32_t i = 0; i < d->count; i++)
		if (d->docs[i].catalog == c)
			return &d->docs[i].document;
	if (d->count == SJ_LINT_DOCS)
		return NULL;
	struct sj_value *v = &d->docs[d->count].document;
	if (sj_value_parse(d->mem, &opt, sj_catalog_document(c), v, NULL) != SJ_OK)
		return NULL;
	d->docs[d->count++].catalog = c;
	return v;
}

static const struct sj_value *member(const struct sj_value *v, const char *key)
{
	return v && v->type == SJ_V_OBJECT ? sj_value_get(v, sj_slice_of(key)) : NULL;
}

const struct sj_value *sj_lint_definition(struct sj_lint_docs *d, const struct sj_catalog *c, struct sj_slice type)
{
	const struct sj_value *doc = c ? document(d, c) : NULL, *components = member(doc, "components");
	return components && components->type == SJ_V_OBJECT ? sj_value_get(components, type) : NULL;
}

/* The schemas of a property lie in the definition and in the parts of its allOf. */
#define PARTS 16
static const struct sj_value *property_of(const struct sj_value *definition, struct sj_slice name, uint32_t part)
{
	const struct sj_value *all = member(definition, "allOf");
	const struct sj_value *where = part == 0                                   ? definition
	                               : all && part <= sj_value_count(all)        ? sj_value_item(all, part - 1)
	                                                                           : NULL;
	const struct sj_value *properties = member(where, "properties");
	return properties && properties->type == SJ_V_OBJECT ? sj_value_get(properties, name) : NULL;
}

bool sj_lint_deprecated(const struct sj_value *definition, struct sj_slice property, struct sj_slice *reason)
{
	for (uint32_t part = 0; part < PARTS; part++) {
		const struct sj_value *schema = property.ptr ? property_of(definition, property, part) : definition;
		const struct sj_value *why = member(schema, "x-deprecated-reason"),
				      *flag = member(schema, "deprecated");
		if (why && sj_value_is_string(why)) {
			*reason = sj_value_text(why);
			return true;
		}
		if (flag && flag->type == SJ_V_TRUE) {
			*reason = SJ_LIT("the catalog gives no reason");
			return true;
		}
		if (!property.ptr)
			break;
	}
	return false;
}

/* The lists of words in a schema: its enum, and those of its oneOf and anyOf. */
static bool in_list(const struct sj_value *schema, struct sj_slice word, struct sj_slice *near, bool *any)
{
	const struct sj_value *words = member(schema, "enum");
	uint32_t fewest = UINT32_MAX;
	for (uint32_t i = 0; words && words->type == SJ_V_ARRAY && i < sj_value_count(words); i++) {
		const struct sj_value *w = sj_value_item(words, i);
		uint32_t steps;
		if (!sj_value_is_string(w))
			continue;
		*any = true;
		if (sj_slice_eq(sj_value_text(w), word))
			return true;
		if (sj_near(sj_value_text(w), word, &steps) && steps < fewest) {
			fewest = steps;
			*near = sj_value_text(w);
		}
	}
	return false;
}

bool sj_lint_has_word(const struct sj_value *definition, struct sj_slice property, struct sj_slice word,
                      struct sj_slice *near)
{
	bool any = false;
	for (uint32_t part = 0; part < PARTS; part++) {
		const struct sj_value *schema = property_of(definition, property, part);
		static const char *const unions[] = {"oneOf", "anyOf"};
		if (!schema)
			continue;
		if (in_list(schema, word, near, &any))
			return true;
		for (size_t u = 0; u < 2; u++) {
			const struct sj_value *list = member(schema, unions[u]);
			for (uint32_t i = 0; list && list->type == SJ_V_ARRAY && i < sj_value_count(list); i++)
				if (in_list(sj_value_item(list, i), word, near, &any))
					return true;
		}
	}
	return !any;
}
