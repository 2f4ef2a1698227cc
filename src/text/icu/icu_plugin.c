#include "text/icu/icu_plugin.h"

#include <unicode/ucal.h>
#include <unicode/udat.h>
#include <unicode/uloc.h>
#include <unicode/unumberformatter.h>
#include <unicode/upluralrules.h>
#include <unicode/ustring.h>

#include "text/civil.h"
#include "text/locale_en.h"

#define CACHED 16         /* formatters kept; agents can ask for endless patterns */
#define KEY_BYTES 192     /* a longer key is not cached */
#define LOCALE_BYTES 128  /* a longer locale name is none */
#define PATTERN_UNITS 256 /* longer patterns are no dates */

enum kind { NUMBER, DATE, PLURAL };

struct entry {
	void *handle; /* NULL: free */
	enum kind kind;
	uint64_t used; /* clock of the last use */
	size_t key_len;
	char key[KEY_BYTES];
};
struct icu {
	struct sj_mem *mem;
	uint64_t clock;
	struct entry entries[CACHED];
	struct entry single; /* the one whose key is too long, or the only one without a cache */
};

static void close_handle(enum kind kind, void *handle)
{
	if (handle == NULL)
		return;
	if (kind == NUMBER)
		unumf_close(handle);
	else if (kind == DATE)
		udat_close(handle);
	else
		uplrules_close(handle);
}

/* What failed while it was opened is not kept. */
static void give_up(struct entry *e, UErrorCode error)
{
	if (U_FAILURE(error)) {
		close_handle(e->kind, e->handle);
		e->handle = NULL;
	}
}

static void finish(struct icu *icu)
{
	for (size_t i = 0; i < CACHED; i++)
		close_handle(icu->entries[i].kind, icu->entries[i].handle);
	close_handle(icu->single.kind, icu->single.handle);
}

/* The entry for a key; its handle is NULL when the caller has to open one. */
static struct entry *look_up(struct icu *icu, enum kind kind, struct sj_slice key)
{
	struct entry *oldest = &icu->entries[0];
	if (key.len > KEY_BYTES || icu->mem == NULL) {
		oldest = &icu->single;
	} else {
		for (size_t i = 0; i < CACHED; i++) {
			struct entry *e = &icu->entries[i];
			if (e->handle && e->kind == kind && sj_slice_eq(sj_slice(e->key, e->key_len), key)) {
				e->used = ++icu->clock;
				return e;
			}
			if (e->handle == NULL ? oldest->handle != NULL
			                      : oldest->handle != NULL && e->used < oldest->used)
				oldest = e;
		}
	}
	close_handle(oldest->kind, oldest->handle);
	oldest->handle = NULL;
	oldest->kind = kind;
	oldest->used = ++icu->clock;
	oldest->key_len = key.len <= KEY_BYTES ? key.len : 0;
	memcpy(oldest->key, key.ptr, oldest->key_len);
	return oldest;
}

/* A BCP 47 tag (or with underscores) as ICU's locale id. */
static bool locale_id(const char *tag, char out[LOCALE_BYTES])
{
	char dashed[LOCALE_BYTES];
	UErrorCode error = U_ZERO_ERROR;
	size_t n = tag ? strlen(tag) : 0;
	if (n >= LOCALE_BYTES)
		return false;
	for (size_t i = 0; i < n; i++)
		dashed[i] = (char)(tag[i] == '_' ? '-' : tag[i]);
	dashed[n] = '\0';
	int32_t read = 0;
	int32_t len = uloc_forLanguageTag(dashed, out, LOCALE_BYTES, &read, &error);
	return U_SUCCESS(error) && len > 0 && len < LOCALE_BYTES && read == (int32_t)n;
}

static enum sj_status put_utf16(struct sj_buf *out, const UChar *text, int32_t len)
{
	for (int32_t i = 0; i < len;) {
		UChar32 c;
		U16_NEXT(text, i, len, c);
		sj_buf_code(out, (uint32_t)c);
	}
	return sj_buf_status(out);
}

/* --- numbers --- */

