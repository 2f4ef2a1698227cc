/* The built-in "en": numbers, money and plurals, equal to what ICU 72 gives for en-US (tests/text/locale_icu_test.c).
 */
#include <math.h>

#include "base/num.h"
#include "text/civil.h"
#include "text/locale.h"
#include "text/locale_en.h"

#define NO_BREAK_SPACE "\xC2\xA0"
#define DEFAULT_MAX_FRACTION 3

/* 0.d1d2d3... * 10^point, no leading or trailing zero digits; zero has no digits. */
struct decimal {
	char digits[SJ_NUM_TEXT];
	int count, point;
};

/* The shortest decimal that reads back as v: what ICU rounds, and what a person believes to have written. */
static struct decimal decimal_of(double v)
{
	char text[SJ_NUM_TEXT];
	size_t n = sj_num_text(fabs(v), text);
	struct decimal d = {.point = 0};
	int exponent = 0;
	bool after_point = false;

	for (size_t i = 0; i < n; i++) {
		char c = text[i];
		if (c == '.') {
			after_point = true;
		} else if (c == 'e') {
			bool negative = text[i + 1] == '-';
			for (i += 2; i < n; i++)
				exponent = exponent * 10 + (text[i] - '0');
			exponent = negative ? -exponent : exponent;
		} else if (d.count > 0 || c != '0') {
			d.digits[d.count++] = c;
			d.point += !after_point;
		} else {
			d.point -= after_point; /* 0.00x */
		}
	}
	while (d.count > 0 && d.digits[d.count - 1] == '0')
		d.count--;
	d.point = d.count > 0 ? d.point + exponent : 0;
	return d;
}

/* Rounds half away from zero at `fraction` digits behind the point (docs/decisions/013). */
static void round_decimal(struct decimal *d, int fraction)
{
	int keep = d->point + fraction;
	if (keep >= d->count)
		return;
	bool up = keep >= 0 && d->digits[keep] >= '5';
	d->count = keep > 0 ? keep : 0;
	if (up) {
		while (d->count > 0 && d->digits[d->count - 1] == '9')
			d->count--;
		if (d->count > 0) {
			d->digits[d->count - 1]++;
		} else {
			d->digits[d->count++] = '1';
			d->point++;
		}
	}
	while (d->count > 0 && d->digits[d->count - 1] == '0')
		d->count--;
	if (d->count == 0)
		d->point = 0;
}

static char digit_at(const struct decimal *d, int i)
{
	return i >= 0 && i < d->count ? d->digits[i] : '0';
}

/* The number without its sign. */
static void put_magnitude(struct sj_buf *out, double v, int min_fraction, int max_fraction, bool grouping)
{
	struct decimal d = decimal_of(v);
	round_decimal(&d, max_fraction);
	int whole = d.point > 1 ? d.point : 1, offset = d.point > 0 ? 0 : d.point - 1;
	for (int i = 0; i < whole; i++) {
		sj_buf_putc(out, digit_at(&d, i + offset));
		if (grouping && i + 1 < whole && (whole - 1 - i) % 3 == 0)
			sj_buf_putc(out, ',');
	}
	int fraction = d.count - d.point;
	if (fraction < min_fraction)
		fraction = min_fraction;
	if (fraction > 0)
		sj_buf_putc(out, '.');
	for (int i = 0; i < fraction; i++)
		sj_buf_putc(out, digit_at(&d, d.point + i));
}

static enum sj_status en_number(void *ctx, const char *locale, double v, int decimals, bool grouping,
                                struct sj_buf *out)
{
	(void)ctx;
	(void)locale;
	if (decimals > SJ_MAX_DECIMALS)
		return SJ_INVALID;
	if (isnan(v)) {
		sj_buf_puts(out, "NaN");
		return sj_buf_status(out);
	}
	if (signbit(v))
		sj_buf_putc(out, '-');
	if (isinf(v))
		sj_buf_puts(out, "∞");
	else
		put_magnitude(out, v, decimals < 0 ? 0 : decimals, decimals < 0 ? DEFAULT_MAX_FRACTION : decimals,
		              grouping);
	return sj_buf_status(out);
}

