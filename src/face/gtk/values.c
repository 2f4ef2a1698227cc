/* What a node says, as strings for widgets. */
#include "face/gtk/internal.h"

#include "base/num.h"
#include "base/utf.h"
#include "text/locale.h"

/* Control characters, characters that reorder what stands around them, and invisible ones that carry hidden text. */
static bool is_stripped(uint32_t c)
{
	return c < 0x20 || (c >= 0x7F && c <= 0x9F) || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) ||
	       (c >= 0xFFF9 && c <= 0xFFFB) || c == 0xFEFF || (c >= 0xE0000 && c <= 0xE007F);
}

char *sj_gtk_clean(struct sj_slice text, size_t most, bool lines)
{
	GString *out = g_string_sized_new(MIN(text.len, most) + 1);
	for (size_t at = 0; at < text.len;) {
		uint32_t c = sj_utf8_next(text, &at);
		if (out->len >= most) {
			g_string_append(out, "…");
			break;
		}
		if (c == '\r' && at < text.len && text.ptr[at] == '\n')
			continue;
		if (c == '\n' || c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029)
			g_string_append_c(out, lines ? '\n' : ' ');
		else if (c == '\t')
			g_string_append_c(out, lines ? '\t' : ' ');
		else if (c >= 0xD800 && c <= 0xDFFF)
			g_string_append_unichar(out, 0xFFFD);
		else if (!is_stripped(c))
			g_string_append_unichar(out, c);
	}
	return g_string_free(out, FALSE);
}

static void put_value(struct sj_buf *out, const struct sj_value *v)
{
	char number[SJ_NUM_TEXT];
	if (sj_value_is_string(v)) {
		sj_buf_slice(out, sj_value_text(v));
	} else if (sj_value_is_number(v)) {
		sj_num_text(sj_value_double(v), number);
		sj_buf_puts(out, number);
	} else if (v->type == SJ_V_ARRAY || v->type == SJ_V_OBJECT) {
		sj_value_print(out, v, SJ_PRINT_COMPACT);
	} else if (sj_value_is_bool(v)) {
		sj_buf_puts(out, v->type == SJ_V_TRUE ? "true" : "false");
	}
}

char *sj_gtk_value_text(const struct sj_value *v, size_t most, bool lines)
{
	struct sj_mem mem;
	struct sj_buf raw;
	if (!v)
		return g_strdup("");
	if (sj_value_is_string(v))
		return sj_gtk_clean(sj_value_text(v), most, lines);
	sj_mem_init(&mem, NULL, 0);
	sj_buf_init(&raw, &mem, 0);
	uint32_t count = v->type == SJ_V_ARRAY ? sj_value_count(v) : 0;
	for (uint32_t i = 0; i < count && raw.len < most; i++) {
		if (i > 0)
			sj_buf_puts(&raw, ", ");
		put_value(&raw, sj_value_item(v, i));
	}
	if (count == 0)
		put_value(&raw, v);
	char *text = sj_gtk_clean(sj_buf_view(&raw), most, lines);
	sj_buf_finish(&raw);
	return text;
}

const struct sj_value *sj_gtk_value(struct sj_gtk_node *n, enum sj_ui_prop p)
{
	const struct sj_value *v = sj_node_ui(sj_gtk_core(n->surface), n->id, p);
	return v && v->type != SJ_V_ABSENT && v->type != SJ_V_NULL ? v : NULL;
}

char *sj_gtk_line(struct sj_gtk_node *n, enum sj_ui_prop p)
{
	return g_strstrip(sj_gtk_value_text(sj_gtk_value(n, p), SJ_GTK_LABEL_MOST, false));
}

bool sj_gtk_is(struct sj_gtk_node *n, enum sj_ui_prop p, const char *word)
{
	const struct sj_value *v = sj_gtk_value(n, p);
	return v && sj_value_is_string(v) && sj_slice_is(sj_value_text(v), word);
}

bool sj_gtk_true(struct sj_gtk_node *n, enum sj_ui_prop p)
{
	const struct sj_value *v = sj_gtk_value(n, p);
	return v && v->type == SJ_V_TRUE;
}

double sj_gtk_number(struct sj_gtk_node *n, enum sj_ui_prop p, double fallback)
{
	const struct sj_value *v = sj_gtk_value(n, p);
	double d;
	if (v && sj_value_is_number(v))
		return sj_value_double(v);
	return v && sj_value_is_string(v) && sj_num_parse_loose(sj_value_text(v), &d) ? d : fallback;
}

char *sj_gtk_number_text(double v)
{
	char number[SJ_NUM_TEXT];
	sj_num_text(v, number);
	return g_strdup(number);
}

char *sj_gtk_detail(struct sj_gtk_node *n)
{
	const struct sj_value *v = sj_gtk_value(n, SJ_P_DETAIL);
	char *code = sj_gtk_line(n, SJ_P_CURRENCY), *text = NULL;
	if (v && sj_value_is_number(v) && *code) {
		struct sj_mem mem;
		struct sj_buf out;
		sj_mem_init(&mem, NULL, 0);
		sj_buf_init(&out, &mem, 0);
		if (SJ_LOCALE_EN.currency(SJ_LOCALE_EN.ctx, "en", sj_value_double(v), sj_slice_of(code), -1, true,
		                          &out) == SJ_OK)
			text = sj_gtk_clean(sj_buf_view(&out), SJ_GTK_LABEL_MOST, false);
		sj_buf_finish(&out);
		}
	g_free(code);
	return text ? text : sj_gtk_line(n, SJ_P_DETAIL);
}

