#include "text/civil.h"
#include "text/locale_en.h"

/* The next subtag of a language tag ("zh-Hant_TW"), and what is left behind its separator. */
static struct sj_slice next_subtag(struct sj_slice *tag)
{
	size_t n = 0;
	while (n < tag->len && tag->ptr[n] != '-' && tag->ptr[n] != '_')
		n++;
	struct sj_slice subtag = sj_slice(tag->ptr, n);
	*tag = n < tag->len ? sj_slice(tag->ptr + n + 1, tag->len - n - 1) : SJ_NO_SLICE;
	return subtag;
}

static char lower(char c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

/* Compared without case; the table side is lower case. */
static bool subtag_in(struct sj_slice s, const char *const *list)
{
	for (; *list; list++) {
		size_t i = 0;
		while (i < s.len && (*list)[i] != '\0' && lower(s.ptr[i]) == (*list)[i])
			i++;
		if (i == s.len && (*list)[i] == '\0')
			return true;
	}
	return false;
}

bool sj_locale_is_en(const char *locale)
{
	static const char *const english[] = {"en", "root", "und", NULL}, *const america[] = {"us", NULL};
	struct sj_slice tag = sj_slice_of(locale);
	if (tag.len == 0)
		return true;
	if (!subtag_in(next_subtag(&tag), english))
		return false;
	return tag.len == 0 || (subtag_in(next_subtag(&tag), america) && tag.len == 0);
}

const struct sj_locale_ops *sj_locale_for(const struct sj_locales *l, const char *locale)
{
	if (l == NULL || l->extra == NULL || sj_locale_is_en(locale) || !l->extra->supports(l->extra->ctx, locale))
		return &SJ_LOCALE_EN;
	return l->extra;
}

bool sj_locale_is_rtl(const char *locale)
{
	static const char *const languages[] = {"ar",  "arc", "arz", "ary", "apc", "azb", "bal", "bqi", "ckb", "dv",
	                                        "fa",  "glk", "he",  "iw",  "ji",  "khw", "ks",  "lrc",
	                                        "mzn", "nqo", "pnb", "prs", "ps",  "rhg", "sd",  "sdh", "skr", "syr",
	                                        "ug",  "ur",  "yi",  NULL};
	static const char *const scripts[] = {"adlm", "arab", "aran", "armi", "avst", "chrs", "cprt", "elym",
	                                      "hatr", "hebr", "hung", "khar", "lydi", "mand", "mani", "mend",
	                                      "merc", "mero", "narb", "nbat", "nkoo", "orkh", "ougr", "palm",
	                                      "phli", "phlp", "phnx", "prti", "rohg", "samr", "sarb", "sogd",
	                                      "sogo", "syrc", "syre", "syrj", "syrn", "thaa", "yezi", NULL};
	struct sj_slice tag = sj_slice_of(locale);
	struct sj_slice language = next_subtag(&tag);
	/* A script subtag stands second, behind up to three extended language subtags, and overrules the language. */
	while (tag.len > 0) {
		struct sj_slice subtag = next_subtag(&tag);
		if (subtag.len == 4 && !(subtag.ptr[0] >= '0' && subtag.ptr[0] <= '9'))
			return subtag_in(subtag, scripts);
		if (subtag.len != 3)
			break;
	}
	return subtag_in(language, languages);
}

bool sj_locale_is_tag(const char *locale)
{
	struct sj_slice tag = sj_slice_of(locale);
	for (bool first = true; first || tag.ptr; first = false) {
		struct sj_slice s = next_subtag(&tag);
		if (s.len < (first ? 2u : 1u) || s.len > 8)
			return false;
		for (size_t i = 0; i < s.len; i++) {
			char c = lower(s.ptr[i]);
			if (!(c >= 'a' && c <= 'z') && (first || c < '0' || c > '9'))
				return false;
		}
	}
	return true;
}

bool sj_zone_is_built_in(const char *tz)
{
	static const char *const utc[] = {"utc", "gmt", "z", "etc/utc", NULL};
	int32_t minutes;
	return subtag_in(sj_slice_of(tz), utc) || sj_zone_offset(tz, &minutes);
}
