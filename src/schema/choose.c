/* Choosing branches of oneOf and anyOf without trying them.
 *
 * Two facts about a branch are found at compile time: the types it can accept at all, and the strings to which it pins
 * a property ("component": {"const": "Text"}), directly or through $ref, allOf and inner unions. Both are necessary
 * conditions, so leaving out the branches that break them changes no verdict; a discriminated union becomes one
 * look-up.
 */
#include "schema/program.h"

enum {
	ACCEPT_ROUNDS = 6,  /* references are at most that far apart in real schemas; stopping early only costs speed */
	PIN_DEPTH = 8,      /* how far a branch is searched for its pin */
	PIN_NODES = 64,     /* and how much of it */
	MAX_PINNED = 4,     /* properties of one branch considered */
	MAX_UNPINNED = 8,   /* branches repeated in every list */
	MAX_BRANCHES = 4096, /* beyond that, building the lists would be quadratic in earnest */
};

/* One property that a branch pins, and where its strings are. */
struct pin {
	uint32_t prop;
	enum { PIN_CONST, PIN_ENUM, PIN_UNION } from;
	uint32_t at; /* the symbol, the op, the union */
};
struct branch {
	struct pin pins[MAX_PINNED];
	unsigned count;
	unsigned budget;
};

static uint8_t type_of_cell(const struct sj_tape *t, uint32_t cell) { return SJ_SCHEMA_TYPE(sj_tape_type(t, cell)); }

static uint8_t union_accepts(const struct sj_schema_set *s, const struct sj_schema_union *u)
{
	uint8_t mask = 0;

	for (uint32_t i = 1; i <= s->kids.items[u->all]; i++)
		mask |= s->nodes.items[s->kids.items[u->all + i]].accepts;
	return mask;
}

static uint8_t op_accepts(const struct sj_schema_set *s, const struct sj_schema_node *node,
                          const struct sj_schema_op *op)
{
	const struct sj_tape *t = &s->docs.items[node->doc].tape;
	uint8_t mask = SJ_SCHEMA_ANY_TYPE;

	switch (op->kind) {
	case SJ_SCHEMA_OP_CONST:
		return type_of_cell(t, op->cell);
	case SJ_SCHEMA_OP_CONST_SYM:
		return SJ_SCHEMA_TYPE(SJ_J_STRING);
	case SJ_SCHEMA_OP_ENUM:
		mask = 0;
		for (uint32_t i = op->cell + 1; i < sj_tape_next(t, op->cell); i = sj_tape_next(t, i))
			mask |= type_of_cell(t, i);
		return mask;
	case SJ_SCHEMA_OP_REF:
		return s->nodes.items[op->a].accepts;
	case SJ_SCHEMA_OP_ALL_OF:
		for (uint32_t i = 0; i < op->b; i++)
			mask &= s->nodes.items[s->kids.items[op->a + i]].accepts;
		return mask;
	case SJ_SCHEMA_OP_ANY_OF:
	case SJ_SCHEMA_OP_ONE_OF:
		return union_accepts(s, &s->unions.items[op->a]);
	default:
		return mask;
	}
}

/* Starts from what "type" says and narrows, so that it may stop after any round. */
static void find_accepts(struct sj_schema_set *s, uint32_t first)
{
	bool changed = true;

	for (uint32_t n = first; n < s->nodes.count; n++) {
		struct sj_schema_node *node = &s->nodes.items[n];
		node->accepts = node->types & SJ_SCHEMA_ANY_TYPE;
		if (node->types & SJ_SCHEMA_INTEGER)
			node->accepts |= SJ_SCHEMA_TYPE(SJ_J_NUMBER);
	}
	for (unsigned round = 0; round < ACCEPT_ROUNDS && changed; round++) {
		changed = false;
		for (uint32_t n = first; n < s->nodes.count; n++) {
			struct sj_schema_node *node = &s->nodes.items[n];
			uint8_t mask = node->accepts;
			for (uint32_t i = 0; i < node->op_count; i++)
				mask &= op_accepts(s, node, &s->ops.items[node->op + i]);
			changed = changed || mask != node->accepts;
			node->accepts = mask;
		}
	}
}

