/* Unicode properties by ECMA-262's names (tables 69 to 71): exact in case, unlike PCRE2's. */
#include "text/regex_parse.h"

struct names {
	const char *brief, *full, *other;
	const char *pcre2; /* where PCRE2 spells it otherwise; a leading ! means its opposite */
};

static const struct names categories[] = {
	{"C", "Other", NULL, NULL},
	{"Cc", "Control", "cntrl", NULL},
	{"Cf", "Format", NULL, NULL},
	{"Cn", "Unassigned", NULL, NULL},
	{"Co", "Private_Use", NULL, NULL},
	{"Cs", "Surrogate", NULL, NULL},
	{"L", "Letter", NULL, NULL},
	{"LC", "Cased_Letter", NULL, "L&"},
	{"Ll", "Lowercase_Letter", NULL, NULL},
	{"Lm", "Modifier_Letter", NULL, NULL},
	{"Lo", "Other_Letter", NULL, NULL},
	{"Lt", "Titlecase_Letter", NULL, NULL},
	{"Lu", "Uppercase_Letter", NULL, NULL},
	{"M", "Mark", "Combining_Mark", NULL},
	{"Mc", "Spacing_Mark", NULL, NULL},
	{"Me", "Enclosing_Mark", NULL, NULL},
	{"Mn", "Nonspacing_Mark", NULL, NULL},
	{"N", "Number", NULL, NULL},
	{"Nd", "Decimal_Number", "digit", NULL},
	{"Nl", "Letter_Number", NULL, NULL},
	{"No", "Other_Number", NULL, NULL},
	{"P", "Punctuation", "punct", NULL},
	{"Pc", "Connector_Punctuation", NULL, NULL},
	{"Pd", "Dash_Punctuation", NULL, NULL},
	{"Pe", "Close_Punctuation", NULL, NULL},
	{"Pf", "Final_Punctuation", NULL, NULL},
	{"Pi", "Initial_Punctuation", NULL, NULL},
	{"Po", "Other_Punctuation", NULL, NULL},
	{"Ps", "Open_Punctuation", NULL, NULL},
	{"S", "Symbol", NULL, NULL},
	{"Sc", "Currency_Symbol", NULL, NULL},
	{"Sk", "Modifier_Symbol", NULL, NULL},
	{"Sm", "Math_Symbol", NULL, NULL},
	{"So", "Other_Symbol", NULL, NULL},
	{"Z", "Separator", NULL, NULL},
	{"Zl", "Line_Separator", NULL, NULL},
	{"Zp", "Paragraph_Separator", NULL, NULL},
	{"Zs", "Space_Separator", NULL, NULL},
	{NULL, NULL, NULL, NULL},
};

static const struct names binaries[] = {
	{"ASCII", "ASCII", NULL, NULL},
	{"AHex", "ASCII_Hex_Digit", NULL, NULL},
	{"Alpha", "Alphabetic", NULL, NULL},
	{"Any", "Any", NULL, NULL},
	{"Assigned", "Assigned", NULL, "!Cn"},
	{"Bidi_C", "Bidi_Control", NULL, NULL},
	{"Bidi_M", "Bidi_Mirrored", NULL, NULL},
	{"CI", "Case_Ignorable", NULL, NULL},
	{"Cased", "Cased", NULL, NULL},
	{"CWCF", "Changes_When_Casefolded", NULL, NULL},
	{"CWCM", "Changes_When_Casemapped", NULL, NULL},
	{"CWL", "Changes_When_Lowercased", NULL, NULL},
	{"CWT", "Changes_When_Titlecased", NULL, NULL},
	{"CWU", "Changes_When_Uppercased", NULL, NULL},
	{"Dash", "Dash", NULL, NULL},
	{"DI", "Default_Ignorable_Code_Point", NULL, NULL},
	{"Dep", "Deprecated", NULL, NULL},
	{"Dia", "Diacritic", NULL, NULL},
	{"Emoji", "Emoji", NULL, NULL},
	{"EComp", "Emoji_Component", NULL, NULL},
	{"EMod", "Emoji_Modifier", NULL, NULL},
	{"EBase", "Emoji_Modifier_Base", NULL, NULL},
	{"EPres", "Emoji_Presentation", NULL, NULL},
	{"ExtPict", "Extended_Pictographic", NULL, NULL},
	{"Ext", "Extender", NULL, NULL},
	{"Gr_Base", "Grapheme_Base", NULL, NULL},
	{"Gr_Ext", "Grapheme_Extend", NULL, NULL},
	{"Hex", "Hex_Digit", NULL, NULL},
	{"IDSB", "IDS_Binary_Operator", NULL, NULL},
	{"IDST", "IDS_Trinary_Operator", NULL, NULL},
	{"IDC", "ID_Continue", NULL, NULL},
	{"IDS", "ID_Start", NULL, NULL},
	{"Ideo", "Ideographic", NULL, NULL},
	{"Join_C", "Join_Control", NULL, NULL},
	{"LOE", "Logical_Order_Exception", NULL, NULL},
	{"Lower", "Lowercase", NULL, NULL},
	{"Math", "Math", NULL, NULL},
	{"NChar", "Noncharacter_Code_Point", NULL, NULL},
	{"Pat_Syn", "Pattern_Syntax", NULL, NULL},
	{"Pat_WS", "Pattern_White_Space", NULL, NULL},
	{"QMark", "Quotation_Mark", NULL, NULL},
	{"Radical", "Radical", NULL, NULL},
	{"RI", "Regional_Indicator", NULL, NULL},
	{"STerm", "Sentence_Terminal", NULL, NULL},
	{"SD", "Soft_Dotted", NULL, NULL},
	{"Term", "Terminal_Punctuation", NULL, NULL},
	{"UIdeo", "Unified_Ideograph", NULL, NULL},
	{"Upper", "Uppercase", NULL, NULL},
	{"VS", "Variation_Selector", NULL, NULL},
	{"space", "White_Space", NULL, NULL},
	{"XIDC", "XID_Continue", NULL, NULL},
	{"XIDS", "XID_Start", NULL, NULL},
	{NULL, NULL, NULL, NULL},
};

