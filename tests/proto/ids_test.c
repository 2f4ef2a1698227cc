/* Ids of drafts, and outlines, which show them. */
#include "proto/ids.h"
#include "proto/outline.h"
#include "draft.h"

static const char tree[] = SPEC_HEAD
	"\"root\":{\"type\":\"column\",\"id\":\"all\",\"children\":["
	"{\"type\":\"text\",\"id\":\"twice\",\"text\":\"One\"},{\"type\":\"text\",\"text\":\"Two\"},"
	"{\"type\":\"scroll\",\"child\":{\"type\":\"row\",\"id\":\"list\",\"repeat\":{\"items\":[{},{}],\"as\":\"it\"},"
	"\"children\":[{\"type\":\"text\",\"id\":\"twice\",\"text\":\"Three\"}]}},"
	"{\"type\":\"dialog\",\"openWhen\":{\"key\":\"k\",\"equals\":true},\"confirm\":{\"label\":\"Yes\"},\"title\":\"Sure?\","
	"\"child\":{\"type\":\"spacer\",\"id\":\"~1\"}}]},"
	"\"screens\":{\"more\":{\"type\":\"box\",\"id\":\"box\",\"children\":[{\"type\":\"icon\",\"name\":\"add\"}]}}}";

SJ_TEST(authored_ids_that_are_unique_are_kept)
{
	struct sj_mem *mem = sj_test_mem();
	struct sj_value spec;
	struct sj_proto_ids ids;
	CHECK_OK(draft_parse(mem, tree, &spec));
	CHECK_OK(sj_proto_ids_make(mem, &spec, 0, &ids));
	CHECK_JSON(&ids.list, "[\"all\",\"~1\",\"~2\",\"~3\",\"list\",\"~4\",\"~5\",\"~6\",\"box\",\"~7\"]");
	CHECK_INT(ids.next, 8);
	CHECK_INT(sj_proto_id_find(&ids, SJ_LIT("list")), 4);
	CHECK_INT(sj_proto_id_find(&ids, SJ_LIT("twice")), SJ_NO_NODE);
	CHECK_STR(sj_proto_id_at(&ids, 9), "~7");
	CHECK_STR(sj_proto_id_at(&ids, 10), "");
	sj_proto_ids_release(mem, &ids);
	CHECK_OK(sj_proto_ids_make(mem, &spec, 40, &ids));
	CHECK_STR(sj_proto_id_at(&ids, 1), "~40");
	sj_proto_ids_release(mem, &ids);
	sj_value_unref(mem, spec);
}

SJ_TEST(a_tree_knows_places)
{
	struct sj_mem *mem = sj_test_mem();
	struct sj_value spec;
	struct sj_proto_tree t;
	static const char *const pointers[] = {"/root",
	                                       "/root/children/0",
	                                       "/root/children/1",
	                                       "/root/children/2",
	                                       "/root/children/2/child",
	                                       "/root/children/2/child/children/0",
	                                       "/root/children/3",
	                                       "/root/children/3/child",
	                                       "/screens/more",
	                                       "/screens/more/children/0"};
	static const uint32_t ends[] = {8, 2, 3, 6, 6, 6, 8, 8, 10, 10};
	static const uint32_t depths[] = {0, 1, 1, 1, 2, 3, 1, 2, 0, 1};
	CHECK_OK(draft_parse(mem, tree, &spec));
	CHECK_OK(sj_proto_tree_init(&t, mem, &spec));
	CHECK_INT(t.spots.count, 10);
	for (uint32_t i = 0; i < 10; i++) {
		CHECK_STR(sj_proto_tree_pointer(&t, i), pointers[i]);
		CHECK(sj_value_at(&spec, sj_proto_tree_pointer(&t, i)) == t.spots.items[i].node);
		CHECK_INT(t.spots.items[i].end, ends[i]);
		CHECK_INT(t.spots.items[i].depth, depths[i]);
	}
	sj_proto_tree_finish(&t);
	sj_value_unref(mem, spec);
}

static const char lines[] = "all column\n"
			    "  ~1 text \"One\"\n"
			    "  ~2 text \"Two\"\n"
			    "  ~3 scroll\n"
			    "    list row rows 2\n"
			    "      ~4 text \"Three\"\n"
			    "  ~5 dialog \"Sure?\"\n"
			    "    ~6 spacer\n"
			    "screen more\n"
			    "box box\n"
			    "  ~7 icon \"add\"\n";

