/* Formatting numbers, money, dates and plurals for a person.
 *
 * struct sj_locale_ops is the small interface; the built-in "en" implements it without any outside library and is what
 * "en", "en-US" and the tests use; the ICU plugin (src/text/icu, built as a module libshoji-icu.so) implements it for
 * every other locale and is registered by the command or the app. With no provider for a locale the built-in en
 * answers. All functions are pure: locale and time zone come in as arguments. Text goes to `out`.
 */
#ifndef SJ_TEXT_LOCALE_H
#define SJ_TEXT_LOCALE_H

#include "base/buf.h"

enum sj_plural { SJ_PLURAL_ZERO, SJ_PLURAL_ONE, SJ_PLURAL_TWO, SJ_PLURAL_FEW, SJ_PLURAL_MANY, SJ_PLURAL_OTHER };

/* A moment read from ISO 8601 text. Date-only text is a civil date: has_zone false, no time. */
struct sj_moment {
	int64_t unix_ms;   /* when has_zone or has_time (without a zone: read in `tz`) */
	int32_t year;      /* civil fields as written */
	uint8_t month, day, hour, minute, second;
	uint16_t milli;
	bool has_date, has_time, has_zone;
};
/* YYYY-MM-DD, YYYY-MM-DDTHH:mm[:ss[.fff]][Z|+hh:mm], HH:mm[:ss]. Impossible dates (Feb 30) are refused. */
bool sj_moment_parse(struct sj_slice iso, struct sj_moment *out);
bool sj_moment_from_ms(int64_t unix_ms, struct sj_moment *out); /* UTC */
void sj_moment_iso_utc(struct sj_buf *out, int64_t unix_ms);    /* YYYY-MM-DDTHH:mm:ss.sssZ */

struct sj_locale_ops {
	const char *name;
	/* decimals < 0: the locale's default (0..3 fraction digits, or the currency's own digits). Halves are rounded
	 * away from zero. */
	enum sj_status (*number)(void *ctx, const char *locale, double v, int decimals, bool grouping,
	                         struct sj_buf *out);
	enum sj_status (*currency)(void *ctx, const char *locale, double v, struct sj_slice code, int decimals,
	                           bool grouping, struct sj_buf *out);
	/* pattern: TR35 (y M d E H h m s S a z ...); bad pattern letters: SJ_INVALID */
	enum sj_status (*date)(void *ctx, const char *locale, const char *tz, const struct sj_moment *when,
	                       struct sj_slice pattern, struct sj_buf *out);
	enum sj_plural (*plural)(void *ctx, const char *locale, double v);
	bool (*supports)(void *ctx, const char *locale);
	void *ctx;
};
/* Time zones: "UTC" and fixed offsets "+09:00"; others are treated as UTC. */
extern const struct sj_locale_ops SJ_LOCALE_EN;

/* A table of providers owned by an engine; `SJ_LOCALE_EN` is the fallback. */
struct sj_locales {
	const struct sj_locale_ops *extra; /* NULL: only the built-in */
};
const struct sj_locale_ops *sj_locale_for(const struct sj_locales *l, const char *locale);
/* Has the text the form of a language tag (RFC 5646): subtags of letters and digits, the first a language? Whether
 * there is such a language is not asked. */
bool sj_locale_is_tag(const char *locale);
/* Is it a zone that SJ_LOCALE_EN tells the time of: "UTC", "GMT", "Z", or an offset such as "+09:00"? */
bool sj_zone_is_built_in(const char *tz);
/* "left to right" or not by language: ar, he, fa, ur, ... */
bool sj_locale_is_rtl(const char *locale);

#endif
