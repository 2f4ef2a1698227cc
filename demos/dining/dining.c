/* The app of the dining demo. The agent writes the order, the rider's status and the review; between them the app acts
 * on its own. When the person places the order it asks the agent's function checkDelivery and waits: a refusal is one
 * line on the screen as it is, nothing is sent anew and the basket stays; after a yes the app writes the payment screen
 * itself. */
#include "dining.h"

struct app {
	struct sj_mem *mem;
	uint64_t check; /* the delivery check under way; 0: none */
	uint32_t peer;  /* whose surfaces these are */
	bool noted;     /* the line below the order is on the screen */
	struct sj_buf address;
};

static const char ORDER[] = "turn1", PAYMENT[] = "payment"; /* surfaces: the agent's, the app's */
enum { CHECK_TIMEOUT_MS = 10000 };

/* ---- writing screens --------------------------------------------------------------------------------------------- */

/* Sends a message into the engine as the agent would. Nobody but us made it, so a fault is ours: it is said. */
static void write_screen(struct cmd_session *s, const struct app *app, struct sj_buf *json)
{
	struct sj_diag diag = {0};
	if (sj_buf_status(json) != SJ_OK ||
	    sj_engine_host_message(s->engine, app->peer, sj_buf_view(json), &diag) != SJ_OK)
		cmd_say("dining: %s\n", diag.message[0] ? diag.message : "out of memory");
	sj_buf_finish(json);
}

static void delete_screen(struct cmd_session *s, const struct app *app, const char *surface)
{
	struct sj_buf json;
	sj_buf_init(&json, s->mem, 0);
	sj_buf_printf(&json, "{\"version\":\"v1.0\",\"deleteSurface\":{\"surfaceId\":\"%s\"}}", surface);
	write_screen(s, app, &json);
}

/* One line of the app's own below what the agent wrote; an empty text takes it away. The basket is not touched. */
static void note(struct cmd_session *s, struct app *app, struct sj_slice text)
{
	struct sj_buf json;
	bool wanted = text.len > 0;
	if (wanted != app->noted) {
		sj_buf_init(&json, s->mem, 0);
		sj_buf_printf(&json,
		              "{\"version\":\"v1.0\",\"updateComponents\":{\"surfaceId\":\"%s\",\"components\":["
		              "{\"id\":\"root\",\"component\":\"Card\",\"children\":[\"col\"%s]}"
		              ",{\"id\":\"app_note\",\"component\":\"Text\",\"text\":{\"path\":\"/app/note\"},\"accessibility\":{\"live\":\"polite\"}}]}}",
		              ORDER, wanted ? ",\"app_note\"" : "");
		write_screen(s, app, &json);
		app->noted = wanted;
	}
	sj_buf_init(&json, s->mem, 0);
	sj_buf_printf(&json, "{\"version\":\"v1.0\",\"updateDataModel\":{\"surfaceId\":\"%s\",\"path\":\"/app/note\",\"value\":", ORDER);
	sj_json_print_string(&json, text.ptr ? text : SJ_LIT(""));
	sj_buf_puts(&json, "}}");
	write_screen(s, app, &json);
}

static double number(const struct sj_value *item, const char *key)
{
	const struct sj_value *v = cmd_member(item, key);
	return v ? sj_value_double(v) : 0;
}

/* What was chosen, as [{"label": "2 x Margherita", "amount": 28000}, ...]; returns the sum. */
static double put_lines(struct cmd_session *s, struct sj_buf *json, const struct sj_value *menu)
{
	double total = 0;
	bool first = true;
	sj_buf_putc(json, '[');
	for (uint32_t i = 0; menu && i < sj_value_count(menu); i++) {
		const struct sj_value *item = sj_value_item(menu, i), *name = cmd_member(item, "name");
		double quantity = number(item, "quantity"), amount = quantity * number(item, "price");
		if (!(quantity > 0) || !name)
			continue;
		struct sj_buf label;
		struct sj_value count = sj_value_number(quantity), cost = sj_value_number(amount);
		sj_buf_init(&label, s->mem, 0);
		sj_value_print(&label, &count, SJ_PRINT_COMPACT);
		sj_buf_puts(&label, " × ");
		sj_buf_slice(&label, sj_value_text(name));
		sj_buf_puts(json, first ? "{\"label\":" : ",{\"label\":");
		sj_json_print_string(json, sj_buf_view(&label));
		sj_buf_puts(json, ",\"amount\":");
		sj_value_print(json, &cost, SJ_PRINT_COMPACT);
		sj_buf_putc(json, '}');
		sj_buf_finish(&label);
		total += amount;
		first = false;
	}
	sj_buf_putc(json, ']');
	return total;
}

#define MONEY(value) "{\"call\":\"formatCurrency\",\"args\":{\"value\":" value ",\"currency\":\"KRW\",\"decimals\":0}}"