static enum sj_status format_double(struct icu *icu, const char *locale, const char *skeleton, double v,
                                    struct sj_buf *out)
{
	char id[LOCALE_BYTES], key[LOCALE_BYTES + 160];
	UErrorCode error = U_ZERO_ERROR;
	if (!locale_id(locale, id))
		return SJ_INVALID;
	size_t id_len = strlen(id), skeleton_len = strlen(skeleton);
	memcpy(key, id, id_len + 1);
	memcpy(key + id_len + 1, skeleton, skeleton_len);
	struct entry *e = look_up(icu, NUMBER, sj_slice(key, id_len + 1 + skeleton_len));
	if (e->handle == NULL) {
		UChar units[160];
		u_uastrncpy(units, skeleton, 159);
		units[159] = 0;
		e->handle = unumf_openForSkeletonAndLocale(units, -1, id, &error);
		give_up(e, error);
	}
	UFormattedNumber *result = unumf_openResult(&error);
	UChar text[640]; /* the longest double has 309 digits, as many fractions are cut at 100, and separators */
	int32_t len = 0;
	if (U_SUCCESS(error)) {
		unumf_formatDouble(e->handle, v, result, &error);
		len = unumf_resultToString(result, text, 640, &error);
	}
	unumf_closeResult(result);
	if (U_FAILURE(error))
		return error == U_MEMORY_ALLOCATION_ERROR ? SJ_NOMEM : SJ_INVALID;
	return put_utf16(out, text, len);
}

/* "currency/USD .00 group-off" */
static void skeleton_of(char out[160], const char *currency, int decimals, bool grouping)
{
	size_t n = 0;
	if (currency != NULL) {
		memcpy(out, "currency/", 9);
		memcpy(out + 9, currency, 3);
		out[12] = ' ';
		n = 13;
	}
	if (decimals == 0) {
		memcpy(out + n, "precision-integer", 17);
		n += 17;
	} else if (decimals > 0) {
		out[n++] = '.';
		memset(out + n, '0', (size_t)decimals);
		n += (size_t)decimals;
	} else if (currency == NULL) {
		memcpy(out + n, ".###", 4);
		n += 4;
	}
	if (!grouping) {
		memcpy(out + n, " group-off", 10);
		n += 10;
	}
	memcpy(out + n, " rounding-mode-half-up", 23); /* ICU's word for "away from zero" */
}

static enum sj_status icu_number(struct icu *icu, const char *locale, double v, int decimals, bool grouping,
                                 struct sj_buf *out)
{
	char skeleton[160];
	if (decimals > SJ_MAX_DECIMALS)
		return SJ_INVALID;
	skeleton_of(skeleton, NULL, decimals, grouping);
	return format_double(icu, locale, skeleton, v, out);
}

static enum sj_status icu_currency(struct icu *icu, const char *locale, double v, struct sj_slice code, int decimals,
                                   bool grouping, struct sj_buf *out)
{
	char skeleton[160], name[4];
	if (decimals > SJ_MAX_DECIMALS || !sj_currency_code(code, name))
		return SJ_INVALID;
	skeleton_of(skeleton, name, decimals, grouping);
	return format_double(icu, locale, skeleton, v, out);
}

/* --- dates --- */

/* ICU's id of a zone; the fallback is UTC, as in the built-in locale. */
static void zone_id(const char *tz, UChar out[64])
{
	char id[64];
	int32_t minutes;
	UErrorCode error = U_ZERO_ERROR;
	UChar canonical[64];
	size_t n = tz ? strlen(tz) : 0;
	bool prefix = n > 0 && (*tz == '+' || *tz == '-') && sj_zone_offset(tz, &minutes);
	if (n > 0 && n < sizeof id - 4) {
		memcpy(id, "GMT", 3);
		memcpy(id + (prefix ? 3 : 0), tz, n + 1);
		u_uastrcpy(out, id);
		if (prefix)
			return;
		ucal_getCanonicalTimeZoneID(out, -1, canonical, 64, NULL, &error);
		if (U_SUCCESS(error))
			return;
	}
	u_uastrcpy(out, "UTC");
}

static bool shows_zone(struct sj_slice pattern)
{
	bool quoted = false;
	for (size_t i = 0; i < pattern.len; i++) {
		char c = pattern.ptr[i];
		if (c == '\'')
			quoted = !quoted;
		else if (!quoted && c != '\0' && strchr("zZOvVXx", c) != NULL)
			return true;
	}
	return false;
}

