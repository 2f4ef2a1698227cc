/* The `format` keyword: one row per format. A format without a row never fails (specification, section 7.2.3 of
 * validation). */
#include "base/utf.h"
#include "schema/program.h"
#include "schema/uri.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
static bool is_in(char c, const char *set) { return c != '\0' && strchr(set, c) != NULL; }

static struct sj_slice rest_of(struct sj_slice s, size_t from) { return sj_slice(s.ptr + from, s.len - from); }
static struct sj_slice head_of(struct sj_slice s, size_t len) { return sj_slice(s.ptr, len); }

/* Offset of the first `c`, or s.len. */
static size_t find(struct sj_slice s, char c)
{
	const char *at = s.len ? memchr(s.ptr, c, s.len) : NULL;
	return at ? (size_t)(at - s.ptr) : s.len;
}

/* Exactly `n` digits at `at`. */
static bool number_at(struct sj_slice s, size_t at, size_t n, unsigned *out)
{
	*out = 0;
	if (at + n > s.len)
		return false;
	for (size_t i = at; i < at + n; i++) {
		if (!is_digit(s.ptr[i]))
			return false;
		*out = *out * 10 + (unsigned)(s.ptr[i] - '0');
	}
	return true;
}

/* Dates and times: RFC 3339. */

static bool is_date(struct sj_slice s)
{
	static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	unsigned year, month, day;

	if (s.len != 10 || s.ptr[4] != '-' || s.ptr[7] != '-' || !number_at(s, 0, 4, &year) ||
	    !number_at(s, 5, 2, &month) || !number_at(s, 8, 2, &day) || month < 1 || month > 12)
		return false;
	bool leap = month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
	return day >= 1 && day <= days[month - 1] + (unsigned)leap;
}

static bool is_time(struct sj_slice s)
{
	unsigned hour, minute, second, zone_hour = 0, zone_minute = 0;
	size_t i = 8;
	int sign = 0;

	if (s.len < 9 || s.ptr[2] != ':' || s.ptr[5] != ':' || !number_at(s, 0, 2, &hour) ||
	    !number_at(s, 3, 2, &minute) || !number_at(s, 6, 2, &second) || hour > 23 || minute > 59 || second > 60)
		return false;
	if (s.ptr[i] == '.') {
		size_t start = ++i;
		while (i < s.len && is_digit(s.ptr[i]))
			i++;
		if (i == start)
			return false;
	}
	if (i + 1 == s.len && (s.ptr[i] == 'Z' || s.ptr[i] == 'z')) {
		sign = 1;
	} else if (i + 6 == s.len && is_in(s.ptr[i], "+-") && s.ptr[i + 3] == ':' &&
	           number_at(s, i + 1, 2, &zone_hour) && number_at(s, i + 4, 2, &zone_minute) && zone_hour <= 23 &&
	           zone_minute <= 59) {
		sign = s.ptr[i] == '+' ? 1 : -1;
	}
	if (sign == 0)
		return false;
	if (second < 60)
		return true;
	/* A leap second is inserted at the end of a day in UTC. */
	int utc = (int)(hour * 60 + minute) - sign * (int)(zone_hour * 60 + zone_minute);
	return (utc + 2 * 1440) % 1440 == 1439;
}

static bool is_date_time(struct sj_slice s)
{
	return s.len > 11 && (s.ptr[10] == 'T' || s.ptr[10] == 't') && is_date(head_of(s, 10)) &&
	       is_time(rest_of(s, 11));
}

/* Appendix A: units in falling order, none left out between two; weeks stand alone. */
static bool is_duration(struct sj_slice s)
{
	static const char units[] = "YMDTHMS";
	size_t next = 0, parts = 0;
	bool in_time = false;

	if (s.len < 2 || s.ptr[0] != 'P')
		return false;
	for (size_t i = 1; i < s.len;) {
		if (s.ptr[i] == 'T') {
			if (in_time || i + 1 == s.len)
				return false;
			in_time = true;
			next = 4;
			parts = 0;
			i++;
			continue;
		}
		size_t start = i;
		while (i < s.len && is_digit(s.ptr[i]))
			i++;
		if (i == start || i == s.len)
			return false;
		if (s.ptr[i] == 'W')
			return i + 1 == s.len && start == 1;
		size_t unit = next, end = in_time ? 7 : 3;
		while (unit < end && units[unit] != s.ptr[i])
			unit++;
		if (unit == end || (parts > 0 && unit != next))
			return false;
		next = unit + 1;
		parts++;
		i++;
	}
	return true;
}