static const char PAYMENT_COMPONENTS[] =
	"{\"id\":\"root\",\"component\":\"Card\",\"children\":[\"col\"]},"
	"{\"id\":\"col\",\"component\":\"Column\",\"children\":[\"hd\",\"lines\",\"total\",\"rule\",\"to\",\"method\",\"buttons\"]},"
	"{\"id\":\"hd\",\"component\":\"Text\",\"text\":\"## Placing the Order\"},"
	"{\"id\":\"lines\",\"component\":\"List\",\"children\":{\"componentId\":\"line\",\"path\":\"/lines\"}},"
	"{\"id\":\"line\",\"component\":\"OrderTotalRow\",\"label\":{\"path\":\"label\"},\"value\":" MONEY("{\"path\":\"amount\"}") "},"
	"{\"id\":\"total\",\"component\":\"OrderTotalRow\",\"label\":\"Total\",\"value\":" MONEY("{\"path\":\"/total\"}") "},"
	"{\"id\":\"rule\",\"component\":\"Divider\"},"
	"{\"id\":\"to\",\"component\":\"Text\",\"text\":{\"call\":\"formatString\",\"args\":{\"value\":\"To ${/address}. ${/note}\"}}},"
	"{\"id\":\"method\",\"component\":\"ChoicePicker\",\"label\":\"How do you want to pay?\",\"value\":{\"path\":\"/method\"},\"options\":["
	"{\"label\":\"By card\",\"value\":\"card\"},{\"label\":\"In cash at the door\",\"value\":\"cash\"}]},"
	"{\"id\":\"buttons\",\"component\":\"Row\",\"children\":[\"pay\",\"back\"]},"
	"{\"id\":\"pay\",\"component\":\"Button\",\"variant\":\"primary\",\"label\":{\"call\":\"formatString\",\"args\":{\"value\":"
	"\"Pay ${formatCurrency(value: ${/total}, currency: 'KRW', decimals: 0)}\"}},"
	"\"action\":{\"event\":{\"name\":\"pay\",\"context\":{\"total\":{\"path\":\"/total\"},\"address\":{\"path\":\"/address\"},"
	"\"method\":{\"path\":\"/method\"},\"lines\":{\"path\":\"/lines\"}}}}},"
	"{\"id\":\"back\",\"component\":\"Button\",\"label\":\"Back to the order\",\"action\":{\"event\":{\"name\":\"back\"}}}";

/* The app's own screen: no agent wrote it. */
static void show_payment(struct cmd_session *s, struct app *app, struct sj_slice remark)
{
	struct sj_view *order = sj_engine_view(s->engine, app->peer, sj_slice_of(ORDER));
	const struct sj_slice place = SJ_LIT("menu");
	struct sj_buf json;
	if (!order)
		return;
	sj_buf_init(&json, s->mem, 0);
	sj_buf_printf(&json, "{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":\"%s\",\"catalogId\":\"%s\",\"dataModel\":{\"lines\":", PAYMENT,
	              DINING_CATALOG);
	struct sj_value total =
		sj_value_number(put_lines(s, &json, sj_surface_get(sj_view_surface(order), SJ_ROOT_DATA, &place, 1)));
	sj_buf_puts(&json, ",\"total\":");
	sj_value_print(&json, &total, SJ_PRINT_COMPACT);
	sj_buf_puts(&json, ",\"address\":");
	sj_json_print_string(&json, sj_buf_view(&app->address));
	sj_buf_puts(&json, ",\"note\":");
	sj_json_print_string(&json, remark);
	sj_buf_printf(&json, ",\"method\":[\"card\"]},\"components\":[%s]}}", PAYMENT_COMPONENTS);
	write_screen(s, app, &json);
}

/* ---- what happens ------------------------------------------------------------------------------------------------ */

static void place_order(struct cmd_session *s, struct app *app, const struct sj_value *action)
{
	const struct sj_value *address = cmd_member(cmd_member(action, "context"), "address");
	struct sj_view *order = sj_engine_view(s->engine, app->peer, sj_slice_of(ORDER));
	struct sj_diag diag = {0};
	struct sj_buf args;
	if (app->check || !order || !address)
		return; /* one check at a time */
	sj_buf_clear(&app->address);
	sj_buf_slice(&app->address, sj_value_text(address));
	sj_buf_init(&args, s->mem, 0);
	sj_buf_puts(&args, "{\"address\":");
	sj_json_print_string(&args, sj_value_text(address));
	sj_buf_putc(&args, '}');
	if (sj_engine_call_agent(s->engine, order, SJ_LIT("checkDelivery"), SJ_LIT(DINING_CATALOG), sj_buf_view(&args),
	                         CHECK_TIMEOUT_MS, &app->check, &diag) == SJ_OK)
		note(s, app, SJ_LIT("Checking whether we deliver there ..."));
	else
		note(s, app, sj_slice_of(diag.message));
	sj_buf_finish(&args);
}