char *sj_gtk_option_label(const struct sj_value *option)
{
	const struct sj_value *label = option;
	if (option->type == SJ_V_OBJECT) {
		label = sj_value_get(option, SJ_LIT("label"));
		if (!label || label->type == SJ_V_NULL || label->type == SJ_V_ABSENT)
			label = sj_value_get(option, SJ_LIT("value"));
	}
	return g_strstrip(sj_gtk_value_text(label, SJ_GTK_LABEL_MOST, false));
}

bool sj_gtk_option_chosen(const struct sj_value *value, const struct sj_value *option)
{
	const struct sj_value *mine = option->type == SJ_V_OBJECT ? sj_value_get(option, SJ_LIT("value")) : option;
	if (!value || !mine)
		return false;
	if (value->type != SJ_V_ARRAY)
		return sj_value_equal(value, mine);
	for (uint32_t i = 0; i < sj_value_count(value) && i < SJ_GTK_OPTIONS; i++)
		if (sj_value_equal(sj_value_item(value, i), mine))
			return true;
	return false;
}

/* ---- words of a subtree ------------------------------------------------------------------------------------------ */

struct step {
	sj_node_id node;
	uint32_t next;
};

static char *own_words(struct sj_gtk_node *n, sj_node_id at)
{
	struct sj_surface *core = sj_gtk_core(n->surface);
	struct sj_gtk_node look = {.surface = n->surface, .id = at};
	struct sj_arena arena;
	struct sj_words words;
	if (sj_node_why(core, at) != SJ_WHY_SHOWN)
		return g_strdup("");
	if (sj_node_kind(core, at) == SJ_UI_ICON)
		return g_strdup("");
	if (sj_node_kind(core, at) == SJ_UI_IMAGE)
		return sj_gtk_line(&look, SJ_P_DESCRIPTION);
	const struct sj_value *v = sj_gtk_value(&look, SJ_P_TEXT);
	if (!v && sj_node_kind(core, at) == SJ_UI_SUMMARY) {
		char *label = sj_gtk_line(&look, SJ_P_LABEL), *value = sj_gtk_line(&look, SJ_P_VALUE);
		char *both = g_strstrip(g_strdup_printf("%s %s", label, value));
		g_free(label);
		g_free(value);
		return both;
	}
	if (!v)
		return sj_gtk_line(&look, SJ_P_LABEL);
	char *raw = sj_gtk_value_text(v, SJ_GTK_LABEL_MOST, true), *text = NULL;
	sj_arena_init(&arena, sj_gtk_mem(n->surface), 0);
	if (sj_surface_words(core, &arena, sj_slice_of(raw), &words) == SJ_OK)
		text = sj_gtk_clean(words.plain, SJ_GTK_LABEL_MOST, false);
	sj_arena_finish(&arena);
	g_free(raw);
	return text ? text : g_strdup("");
}

char *sj_gtk_words(struct sj_gtk_node *n, sj_node_id below)
{
	struct sj_surface *core = sj_gtk_core(n->surface);
	GArray *stack = g_array_new(FALSE, FALSE, sizeof(struct step));
	GString *out = g_string_new(NULL);
	struct step first = {below, 0};
	g_array_append_val(stack, first);
	while (stack->len > 0 && out->len < SJ_GTK_LABEL_MOST) {
		struct step *at = &g_array_index(stack, struct step, stack->len - 1);
		if (at->next == 0) {
			char *words = own_words(n, at->node);
			if (*words)
				g_string_append_printf(out, "%s%s", out->len > 0 ? " " : "", words);
			g_free(words);
		}
		if (at->next >= sj_node_child_count(core, at->node)) {
			g_array_set_size(stack, stack->len - 1);
			continue;
		}
		struct step next = {sj_node_child(core, at->node, at->next++), 0};
		g_array_append_val(stack, next);
	}
	g_array_unref(stack);
	return g_string_free(out, FALSE);
}

/* ---- labels ------------------------------------------------------------------------------------------------------ */

#define LONGEST_WORD 22 /* characters; a label is at least as wide as its longest word, so longer ones may be cut */

GtkWidget *sj_gtk_label_new(float xalign)
{
	GtkWidget *label = gtk_label_new(NULL);
	gtk_label_set_wrap(GTK_LABEL(label), TRUE);
	gtk_label_set_xalign(GTK_LABEL(label), xalign);
	gtk_label_set_justify(GTK_LABEL(label), xalign > 0.9f   ? GTK_JUSTIFY_RIGHT
	                                        : xalign > 0.4f ? GTK_JUSTIFY_CENTER
	                                                        : GTK_JUSTIFY_LEFT);
	return label;
}

void sj_gtk_label_set(GtkWidget *label, const char *text)
{
	guint run = 0, longest = 0;
	for (const char *p = text; *p; p += g_utf8_skip[(guchar)*p]) {
		run = *p == ' ' || *p == '\n' || *p == '\t' ? 0 : run + 1;
		longest = MAX(longest, run);
	}
	PangoWrapMode mode = longest > LONGEST_WORD ? PANGO_WRAP_WORD_CHAR : PANGO_WRAP_WORD;
	if (gtk_label_get_wrap_mode(GTK_LABEL(label)) != mode)
		gtk_label_set_wrap_mode(GTK_LABEL(label), mode);
	if (strcmp(gtk_label_get_text(GTK_LABEL(label)), text) != 0)
		gtk_label_set_text(GTK_LABEL(label), text);
}