/* Hosts and addresses. */

static bool is_ipv4(struct sj_slice s)
{
	unsigned parts = 0;
	size_t i = 0;

	for (;;) {
		unsigned value = 0;
		size_t start = i;
		while (i < s.len && is_digit(s.ptr[i]) && i - start < 3)
			value = value * 10 + (unsigned)(s.ptr[i++] - '0');
		if (i == start || value > 255 || (s.ptr[start] == '0' && i - start > 1))
			return false;
		if (++parts == 4)
			return i == s.len;
		if (i >= s.len || s.ptr[i++] != '.')
			return false;
	}
}

static bool is_ipv6(struct sj_slice s)
{
	unsigned groups = 0;
	bool gap = false;
	size_t i = 0;

	if (s.len >= 2 && s.ptr[0] == ':' && s.ptr[1] == ':') {
		gap = true;
		i = 2;
	}
	while (i < s.len) {
		size_t start = i;
		while (i < s.len && is_hex(s.ptr[i]))
			i++;
		if (i < s.len && s.ptr[i] == '.') {
			if (!is_ipv4(rest_of(s, start)))
				return false;
			groups += 2;
			return gap ? groups < 8 : groups == 8;
		}
		if (i == start || i - start > 4)
			return false;
		groups++;
		if (i == s.len)
			break;
		if (s.ptr[i++] != ':' || i == s.len)
			return false;
		if (s.ptr[i] == ':') {
			if (gap)
				return false;
			gap = true;
			i++;
		}
	}
	return gap ? groups < 8 : groups == 8;
}

/* RFC 1123 labels. A-labels are only checked for their letters, digits and hyphens. */
static bool is_hostname(struct sj_slice s)
{
	if (s.len == 0 || s.len > 253)
		return false;
	for (size_t i = 0; i <= s.len;) {
		struct sj_slice label = rest_of(s, i);
		label.len = find(label, '.');
		if (label.len == 0 || label.len > 63 || label.ptr[0] == '-' || label.ptr[label.len - 1] == '-')
			return false;
		for (size_t k = 0; k < label.len; k++)
			if (!is_alpha(label.ptr[k]) && !is_digit(label.ptr[k]) && label.ptr[k] != '-')
				return false;
		i += label.len + 1;
	}
	return true;
}

/* RFC 5321 mailbox; RFC 6531 lets characters beyond ASCII stand in it too. */
static bool is_mailbox(struct sj_slice s, bool beyond_ascii)
{
	size_t i = 0;

	if (s.len > 0 && s.ptr[0] == '"') {
		for (i = 1; i < s.len && s.ptr[i] != '"'; i++) {
			if (s.ptr[i] == '\\' && i + 1 < s.len)
				i++;
			if ((unsigned char)s.ptr[i] < 0x20 || s.ptr[i] == 0x7f)
				return false;
		}
		if (i++ >= s.len)
			return false;
	} else {
		bool dot = true; /* none may come first, last or after another */
		for (; i < s.len && s.ptr[i] != '@'; i++) {
			char c = s.ptr[i];
			if (c == '.' ? dot : !is_alpha(c) && !is_digit(c) && !is_in(c, "!#$%&'*+-/=?^_`{|}~") &&
			                             !(beyond_ascii && (unsigned char)c >= 0x80))
				return false;
			dot = c == '.';
		}
		if (dot)
			return false;
	}
	if (i >= s.len || s.ptr[i] != '@')
		return false;
	struct sj_slice domain = rest_of(s, i + 1);
	if (domain.len > 2 && domain.ptr[0] == '[' && domain.ptr[domain.len - 1] == ']') {
		domain = sj_slice(domain.ptr + 1, domain.len - 2);
		return sj_slice_starts(domain, "IPv6:") ? is_ipv6(rest_of(domain, 5)) : is_ipv4(domain);
	}
	if (!beyond_ascii)
		return is_hostname(domain);
	for (size_t k = 0; k < domain.len; k++)
		if ((unsigned char)domain.ptr[k] < 0x80 && !is_alpha(domain.ptr[k]) && !is_digit(domain.ptr[k]) &&
		    !is_in(domain.ptr[k], "-."))
			return false;
	return domain.len > 0;
}