static enum sj_status choose_union(struct sj_schema_set *s, uint32_t index, unsigned depth);

static void add_pin(struct branch *b, struct pin pin)
{
	for (unsigned i = 0; i < b->count; i++)
		if (b->pins[i].prop == pin.prop)
			return; /* either of two pins is a necessary condition: the first will do */
	if (b->count < MAX_PINNED)
		b->pins[b->count++] = pin;
}

/* A property whose schema is a string const, or an enum of strings. */
static void pin_property(const struct sj_schema_set *s, const struct sj_schema_prop *prop, struct branch *b)
{
	if (!prop->sym || prop->node == SJ_SCHEMA_NONE)
		return;
	const struct sj_schema_node *node = &s->nodes.items[prop->node];
	for (uint32_t i = 0; i < node->op_count; i++) {
		const struct sj_schema_op *op = &s->ops.items[node->op + i];
		if (op->kind == SJ_SCHEMA_OP_CONST_SYM)
			add_pin(b, (struct pin){prop->sym, PIN_CONST, op->a});
		else if (op->kind == SJ_SCHEMA_OP_ENUM && op->c == 0)
			add_pin(b, (struct pin){prop->sym, PIN_ENUM, node->op + i});
	}
}

static enum sj_status find_pins(struct sj_schema_set *s, uint32_t n, struct branch *b, unsigned depth)
{
	enum sj_status status = SJ_OK;

	if (depth == 0 || b->budget == 0)
		return SJ_OK;
	b->budget--;
	struct sj_schema_node node = s->nodes.items[n];
	for (uint32_t i = 0; i < node.op_count && status == SJ_OK; i++) {
		struct sj_schema_op op = s->ops.items[node.op + i];
		if (op.kind == SJ_SCHEMA_OP_OBJECT) {
			const struct sj_schema_object *o = &s->objects.items[op.a];
			for (uint32_t slot = 0; slot <= o->mask; slot++)
				pin_property(s, &s->props.items[o->slots + slot], b);
		} else if (op.kind == SJ_SCHEMA_OP_REF) {
			status = find_pins(s, op.a, b, depth - 1);
		} else if (op.kind == SJ_SCHEMA_OP_ALL_OF) {
			for (uint32_t k = 0; k < op.b && status == SJ_OK; k++)
				status = find_pins(s, s->kids.items[op.a + k], b, depth - 1);
		} else if (op.kind == SJ_SCHEMA_OP_ONE_OF || op.kind == SJ_SCHEMA_OP_ANY_OF) {
			status = choose_union(s, op.a, depth - 1);
			const struct sj_schema_union *u = &s->unions.items[op.a];
			if (status == SJ_OK && u->state == 2 && u->pin && s->kids.items[u->unpinned] == 0)
				add_pin(b, (struct pin){u->pin, PIN_UNION, op.a});
		}
	}
	return status;
}

static const struct pin *pin_of(const struct branch *b, uint32_t prop)
{
	for (unsigned i = 0; i < b->count; i++)
		if (b->pins[i].prop == prop)
			return &b->pins[i];
	return NULL;
}

/* Whether the branch lets the property be `sym`. */
static bool pin_holds(const struct sj_schema_set *s, const struct pin *pin, uint32_t sym)
{
	if (pin->from == PIN_CONST)
		return pin->at == sym;
	uint32_t slots, mask, slot;
	if (pin->from == PIN_ENUM) {
		slots = s->ops.items[pin->at].a;
		mask = s->ops.items[pin->at].b;
		for (slot = sj_schema_slot(sym, mask); s->enums.items[slots + slot]; slot = (slot + 1) & mask)
			if (s->enums.items[slots + slot] == sym)
				return true;
		return false;
	}
	slots = s->unions.items[pin->at].slots;
	mask = s->unions.items[pin->at].mask;
	for (slot = sj_schema_slot(sym, mask); s->pins.items[slots + slot].sym; slot = (slot + 1) & mask)
		if (s->pins.items[slots + slot].sym == sym)
			return true;
	return false;
}

