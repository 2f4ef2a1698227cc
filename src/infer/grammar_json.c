#include "infer/grammar_node.h"
enum sj_status sj_g_print_schema(struct sj_grammar *g, struct sj_buf *out)
{
	(void)g; (void)out;
	return SJ_INVALID;
}
