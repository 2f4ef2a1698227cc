/* data: addresses. */
#include "face/gtk/compat.h"
#include "face/gtk/images.h"

static int hex(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
	                              : -1;
}

static int sextet(uint8_t c)
{
	return c >= 'A' && c <= 'Z'   ? c - 'A'
	       : c >= 'a' && c <= 'z' ? c - 'a' + 26
	       : c >= '0' && c <= '9' ? c - '0' + 52
	       : c == '+' || c == '-' ? 62
	       : c == '/' || c == '_' ? 63
	                              : -1;
}

/* In place. false: wrong. */
static bool from_percent(GByteArray *b)
{
	guint kept = 0;
	for (guint i = 0; i < b->len; i++) {
		if (b->data[i] != '%') {
			b->data[kept++] = b->data[i];
			continue;
		}
		int high = i + 2 < b->len ? hex((char)b->data[i + 1]) : -1,
		    low = high >= 0 ? hex((char)b->data[i + 2]) : -1;
		if (low < 0)
			return false;
		b->data[kept++] = (guint8)(high << 4 | low);
		i += 2;
	}
	g_byte_array_set_size(b, kept);
	return true;
}

static bool from_base64(GByteArray *b)
{
	guint kept = 0, digits = 0, padding = 0;
	uint32_t held = 0;
	for (guint i = 0; i < b->len; i++) {
		uint8_t c = b->data[i];
		int six = sextet(c);
		if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f')
			continue;
		if (c == '=') {
			padding++;
			continue;
		}
		if (six < 0 || padding > 0)
			return false;
		held = held << 6 | (uint32_t)six;
		if (++digits % 4 == 0) {
			b->data[kept++] = (guint8)(held >> 16);
			b->data[kept++] = (guint8)(held >> 8);
			b->data[kept++] = (guint8)held;
		}
	}
	guint rest = digits % 4;
	if (rest == 1 || padding > 2 || (padding > 0 && rest + padding != 4))
		return false;
	if (rest >= 2)
		b->data[kept++] = (guint8)(held >> (rest == 2 ? 4 : 10));
	if (rest == 3)
		b->data[kept++] = (guint8)(held >> 2);
	g_byte_array_set_size(b, kept);
	return true;
}

GBytes *sj_gtk_data_address(struct sj_slice a, size_t most, const char **why)
{
	const char *comma = a.len > 5 && g_ascii_strncasecmp(a.ptr, "data:", 5) == 0 ? memchr(a.ptr, ',', a.len) : NULL;
	*why = _("The address of the picture is broken.");
	if (!comma)
		return NULL;
	char *head = g_ascii_strdown(a.ptr + 5, comma - a.ptr - 5);
	char *end = head + strlen(head);
	while (end > head && end[-1] == ' ')
		*--end = 0;
	bool base64 = g_str_has_suffix(head, ";base64"), image = g_str_has_prefix(head, "image/");
	bool drawing = g_str_has_prefix(head, "image/svg");
	size_t len = a.len - (size_t)(comma + 1 - a.ptr);
	g_free(head);
	if (!image || drawing) {
		*why = drawing ? _("Pictures in SVG are not shown.") : _("This is not a picture.");
		return NULL;
	}
	if (len / (base64 ? 4 : 3) * (base64 ? 3 : 1) > most) {
		*why = _("The picture has too many bytes.");
		return NULL;
	}
	GByteArray *b = g_byte_array_sized_new((guint)len);
	g_byte_array_append(b, (const guint8 *)comma + 1, (guint)len);
	bool good = from_percent(b) && (!base64 || from_base64(b));
	if (good && b->len > most) {
		good = false;
		*why = _("The picture has too many bytes.");
	}
	if (!good) {
		g_byte_array_unref(b);
		return NULL;
	}
	*why = NULL;
	return g_byte_array_free_to_bytes(b);
}