static bool is_email(struct sj_slice s) { return is_mailbox(s, false); }
static bool is_idn_email(struct sj_slice s) { return is_mailbox(s, true); }

/* URIs: RFC 3986, IRIs: RFC 3987. */

/* ucschar, and iprivate where a query allows it. */
static bool is_ucs(uint32_t c, bool with_private)
{
	if (c >= 0xe000 && c <= 0xf8ff)
		return with_private;
	if (c >= 0xf0000)
		return with_private && (c & 0xffff) <= 0xfffd;
	return c >= 0xa0 && !(c >= 0xfdd0 && c <= 0xfdef) && (c < 0xfff0 || (c >= 0x10000 && (c & 0xffff) <= 0xfffd)) &&
	       (c < 0xe0000 || c >= 0xe1000);
}

/* Unreserved characters, sub-delimiters, percent-encoded bytes and those of `more`. */
static bool is_run(struct sj_slice s, const char *more, bool iri, bool with_private)
{
	for (size_t i = 0; i < s.len;) {
		char c = s.ptr[i];
		if (c == '%') {
			if (s.len - i < 3 || !is_hex(s.ptr[i + 1]) || !is_hex(s.ptr[i + 2]))
				return false;
			i += 3;
		} else if ((unsigned char)c >= 0x80) {
			if (!iri || !is_ucs(sj_utf8_next(s, &i), with_private))
				return false;
		} else if (is_alpha(c) || is_digit(c) || is_in(c, "-._~!$&'()*+,;=") || is_in(c, more)) {
			i++;
		} else {
			return false;
		}
	}
	return true;
}

static bool is_host(struct sj_slice s, bool iri)
{
	if (s.len == 0 || s.ptr[0] != '[')
		return is_run(s, "", iri, false);
	if (s.len < 3 || s.ptr[s.len - 1] != ']')
		return false;
	struct sj_slice inner = sj_slice(s.ptr + 1, s.len - 2);
	if (inner.ptr[0] != 'v' && inner.ptr[0] != 'V')
		return is_ipv6(inner);
	size_t dot = find(inner, '.');
	for (size_t i = 1; i < dot; i++)
		if (!is_hex(inner.ptr[i]))
			return false;
	return dot > 1 && dot + 1 < inner.len && find(inner, '%') == inner.len &&
	       is_run(rest_of(inner, dot + 1), ":", false, false);
}

static bool is_authority(struct sj_slice s, bool iri)
{
	size_t at = find(s, '@'), i;

	if (at < s.len) {
		if (!is_run(head_of(s, at), ":", iri, false))
			return false;
		s = rest_of(s, at + 1);
	}
	i = s.len;
	while (i > 0 && is_digit(s.ptr[i - 1]))
		i--;
	if (i > 0 && s.ptr[i - 1] == ':')
		s = head_of(s, i - 1);
	return is_host(s, iri);
}

static bool is_reference(struct sj_slice s, bool iri, bool absolute)
{
	struct sj_schema_uri u;

	sj_schema_uri_split(s, &u);
	if (!u.scheme.ptr && (absolute || find(head_of(u.path, find(u.path, '/')), ':') < find(u.path, '/')))
		return false;
	return (!u.authority.ptr || is_authority(u.authority, iri)) && is_run(u.path, ":@/", iri, false) &&
	       is_run(u.query, ":@/?", iri, true) && is_run(u.fragment, ":@/?", iri, false);
}

static bool is_uri(struct sj_slice s) { return is_reference(s, false, true); }
static bool is_uri_reference(struct sj_slice s) { return is_reference(s, false, false); }
static bool is_iri(struct sj_slice s) { return is_reference(s, true, true); }
static bool is_iri_reference(struct sj_slice s) { return is_reference(s, true, false); }

