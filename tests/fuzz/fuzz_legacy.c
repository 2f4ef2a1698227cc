/* An answer of anyone's model for the legacy processor. The first byte chooses the version, whether schemas are applied
 * and the size of the pieces. Beyond not crashing: the words between the blocks do not depend on the pieces; with
 * schemas, every message that comes out is valid; an error stays; and all memory comes back.
 */
#include <stdlib.h>

#include "base/utf.h"
#include "infer/legacy_internal.h"

#define MUST(condition)                                                                                                \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			abort();                                                                                       \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char S2C8[] =
	"{\"additionalProperties\":false,\"properties\":{\"beginRendering\":{\"type\":\"object\","
	"\"required\":[\"surfaceId\",\"root\"],\"properties\":{\"surfaceId\":{\"type\":\"string\"},\"root\":{\"type\":"
	"\"string\"}}},\"surfaceUpdate\":{\"type\":\"object\",\"required\":[\"surfaceId\",\"components\"],\"properties\":"
	"{\"surfaceId\":{\"type\":\"string\"},\"components\":{\"type\":\"array\",\"items\":{\"type\":\"object\","
	"\"required\":[\"id\",\"component\"],\"properties\":{\"id\":{\"type\":\"string\"},\"component\":{\"type\":"
	"\"object\"}}}}}},\"dataModelUpdate\":{\"type\":\"object\",\"required\":[\"surfaceId\",\"contents\"],"
	"\"properties\":{\"contents\":{\"type\":\"array\",\"items\":{\"required\":[\"key\"]}}}},\"deleteSurface\":"
	"{\"type\":\"object\",\"required\":[\"surfaceId\"]}}}";
static const char S2C9[] =
	"{\"required\":[\"version\"],\"properties\":{\"createSurface\":{\"type\":\"object\",\"required\":[\"surfaceId\"]},"
	"\"updateComponents\":{\"type\":\"object\",\"required\":[\"surfaceId\",\"components\"],\"properties\":"
	"{\"surfaceId\":{\"type\":\"string\"},\"components\":{\"type\":\"array\",\"items\":{\"required\":[\"id\"],"
	"\"properties\":{\"id\":{\"type\":\"string\"}},\"$ref\":\"catalog.json#/$defs/anyComponent\"}}}},"
	"\"updateDataModel\":{\"type\":\"object\",\"required\":[\"surfaceId\"]},\"deleteSurface\":{\"type\":\"object\","
	"\"required\":[\"surfaceId\"]}}}";
static const char CATALOG[] =
	"{\"components\":{\"Text\":{\"required\":[\"text\"]},\"Card\":{\"properties\":{\"child\":{\"title\":"
	"\"ComponentId\",\"type\":\"string\"}}},\"Row\":{\"properties\":{\"children\":{}}}}}";

static enum sj_status run(struct sj_mem *mem, const struct sj_legacy_options *opt, struct sj_slice text, size_t piece,
                          struct sj_buf *words)
{
	struct sj_parts parts = {0};
	struct sj_diag diag = {0}, again = {0};
	struct sj_legacy *p;
	enum sj_status st;

	MUST(sj_legacy_create(mem, opt, &p, NULL) == SJ_OK);
	st = SJ_OK;
	for (size_t at = 0; st == SJ_OK && at < text.len; at += piece)
		st = sj_legacy_feed(p, text.ptr + at, text.len - at < piece ? text.len - at : piece, &parts, &diag);
	if (st == SJ_OK)
		st = sj_legacy_end(p, &parts, &diag);
	MUST(st == SJ_OK || st == SJ_INVALID || st == SJ_LIMIT);
	MUST((st == SJ_OK) == (diag.code == SJ_E_NONE));
	if (st != SJ_OK) {
		MUST(diag.message[0] && sj_utf8_check(sj_slice_of(diag.message)) == strlen(diag.message));
		MUST(sj_legacy_feed(p, "x", 1, &parts, &again) == st && again.code == diag.code);
	}
	for (uint32_t i = 0; i < parts.list.count; i++) {
		const struct sj_part *part = &parts.list.items[i];
		sj_buf_put(words, part->text ? part->text : "", part->len);
		for (uint32_t k = 0; k < sj_value_count(&part->messages); k++)
			MUST(sj_legacy_check(p, sj_value_item(&part->messages, k), NULL) != SJ_INVALID);
	}
	MUST(sj_buf_status(words) == SJ_OK);
	sj_parts_finish(mem, &parts);
	sj_legacy_destroy(p);
	return st;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sj_legacy_options opt = {.version = SJ_V08};
	struct sj_buf whole, pieces;
	struct sj_mem mem;
	if (size == 0)
		return 0;
	opt.version = data[0] & 1 ? SJ_V09 : SJ_V08;
	opt.s2c = data[0] & 1 ? sj_slice_of(S2C9) : sj_slice_of(S2C8);
	opt.catalog = sj_slice_of(CATALOG);
	opt.unchecked = data[0] & 2;
	struct sj_slice text = {(const char *)data + 1, size - 1};
	sj_mem_init(&mem, NULL, 0);
	sj_buf_init(&whole, &mem, 0);
	sj_buf_init(&pieces, &mem, 0);
	enum sj_status once = run(&mem, &opt, text, text.len ? text.len : 1, &whole);
	enum sj_status cut = run(&mem, &opt, text, 1u + (data[0] >> 2) % 16, &pieces);
	MUST(once != SJ_OK || cut != SJ_OK || sj_slice_eq(sj_buf_view(&whole), sj_buf_view(&pieces)));
	sj_buf_finish(&whole);
	sj_buf_finish(&pieces);
	MUST(mem.used_bytes == 0);
	return 0;
}
