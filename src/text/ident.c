#include "text/ident.h"

#include "base/utf.h"
#include "text/unicode_tables.h"

bool sj_xid_start(uint32_t code_point)
{
	return SJ_UNI_XID_START(sj_unicode_word(code_point));
}

bool sj_xid_continue(uint32_t code_point)
{
	return SJ_UNI_XID_CONTINUE(sj_unicode_word(code_point));
}

bool sj_ident_check(struct sj_slice s)
{
	if (s.len == 0)
		return false;
	for (size_t at = 0; at < s.len;) {
		bool first = at == 0;
		/* An ill-formed byte reads as U+FFFD, which is no part of an identifier. */
		uint32_t c = sj_utf8_next(s, &at);
		if (first ? !(c == '_' || sj_xid_start(c)) : !sj_xid_continue(c))
			return false;
	}
	return true;
}