static const struct names *find(const struct names *list, struct sj_slice name)
{
	for (; list->brief != NULL; list++)
		if (sj_slice_is(name, list->brief) || sj_slice_is(name, list->full) ||
		    (list->other != NULL && sj_slice_is(name, list->other)))
			return list;
	return NULL;
}

static void put(struct sj_buf *out, const char *prefix, struct sj_slice name, bool negated)
{
	sj_buf_puts(out, negated ? "\\P{" : "\\p{");
	sj_buf_puts(out, prefix);
	sj_buf_slice(out, name);
	sj_buf_putc(out, '}');
}

static bool put_row(struct sj_buf *out, const struct names *row, bool negated)
{
	if (row == NULL)
		return false;
	const char *name = row->pcre2 ? row->pcre2 : row->brief;
	bool opposite = name[0] == '!';
	put(out, "", sj_slice_of(name + opposite), negated != opposite);
	return true;
}

/* A script's name is left to PCRE2, which knows them all but reads them loosely: only letters and _, first one a
 * capital. */
static bool is_script_name(struct sj_slice name)
{
	if (name.len < 2 || name.ptr[0] < 'A' || name.ptr[0] > 'Z')
		return false;
	for (size_t i = 0; i < name.len; i++) {
		char c = name.ptr[i];
		bool capital = c >= 'A' && c <= 'Z';
		bool begins = i == 0 || name.ptr[i - 1] == '_';
		if (sj_slice_is(name, "SignWriting") ? false : capital != begins && c != '_')
			return false;
		if (!capital && !(c >= 'a' && c <= 'z') && c != '_')
			return false;
	}
	return name.ptr[name.len - 1] != '_';
}

bool sj_regex_property(struct sj_buf *out, struct sj_slice inside, bool negated)
{
	const char *equals = inside.len > 0 ? memchr(inside.ptr, '=', inside.len) : NULL;
	if (equals == NULL) {
		const struct names *row = find(categories, inside);
		return put_row(out, row ? row : find(binaries, inside), negated);
	}
	struct sj_slice name = sj_slice(inside.ptr, (size_t)(equals - inside.ptr));
	struct sj_slice value = sj_slice(equals + 1, inside.len - name.len - 1);
	if (sj_slice_is(name, "General_Category") || sj_slice_is(name, "gc"))
		return put_row(out, find(categories, value), negated);
	bool extensions = sj_slice_is(name, "Script_Extensions") || sj_slice_is(name, "scx");
	if (!extensions && !sj_slice_is(name, "Script") && !sj_slice_is(name, "sc"))
		return false;
	if (!is_script_name(value))
		return false;
	put(out, extensions ? "scx:" : "sc:", value, negated);
	return true;
}
