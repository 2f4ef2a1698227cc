/* The catalog app.dining.catalog/v1: the components and functions that the app offers to an agent, registered from C
 * tables and nothing else. What the tables do not name comes from the basic catalog (Row, Divider, ChoicePicker,
 * formatCurrency, length, ...). Some names are spelled the app's own way: a Card has `children`, a TextField `text`, a
 * Button `label`. */
#include "dining.h"

/* ---- components -------------------------------------------------------------------------------------------------- */

static const struct sj_host_prop CONTAINER[] = {
	{"children", "ChildList", SJ_P_CHILDREN, true, "What stands inside, from top to bottom."},
	{0},
};
static const struct sj_host_prop TEXT[] = {
	{"text", "DynamicString", SJ_P_TEXT, true, "Markdown."},
	{0},
};
static const struct sj_host_prop TEXT_FIELD[] = {
	{"label", "DynamicString", SJ_P_LABEL, true, "What is to be typed."},
	{"text", "DynamicString", SJ_P_VALUE, true, "Where it is kept."},
	{"placeholder", "DynamicString", SJ_P_PLACEHOLDER, false, "Shown while it is empty."},
	{"variant", "enum:shortText|longText", SJ_P_VARIANT, false, "One line, or several."},
	{0},
};
static const struct sj_host_prop BUTTON[] = {
	{"label", "DynamicString", SJ_P_LABEL, true, "What it says."},
	{"action", "Action", SJ_P_ACTION, true, "What a press does."},
	{"variant", "enum:default|primary", SJ_P_VARIANT, false, "primary: the one to press next."},
	{0},
};
static const struct sj_host_prop MENU_ITEM_ROW[] = {
	{"name", "DynamicString", SJ_P_LABEL, true, "Dish name."},
	{"price", "DynamicNumber", SJ_P_DETAIL, false, "Price of one."},
	{"currency", "string", SJ_P_CURRENCY, false, "ISO 4217 code of the price."},
	{"quantity", "DynamicNumber", SJ_P_VALUE, true, "How many; changed here, written back to where it is bound."},
	{"max", "DynamicNumber", SJ_P_MAX, false, "How many at most."},
	{0},
};
static const struct sj_host_prop ORDER_TOTAL_ROW[] = {
	{"label", "DynamicString", SJ_P_LABEL, false, "What the amount is."},
	{"value", "DynamicString", SJ_P_VALUE, true, "The amount, formatted."},
	{0},
};
static const struct sj_host_prop STAGE_ROW[] = {
	{"name", "DynamicString", SJ_P_LABEL, true, "What happens at this stage of the delivery."},
	{"when", "DynamicString", SJ_P_VALUE, false, "Since when, or in how long."},
	{0},
};
static const struct sj_host_prop STAR_RATING[] = {
	{"label", "DynamicString", SJ_P_LABEL, true, "What is rated."},
	{"value", "DynamicNumber", SJ_P_VALUE, true, "Stars; 0 before the person has chosen."},
	{"max", "DynamicNumber", SJ_P_MAX, false, "How many stars there are."},
	{0},
};

static const struct sj_host_component COMPONENTS[] = {
	{.name = "Card", .kind = SJ_UI_CARD, .props = CONTAINER, .description = "A framed part of the screen."},
	{.name = "Column", .kind = SJ_UI_COLUMN, .props = CONTAINER, .description = "Things below each other."},
	{.name = "List", .kind = SJ_UI_LIST, .props = CONTAINER, .description = "One thing per item."},
	{.name = "Text", .kind = SJ_UI_TEXT, .props = TEXT, .description = "Words."},
	{.name = "TextField",
         .kind = SJ_UI_TEXT_FIELD,
         .props = TEXT_FIELD,
         .description = "A field to type into.",
         .checkable = true},
	{.name = "Button",
         .kind = SJ_UI_BUTTON,
         .props = BUTTON,
         .description = "A button with words on it.",
         .checkable = true},
	{.name = "MenuItemRow",
         .kind = SJ_UI_STEPPER,
         .props = MENU_ITEM_ROW,
         .description = "A dish with its price and a quantity to step."},
	{.name = "OrderTotalRow",
         .kind = SJ_UI_SUMMARY,
         .props = ORDER_TOTAL_ROW,
         .description = "An amount of money on a line of its own."},
	{.name = "StageRow", .kind = SJ_UI_SUMMARY, .props = STAGE_ROW, .description = "One stage of a delivery."},
	{.name = "StarRating",
         .kind = SJ_UI_RATING,
         .props = STAR_RATING,
         .description = "Stars to give.",
         .checkable = true},
	{0},
};

/* ---- functions --------------------------------------------------------------------------------------------------- */

static double member_number(const struct sj_value *item, const char *key)
{
	const struct sj_value *v = item->type == SJ_V_OBJECT ? sj_value_get(item, sj_slice_of(key)) : NULL;
	return v ? sj_value_double(v) : 0;
}

/* Sum over the items of quantity, each times its price when `priced`. What is no list has no items. */
static enum sj_result sum(const struct sj_call *call, bool priced, struct sj_value *out)
{
	const struct sj_value *items = call->nargs > 0 && call->args[0].type == SJ_V_ARRAY ? &call->args[0] : NULL;
	double total = 0;
	for (uint32_t i = 0; items && i < sj_value_count(items); i++) {
		const struct sj_value *item = sj_value_item(items, i);
		total += member_number(item, "quantity") * (priced ? member_number(item, "price") : 1);
	}
	*out = sj_value_number(total);
	return SJ_R_OK;
}

static enum sj_result calc_order_total(struct sj_call *call, struct sj_value *out) { return sum(call, true, out); }
static enum sj_result count_order_items(struct sj_call *call, struct sj_value *out) { return sum(call, false, out); }

static const struct sj_host_prop ITEMS[] = {
	{"items", "DynamicValue", SJ_P_NONE, true, "List of {price, quantity}."},
	{0},
};
static const struct sj_host_prop ADDRESS[] = {
	{"address", "DynamicString", SJ_P_NONE, true, "Where to."},
	{0},
};

static const struct sj_host_function FUNCTIONS[] = {
	{.name = "calcOrderTotal",
         .kind = SJ_FN_PURE,
         .return_type = "number",
         .args = ITEMS,
         .eval = calc_order_total,
         .description = "What the items cost together."},
	{.name = "countOrderItems",
         .kind = SJ_FN_PURE,
         .return_type = "number",
         .args = ITEMS,
         .eval = count_order_items,
         .description = "How many things are ordered."},
	/* The agent's own: declared here so that the app may call it by name. */
	{.name = "checkDelivery",
         .kind = SJ_FN_PURE,
         .return_type = "object",
         .args = ADDRESS,
         .allowed = SJ_CALLER_AGENT_ONLY,
         .description = "Whether there is delivery to an address: {deliverable, note}."},
	{0},
};

const struct sj_host_catalog dining_catalog = {
	.catalog_id = DINING_CATALOG,
	.title = "Dining",
	.instructions = "Orders of food: show the dishes as MenuItemRow in a List, the sum as OrderTotalRow, and let the person name an address.",
	.version = SJ_V10,
	.components = COMPONENTS,
	.functions = FUNCTIONS,
	.include_basic = true,
};