static void delivery_checked(struct cmd_session *s, struct app *app, const struct sj_value *area, enum sj_code failure)
{
	const struct sj_value *deliverable = cmd_member(area, "deliverable"), *remark = cmd_member(area, "note");
	struct sj_slice text = remark ? sj_value_text(remark) : SJ_LIT("");
	app->check = 0;
	if (failure == SJ_E_TIMEOUT) {
		note(s, app, SJ_LIT("The delivery check did not answer. Your order is as you left it; try again."));
	} else if (failure != SJ_E_NONE || !deliverable) {
		note(s, app, SJ_LIT("The delivery check failed. Your order is as you left it; try again."));
	} else if (deliverable->type == SJ_V_FALSE) {
		note(s, app, text.len > 0 ? text : SJ_LIT("We do not deliver to that address."));
	} else {
		note(s, app, SJ_NO_SLICE);
		show_payment(s, app, text);
	}
}

/* What was said about one address says nothing about the next: the line goes when the address is changed, and so does a
 * check under way. */
static void address_changed(struct cmd_session *s, struct app *app)
{
	const struct sj_slice place[] = {SJ_LIT("delivery"), SJ_LIT("address")};
	struct sj_view *order = sj_engine_view(s->engine, app->peer, sj_slice_of(ORDER));
	const struct sj_value *now = order ? sj_surface_get(sj_view_surface(order), SJ_ROOT_DATA, place, 2) : NULL;
	if (!app->noted || !now || sj_slice_eq(sj_value_text(now), sj_buf_view(&app->address)))
		return;
	uint64_t check = app->check;
	app->check = 0;
	if (check)
		sj_engine_cancel(s->engine, check);
	note(s, app, SJ_NO_SLICE);
}

/* true: the app has done what there was to do; the agent does not hear of it. */
static bool on_action(struct cmd_session *s, struct app *app, const struct sj_value *action)
{
	const struct sj_value *name = cmd_member(action, "name");
	struct sj_slice text = name ? sj_value_text(name) : SJ_NO_SLICE;
	if (sj_slice_is(text, "place_order")) {
		place_order(s, app, action);
		return true;
	}
	if (sj_slice_is(text, "back") || sj_slice_is(text, "pay"))
		delete_screen(s, app, PAYMENT);
	return sj_slice_is(text, "back");
}

static bool on_event(struct cmd_session *s, const struct sj_event *ev)
{
	struct app *app = s->host_ctx;
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value doc = SJ_ABSENT_VALUE;
	bool done = false, mine = ev->kind == SJ_EV_SEND || (ev->kind == SJ_EV_CALL_DONE && ev->call_id == app->check);
	if (ev->kind == SJ_EV_SURFACE_CHANGED)
		address_changed(s, app);
	if (!mine || (ev->json.len > 0 && sj_value_parse(s->mem, &opt, ev->json, &doc, NULL) != SJ_OK))
		return false;
	if (ev->kind == SJ_EV_SEND) {
		const struct sj_value *action = cmd_member(&doc, "action");
		done = action && on_action(s, app, action);
	} else {
		delivery_checked(s, app, &doc, ev->diag ? ev->diag->code : SJ_E_NONE);
		done = true;
	}
	sj_value_unref(s->mem, doc);
	return done;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static int attach(struct cmd_session *s, bool live)
{
	struct sj_diag diag = {0};
	struct app *app = sj_mem_zalloc(s->mem, sizeof *app);
	(void)live;
	if (!app) {
		cmd_say("dining: out of memory\n");
		return CMD_IO;
	}
	app->mem = s->mem;
	app->peer = s->peer;
	sj_buf_init(&app->address, s->mem, 0);
	s->host = on_event;
	s->host_ctx = app;
	if (sj_engine_add_host_catalog(s->engine, &dining_catalog, &diag) == SJ_OK)
		return CMD_OK;
	cmd_say("dining: %s\n", diag.message);
	return CMD_IO;
}

static void detach(struct cmd_session *s)
{
	struct app *app = s->host_ctx;
	s->host = NULL;
	s->host_ctx = NULL;
	if (!app)
		return;
	sj_buf_finish(&app->address);
	sj_mem_free(app->mem, app, sizeof *app);
}

extern const struct sj_demo sj_demo_dining;
const struct sj_demo sj_demo_dining = {
	.name = "dining",
	.title = "order dinner: a basket that adds itself up, a delivery check, a rider (v1.0, components from C)",
	.script = demo_dining_agent_jsonl,
	.gate_surface = true,
	.attach = attach,
	.detach = detach,
};