/* The n-th string of a pin, 0 at the end; *step walks the table it lies in. */
static uint32_t pin_value(const struct sj_schema_set *s, const struct pin *pin, uint32_t *step)
{
	uint32_t sym = 0;

	if (pin->from == PIN_CONST)
		return (*step)++ == 0 ? pin->at : 0;
	uint32_t size = (pin->from == PIN_ENUM ? s->ops.items[pin->at].b : s->unions.items[pin->at].mask) + 1;
	while (!sym && *step < size) {
		if (pin->from == PIN_ENUM)
			sym = s->enums.items[s->ops.items[pin->at].a + (*step)++];
		else
			sym = s->pins.items[s->unions.items[pin->at].slots + (*step)++].sym;
	}
	return sym;
}

static uint32_t count_values(const struct sj_schema_set *s, const struct pin *pin)
{
	uint32_t step = 0, n = 0;

	while (pin_value(s, pin, &step))
		n++;
	return n;
}

/* How well a property tells the branches apart: branches it pins, less the pairs that share their first string. */
static int64_t worth(const struct sj_schema_set *s, const struct branch *branches, uint32_t count, uint32_t prop)
{
	int64_t pinned = 0, shared = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct pin *a = pin_of(&branches[i], prop);
		uint32_t step = 0;
		if (!a)
			continue;
		pinned++;
		uint32_t sym = pin_value(s, a, &step);
		for (uint32_t k = 0; k < i && sym; k++) {
			const struct pin *b = pin_of(&branches[k], prop);
			if (b && pin_holds(s, b, sym)) {
				shared++;
				break;
			}
		}
	}
	return pinned - shared;
}

static enum sj_status room(struct sj_schema_set *s, uint32_t n)
{
	return SJ_VEC_RESERVE(s->mem, &s->kids, s->kids.count + n, 0);
}

/* Appends the list of branches for which `keep` holds. */
static enum sj_status type_lists(struct sj_schema_set *s, struct sj_schema_union *u)
{
	uint32_t count = s->kids.items[u->all];

	for (unsigned type = 0; type < 7; type++) {
		enum sj_status status = room(s, count + 1);
		if (status != SJ_OK)
			return status;
		uint32_t list = s->kids.count++, n = 0;
		for (uint32_t i = 1; i <= count; i++) {
			uint32_t node = s->kids.items[u->all + i];
			if (s->nodes.items[node].accepts >> type & 1) {
				s->kids.items[s->kids.count++] = node;
				n++;
			}
		}
		s->kids.items[list] = n;
		u->by_type[type] = list;
		if (n == count) { /* nothing left out: share the full list */
			s->kids.count = list;
			u->by_type[type] = u->all;
		}
	}
	return SJ_OK;
}

/* The list of the object branches that let the property be `sym` (0: that do not pin it). */
static enum sj_status pin_list(struct sj_schema_set *s, const struct sj_schema_union *u, const struct branch *branches,
                               uint32_t sym, uint32_t *out)
{
	uint32_t count = s->kids.items[u->all], n = 0;
	enum sj_status status = room(s, count + 1);

	if (status != SJ_OK)
		return status;
	*out = s->kids.count++;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = s->kids.items[u->all + 1 + i];
		const struct pin *pin = pin_of(&branches[i], u->pin);
		if (!(s->nodes.items[node].accepts >> SJ_J_OBJECT & 1) || (pin && (!sym || !pin_holds(s, pin, sym))))
			continue;
		s->kids.items[s->kids.count++] = node;
		n++;
	}
	s->kids.items[*out] = n;
	return SJ_OK;
}

static enum sj_status pin_table(struct sj_schema_set *s, struct sj_schema_union *u, const struct branch *branches)
{
	uint32_t count = s->kids.items[u->all], values = 0, size = 2, sym;
	enum sj_status status = SJ_OK;