/* RFC 6570: an expression's operator, then names with an optional ":length" or "*". */
static bool is_expression(struct sj_slice s)
{
	size_t i = s.len > 0 && is_in(s.ptr[0], "+#./;?&=,!@|");

	for (;;) {
		size_t start = i;
		bool dot = true;
		for (; i < s.len && !is_in(s.ptr[i], ",:*"); i++) {
			if (s.ptr[i] == '%' && s.len - i > 2 && is_hex(s.ptr[i + 1]) && is_hex(s.ptr[i + 2]))
				i += 2;
			else if (s.ptr[i] == '.' ? dot : !is_alpha(s.ptr[i]) && !is_digit(s.ptr[i]) && s.ptr[i] != '_')
				return false;
			dot = s.ptr[i] == '.';
		}
		if (i == start || dot)
			return false;
		if (i < s.len && s.ptr[i] == '*') {
			i++;
		} else if (i < s.len && s.ptr[i] == ':') {
			size_t digits = ++i;
			while (i < s.len && is_digit(s.ptr[i]))
				i++;
			if (i == digits || i - digits > 4 || s.ptr[digits] == '0')
				return false;
		}
		if (i == s.len)
			return true;
		if (s.ptr[i++] != ',')
			return false;
	}
}

static bool is_uri_template(struct sj_slice s)
{
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.ptr[i];
		if (c == '{') {
			struct sj_slice rest = rest_of(s, i + 1);
			size_t end = find(rest, '}');
			if (end == rest.len || !is_expression(head_of(rest, end)))
				return false;
			i += end + 1;
		} else if (c == '%') {
			if (s.len - i < 3 || !is_hex(s.ptr[i + 1]) || !is_hex(s.ptr[i + 2]))
				return false;
		} else if (c <= 0x20 || c == 0x7f || is_in((char)c, "\"<>\\^`|}")) {
			return false;
		}
	}
	return true;
}

/* The rest. */

static bool is_uuid(struct sj_slice s)
{
	if (s.len != 36)
		return false;
	for (size_t i = 0; i < 36; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;
		if (dash ? s.ptr[i] != '-' : !is_hex(s.ptr[i]))
			return false;
	}
	return true;
}

static bool is_json_pointer(struct sj_slice s)
{
	if (s.len > 0 && s.ptr[0] != '/')
		return false;
	for (size_t i = 0; i < s.len; i++)
		if (s.ptr[i] == '~' && (i + 1 == s.len || !is_in(s.ptr[i + 1], "01")))
			return false;
	return true;
}

static bool is_relative_json_pointer(struct sj_slice s)
{
	size_t i = 0;

	while (i < s.len && is_digit(s.ptr[i]))
		i++;
	if (i == 0 || (s.ptr[0] == '0' && i > 1))
		return false;
	return (i + 1 == s.len && s.ptr[i] == '#') || is_json_pointer(rest_of(s, i));
}

static const struct {
	const char *name;
	bool (*check)(struct sj_slice);
} formats[] = {
	[SJ_SCHEMA_FORMAT_REGEX] = {"regex", NULL}, /* needs the set's limits: see validate.c */
	{"date-time", is_date_time},
	{"date", is_date},
	{"time", is_time},
	{"duration", is_duration},
	{"email", is_email},
	{"idn-email", is_idn_email},
	{"hostname", is_hostname},
	{"ipv4", is_ipv4},
	{"ipv6", is_ipv6},
	{"uri", is_uri},
	{"uri-reference", is_uri_reference},
	{"iri", is_iri},
	{"iri-reference", is_iri_reference},
	{"uri-template", is_uri_template},
	{"uuid", is_uuid},
	{"json-pointer", is_json_pointer},
	{"relative-json-pointer", is_relative_json_pointer},
};

uint32_t sj_schema_format(struct sj_slice name)
{
	for (uint32_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (sj_slice_is(name, formats[i].name))
			return i;
	return SJ_SCHEMA_NONE;
}

bool sj_schema_format_check(uint32_t format, struct sj_slice text) { return formats[format].check(text); }