SJ_TEST(outline_of_a_tree)
{
	struct sj_mem *mem = sj_test_mem();
	struct sj_value spec, outline;
	struct sj_proto_ids ids;
	struct sj_buf out;
	sj_buf_init(&out, mem, 0);
	CHECK_OK(draft_parse(mem, tree, &spec));
	CHECK_OK(sj_proto_ids_make(mem, &spec, 0, &ids));
	CHECK_OK(sj_proto_outline_text(mem, &spec, &ids, &out));
	CHECK_STR(sj_buf_view(&out), lines);
	CHECK_OK(sj_proto_outline(mem, &spec, &ids, &outline));
	CHECK_INT(sj_value_count(&outline), 10);
	CHECK_JSON(sj_value_item(&outline, 1), "{\"id\":\"~1\",\"type\":\"text\",\"depth\":1,\"label\":\"One\"}");
	CHECK_JSON(sj_value_item(&outline, 4), "{\"id\":\"list\",\"type\":\"row\",\"depth\":2,\"rows\":\"2\"}");
	CHECK_JSON(sj_value_item(&outline, 8), "{\"id\":\"box\",\"type\":\"box\",\"depth\":0,\"screen\":\"more\"}");
	sj_value_unref(mem, outline);
	sj_proto_ids_release(mem, &ids);
	sj_value_unref(mem, spec);
	sj_buf_finish(&out);
}

SJ_TEST(labels_cannot_break_a_line)
{
	struct sj_mem *mem = sj_test_mem();
	struct sj_value spec;
	struct sj_proto_ids ids;
	struct sj_buf out;
	sj_buf_init(&out, mem, 0);
	CHECK_OK(draft_parse(mem, SPEC_HEAD
	                     "\"root\":{\"type\":\"column\",\"id\":\"a b\",\"children\":["
	                     "{\"type\":\"text\",\"id\":\"x\\ny\",\"text\":\"first\\nsecond \\\"q\\\"\"},"
	                     "{\"type\":\"button\",\"contentDescription\":\"Said\",\"label\":\"Drawn\"},"
	                     "{\"type\":\"text\",\"text\":\"0123456789012345678901234567890123456789012345678901234567é89\"},"
	                     "{\"type\":\"text\",\"text\":\"012345678901234567890123456789012345678901234567890123456789\"},"
	                     "{\"type\":\"column\",\"repeat\":{\"from\":\"/data/rows\",\"as\":\"r\"},\"children\":[]}]}}",
	                     &spec));
	CHECK_OK(sj_proto_ids_make(mem, &spec, 0, &ids));
	CHECK_OK(sj_proto_outline_text(mem, &spec, &ids, &out));
	CHECK_STR(sj_buf_view(&out), "\"a b\" column\n"
	                             "  \"x\\ny\" text \"first\\nsecond \\\"q\\\"\"\n"
	                             "  ~1 button \"Said\"\n"
	                             "  ~2 text \"0123456789012345678901234567890123456789012345678901234567é…\"\n"
	                             "  ~3 text \"012345678901234567890123456789012345678901234567890123456789\"\n"
	                             "  ~4 column rows /data/rows\n");
	sj_proto_ids_release(mem, &ids);
	sj_value_unref(mem, spec);
	sj_buf_finish(&out);
}

static enum sj_status all_of_it(struct sj_mem *mem, void *ctx)
{
	(void)ctx;
	struct sj_value spec, outline;
	struct sj_proto_ids ids;
	struct sj_buf out;
	enum sj_status st = draft_parse(mem, tree, &spec);
	if (st != SJ_OK)
		return st;
	sj_buf_init(&out, mem, 0);
	st = sj_proto_ids_make(mem, &spec, 0, &ids);
	if (st == SJ_OK) {
		st = sj_proto_outline_text(mem, &spec, &ids, &out);
		if (st == SJ_OK)
			CHECK_STR(sj_buf_view(&out), lines);
		if (st == SJ_OK && (st = sj_proto_outline(mem, &spec, &ids, &outline)) == SJ_OK)
			sj_value_unref(mem, outline);
		sj_proto_ids_release(mem, &ids);
	}
	sj_buf_finish(&out);
	sj_value_unref(mem, spec);
	return st;
}

SJ_TEST(memory_runs_out) { sj_torture(all_of_it, NULL); }