	for (uint32_t i = 0; i < count; i++)
		if (pin_of(&branches[i], u->pin))
			values += count_values(s, pin_of(&branches[i], u->pin));
	while (size < values * 2)
		size *= 2;
	status = SJ_VEC_RESERVE(s->mem, &s->pins, s->pins.count + size, 0);
	if (status != SJ_OK)
		return status;
	u->slots = s->pins.count;
	u->mask = size - 1;
	memset(s->pins.items + u->slots, 0, size * sizeof *s->pins.items);
	s->pins.count += size;
	for (uint32_t i = 0; i < count; i++) {
		const struct pin *pin = pin_of(&branches[i], u->pin);
		for (uint32_t step = 0; pin && (sym = pin_value(s, pin, &step)) != 0;) {
			uint32_t slot = sj_schema_slot(sym, u->mask);
			while (s->pins.items[u->slots + slot].sym && s->pins.items[u->slots + slot].sym != sym)
				slot = (slot + 1) & u->mask;
			if (s->pins.items[u->slots + slot].sym)
				continue;
			uint32_t list;
			status = pin_list(s, u, branches, sym, &list);
			if (status != SJ_OK)
				return status;
			s->pins.items[u->slots + slot] = (struct sj_schema_pin){sym, list};
		}
	}
	return pin_list(s, u, branches, 0, &u->unpinned);
}

/* The property to look branches up by, 0 when none tells at least two apart. */
static uint32_t best_pin(const struct sj_schema_set *s, const struct branch *branches, uint32_t count)
{
	uint32_t best = 0;
	int64_t most = 1;

	if (count > MAX_BRANCHES)
		return 0;
	/* The first two branches that pin anything between them name every candidate worth having. */
	for (uint32_t i = 0, looked = 0; i < count && looked < 2; i++) {
		looked += branches[i].count > 0;
		for (unsigned k = 0; k < branches[i].count; k++) {
			int64_t w = worth(s, branches, count, branches[i].pins[k].prop);
			if (w > most) {
				most = w;
				best = branches[i].pins[k].prop;
			}
		}
	}
	if (!best)
		return 0;
	uint32_t unpinned = 0;
	for (uint32_t i = 0; i < count; i++)
		unpinned += !pin_of(&branches[i], best);
	return unpinned <= MAX_UNPINNED ? best : 0;
}

static enum sj_status choose_union(struct sj_schema_set *s, uint32_t index, unsigned depth)
{
	struct sj_schema_union u = s->unions.items[index];
	uint32_t count = s->kids.items[u.all];
	enum sj_status status;

	if (u.state != 0)
		return SJ_OK;
	s->unions.items[index].state = 1; /* a branch that leads back here finds no pin in it */
	status = type_lists(s, &u);
	struct branch *branches = status == SJ_OK ? sj_mem_zalloc(s->mem, count * sizeof *branches) : NULL;
	if (!branches)
		return SJ_NOMEM;
	for (uint32_t i = 0; i < count && status == SJ_OK; i++) {
		branches[i].budget = PIN_NODES;
		if (s->nodes.items[s->kids.items[u.all + 1 + i]].accepts >> SJ_J_OBJECT & 1)
			status = find_pins(s, s->kids.items[u.all + 1 + i], &branches[i], depth);
	}
	if (status == SJ_OK) {
		u.pin = best_pin(s, branches, count);
		if (u.pin)
			status = pin_table(s, &u, branches);
	}
	sj_mem_free(s->mem, branches, count * sizeof *branches);
	if (status == SJ_OK) {
		u.state = 2;
		s->unions.items[index] = u;
	}
	return status;
}

enum sj_status sj_schema_choose(struct sj_schema_set *s, uint32_t first_node, uint32_t first_union)
{
	enum sj_status status = SJ_OK;

	find_accepts(s, first_node);
	for (uint32_t i = first_union; i < s->unions.count && status == SJ_OK; i++)
		status = choose_union(s, i, PIN_DEPTH);
	return status;
}