static void *open_date(const char *id, const UChar *zone, struct sj_slice pattern, UErrorCode *error)
{
	UChar units[PATTERN_UNITS];
	char gregorian[LOCALE_BYTES];
	int32_t len = 0;
	u_strFromUTF8(units, PATTERN_UNITS, &len, pattern.ptr ? pattern.ptr : "", (int32_t)pattern.len, error);
	size_t n = strlen(id);
	memcpy(gregorian, id, n + 1);
	if (uloc_getKeywordValue(id, "calendar", NULL, 0, &(UErrorCode){U_ZERO_ERROR}) == 0)
		uloc_setKeywordValue("calendar", "gregorian", gregorian, LOCALE_BYTES, error);
	if (U_FAILURE(*error))
		return NULL;
	UDateFormat *f = udat_open(UDAT_PATTERN, UDAT_PATTERN, gregorian, zone, -1, units, len, error);
	UCalendar *calendar = f ? ucal_clone(udat_getCalendar(f), error) : NULL;
	if (calendar != NULL) {
		if (strcmp(ucal_getType(calendar, error), "gregorian") == 0)
			ucal_setGregorianChange(calendar, -(double)SJ_MAX_UNIX_MS, error);
		udat_setCalendar(f, calendar);
		ucal_close(calendar);
	}
	if (U_FAILURE(*error)) {
		udat_close(f);
		return NULL;
	}
	return f;
}

/* The instant at which the zone's clocks show the fields of `when`. */
static UDate civil_instant(const UChar *zone, const struct sj_moment *when, UErrorCode *error)
{
	UCalendar *c = ucal_open(zone, -1, "en", UCAL_GREGORIAN, error);
	if (U_FAILURE(*error))
		return 0;
	ucal_setGregorianChange(c, -(double)SJ_MAX_UNIX_MS, error);
	ucal_clear(c);
	ucal_set(c, UCAL_EXTENDED_YEAR, when->year);
	ucal_set(c, UCAL_MONTH, when->month - 1);
	ucal_set(c, UCAL_DATE, when->day);
	ucal_set(c, UCAL_HOUR_OF_DAY, when->hour);
	ucal_set(c, UCAL_MINUTE, when->minute);
	ucal_set(c, UCAL_SECOND, when->second);
	ucal_set(c, UCAL_MILLISECOND, when->milli);
	UDate at = ucal_getMillis(c, error);
	ucal_close(c);
	return at;
}

static enum sj_status icu_date(struct icu *icu, const char *locale, const char *tz, const struct sj_moment *when,
                               struct sj_slice pattern, struct sj_buf *out)
{
	char id[LOCALE_BYTES], key[2 * LOCALE_BYTES + PATTERN_UNITS];
	UChar zone[64], text[1024];
	UErrorCode error = U_ZERO_ERROR;
	/* ICU passes over letters it does not know. */
	if (pattern.len >= PATTERN_UNITS || !sj_date_pattern_ok(pattern) || !locale_id(locale, id))
		return SJ_INVALID;
	/* Civil fields are shown as written, also where the zone's clocks skip them; the zone counts if it shows. */
	bool civil = !when->has_zone;
	zone_id(civil && !shows_zone(pattern) ? NULL : tz, zone);

	size_t n = 0, id_len = strlen(id);
	memcpy(key, id, id_len + 1);
	n = id_len + 1;
	for (size_t i = 0; zone[i] != 0; i++)
		key[n++] = (char)zone[i];
	key[n++] = '\0';
	memcpy(key + n, pattern.ptr ? pattern.ptr : "", pattern.len);
	struct entry *e = look_up(icu, DATE, sj_slice(key, n + pattern.len));
	if (e->handle == NULL)
		e->handle = open_date(id, zone, pattern, &error);
	UDate at = civil && U_SUCCESS(error) ? civil_instant(zone, when, &error) : (UDate)when->unix_ms;
	int32_t len = U_SUCCESS(error) ? udat_format(e->handle, at, text, 1024, NULL, &error) : 0;
	if (U_FAILURE(error))
		return error == U_MEMORY_ALLOCATION_ERROR ? SJ_NOMEM : SJ_INVALID;
	return put_utf16(out, text, len);
}

/* --- plurals --- */