/* Only currencies that differ from "their code, two digits" in CLDR's en. */
struct currency {
	char code[4];
	uint8_t digits;
	const char *symbol; /* NULL: the code */
};
static const struct currency currencies[] = {
	{"ADP", 0, NULL},
	{"AFN", 0, NULL},
	{"ALL", 0, NULL},
	{"AUD", 2, "A$"},
	{"BHD", 3, NULL},
	{"BIF", 0, NULL},
	{"BRL", 2, "R$"},
	{"BYR", 0, NULL},
	{"CAD", 2, "CA$"},
	{"CLF", 4, NULL},
	{"CLP", 0, NULL},
	{"CNY", 2, "CN¥"},
	{"DJF", 0, NULL},
	{"ESP", 0, NULL},
	{"EUR", 2, "€"},
	{"GBP", 2, "£"},
	{"GNF", 0, NULL},
	{"HKD", 2, "HK$"},
	{"ILS", 2, "₪"},
	{"INR", 2, "₹"},
	{"IQD", 0, NULL},
	{"IRR", 0, NULL},
	{"ISK", 0, NULL},
	{"ITL", 0, NULL},
	{"JOD", 3, NULL},
	{"JPY", 0, "¥"},
	{"KMF", 0, NULL},
	{"KPW", 0, NULL},
	{"KRW", 0, "₩"},
	{"KWD", 3, NULL},
	{"LAK", 0, NULL},
	{"LBP", 0, NULL},
	{"LUF", 0, NULL},
	{"LYD", 3, NULL},
	{"MGA", 0, NULL},
	{"MGF", 0, NULL},
	{"MMK", 0, NULL},
	{"MRO", 0, NULL},
	{"MXN", 2, "MX$"},
	{"NZD", 2, "NZ$"},
	{"OMR", 3, NULL},
	{"PHP", 2, "₱"},
	{"PYG", 0, NULL},
	{"RSD", 0, NULL},
	{"RWF", 0, NULL},
	{"SLL", 0, NULL},
	{"SOS", 0, NULL},
	{"STD", 0, NULL},
	{"SYP", 0, NULL},
	{"TMM", 0, NULL},
	{"TND", 3, NULL},
	{"TRL", 0, NULL},
	{"TWD", 2, "NT$"},
	{"UGX", 0, NULL},
	{"USD", 2, "$"},
	{"UYI", 0, NULL},
	{"UYW", 4, NULL},
	{"VND", 0, "₫"},
	{"VUV", 0, NULL},
	{"XAF", 0, "FCFA"},
	{"XCD", 2, "EC$"},
	{"XOF", 0,
         "F\xE2\x80\xAF"
         "CFA"},
	{"XPF", 0, "CFPF"},
	{"XXX", 2, "¤"},
	{"YER", 0, NULL},
	{"ZMK", 0, NULL},
	{"ZWD", 0, NULL},
};

bool sj_currency_code(struct sj_slice code, char out[4])
{
	if (code.len != 3)
		return false;
	for (int i = 0; i < 3; i++) {
		char c = code.ptr[i];
		if (c >= 'a' && c <= 'z')
			c = (char)(c - 32);
		if (c < 'A' || c > 'Z')
			return false;
		out[i] = c;
	}
	out[3] = '\0';
	return true;
}

static const struct currency *find_currency(const char code[4])
{
	size_t low = 0, high = sizeof currencies / sizeof *currencies;
	while (low < high) {
		size_t mid = (low + high) / 2;
		int order = memcmp(code, currencies[mid].code, 3);
		if (order == 0)
			return &currencies[mid];
		if (order < 0)
			high = mid;
		else
			low = mid + 1;
	}
	return NULL;
}

static bool is_letter(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static enum sj_status en_currency(void *ctx, const char *locale, double v, struct sj_slice code, int decimals,
                                  bool grouping, struct sj_buf *out)
{
	char name[4];
	(void)ctx;
	(void)locale;
	if (decimals > SJ_MAX_DECIMALS || !sj_currency_code(code, name))
		return SJ_INVALID;
	const struct currency *c = find_currency(name);
	struct sj_slice symbol = sj_slice_of(c && c->symbol ? c->symbol : name);
	int digits = decimals >= 0 ? decimals : c ? c->digits : 2;

	if (signbit(v) && !isnan(v))
		sj_buf_putc(out, '-');
	sj_buf_slice(out, symbol);
	/* CLDR sets letters off from digits. */
	if (is_letter(symbol.ptr[symbol.len - 1]) && isfinite(v))
		sj_buf_puts(out, NO_BREAK_SPACE);
	if (isnan(v))
		sj_buf_puts(out, "NaN");
	else if (isinf(v))
		sj_buf_puts(out, "∞");
	else
		put_magnitude(out, v, digits, digits, grouping);
	return sj_buf_status(out);
}

static enum sj_plural en_plural(void *ctx, const char *locale, double v)
{
	(void)ctx;
	(void)locale;
	return fabs(v) == 1.0 ? SJ_PLURAL_ONE : SJ_PLURAL_OTHER;
}

static bool en_supports(void *ctx, const char *locale)
{
	(void)ctx;
	return sj_locale_is_en(locale);
}

const struct sj_locale_ops SJ_LOCALE_EN = {
	.name = "en",
	.number = en_number,
	.currency = en_currency,
	.date = sj_locale_en_date,
	.plural = en_plural,
	.supports = en_supports,
};