static enum sj_plural icu_plural(struct icu *icu, const char *locale, double v)
{
	static const struct {
		const char *word;
		enum sj_plural plural;
	} words[] = {
		{"zero", SJ_PLURAL_ZERO}, {"one", SJ_PLURAL_ONE},   {"two", SJ_PLURAL_TWO},
		{"few", SJ_PLURAL_FEW},   {"many", SJ_PLURAL_MANY}, {"other", SJ_PLURAL_OTHER},
	};
	char id[LOCALE_BYTES], word[16];
	UChar keyword[16];
	UErrorCode error = U_ZERO_ERROR;
	if (!locale_id(locale, id))
		return SJ_PLURAL_OTHER;
	struct entry *e = look_up(icu, PLURAL, sj_slice_of(id));
	if (e->handle == NULL) {
		e->handle = uplrules_openForType(id, UPLURAL_TYPE_CARDINAL, &error);
		give_up(e, error);
	}
	int32_t len = U_SUCCESS(error) ? uplrules_select(e->handle, v, keyword, 16, &error) : 0;
	if (U_FAILURE(error) || len >= 16)
		return SJ_PLURAL_OTHER;
	u_austrncpy(word, keyword, 16);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(word, words[i].word) == 0)
			return words[i].plural;
	return SJ_PLURAL_OTHER;
}

/* --- the table --- */

static bool supports(void *ctx, const char *locale)
{
	char id[LOCALE_BYTES], language[ULOC_LANG_CAPACITY], other[ULOC_LANG_CAPACITY];
	UErrorCode error = U_ZERO_ERROR;
	(void)ctx;
	if (!locale_id(locale, id) || uloc_getLanguage(id, language, sizeof language, &error) <= 0 || U_FAILURE(error))
		return false;
	for (int32_t i = uloc_countAvailable(); i-- > 0;) {
		error = U_ZERO_ERROR;
		uloc_getLanguage(uloc_getAvailable(i), other, sizeof other, &error);
		if (U_SUCCESS(error) && strcmp(language, other) == 0)
			return true;
	}
	return false;
}

/* Each entry runs on the caller's cache, or on one of its own for the length of the call. */
static enum sj_status number(void *ctx, const char *locale, double v, int decimals, bool grouping, struct sj_buf *out)
{
	struct icu own = {0}, *icu = ctx ? ctx : &own;
	enum sj_status status = icu_number(icu, locale, v, decimals, grouping, out);
	finish(&own);
	return status;
}

static enum sj_status currency(void *ctx, const char *locale, double v, struct sj_slice code, int decimals,
                               bool grouping, struct sj_buf *out)
{
	struct icu own = {0}, *icu = ctx ? ctx : &own;
	enum sj_status status = icu_currency(icu, locale, v, code, decimals, grouping, out);
	finish(&own);
	return status;
}

static enum sj_status date(void *ctx, const char *locale, const char *tz, const struct sj_moment *when,
                           struct sj_slice pattern, struct sj_buf *out)
{
	struct icu own = {0}, *icu = ctx ? ctx : &own;
	enum sj_status status = icu_date(icu, locale, tz, when, pattern, out);
	finish(&own);
	return status;
}

static enum sj_plural plural(void *ctx, const char *locale, double v)
{
	struct icu own = {0}, *icu = ctx ? ctx : &own;
	enum sj_plural answer = icu_plural(icu, locale, v);
	finish(&own);
	return answer;
}

static const struct sj_locale_ops table = {
	.name = "icu",
	.number = number,
	.currency = currency,
	.date = date,
	.plural = plural,
	.supports = supports,
};

const struct sj_locale_ops *sj_icu_locale_ops(void)
{
	return &table;
}

enum sj_status sj_icu_open(uint32_t abi, struct sj_mem *mem, struct sj_locale_ops *out)
{
	if (abi != SJ_ICU_ABI)
		return SJ_INVALID;
	struct icu *icu = sj_mem_zalloc(mem, sizeof *icu);
	if (icu == NULL)
		return SJ_NOMEM;
	icu->mem = mem;
	*out = table;
	out->ctx = icu;
	return SJ_OK;
}

void sj_icu_close(struct sj_locale_ops *ops)
{
	struct icu *icu = ops ? ops->ctx : NULL;
	if (icu == NULL)
		return;
	finish(icu);
	sj_mem_free(icu->mem, icu, sizeof *icu);
	ops->ctx = NULL;
}
