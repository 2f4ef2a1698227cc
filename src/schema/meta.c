/* The metaschemas of draft 2020-12, so that a schema may refer to them although nothing is fetched. */
#include "schema/program.h"

#define BASE "https://json-schema.org/draft/2020-12/"
#define HEAD(name, title) \
	"{\"$schema\":\"" BASE "schema\",\"$id\":\"" BASE name "\",\"$dynamicAnchor\":\"meta\",\"title\":\"" title "\","
#define SUB "{\"$dynamicRef\":\"#meta\"}"
#define SUBS "\"type\":\"object\",\"additionalProperties\":" SUB ",\"default\":{}"
#define BOTH "\"type\":[\"object\",\"boolean\"],"

static const char schema[] =
	HEAD("schema", "Core and Validation specifications meta-schema")
	"\"$vocabulary\":{"
	"\"" BASE "vocab/core\":true,\"" BASE "vocab/applicator\":true,\"" BASE "vocab/unevaluated\":true,"
	"\"" BASE "vocab/validation\":true,\"" BASE "vocab/meta-data\":true,"
	"\"" BASE "vocab/format-annotation\":true,\"" BASE "vocab/content\":true},"
	"\"allOf\":[{\"$ref\":\"meta/core\"},{\"$ref\":\"meta/applicator\"},{\"$ref\":\"meta/unevaluated\"},"
	"{\"$ref\":\"meta/validation\"},{\"$ref\":\"meta/meta-data\"},{\"$ref\":\"meta/format-annotation\"},"
	"{\"$ref\":\"meta/content\"}],"
	BOTH
	"\"properties\":{"
	"\"definitions\":{\"type\":\"object\",\"additionalProperties\":" SUB ",\"deprecated\":true,\"default\":{}},"
	"\"dependencies\":{\"type\":\"object\",\"additionalProperties\":{\"anyOf\":[" SUB
	",{\"$ref\":\"meta/validation#/$defs/stringArray\"}]},\"deprecated\":true,\"default\":{}},"
	"\"$recursiveAnchor\":{\"$ref\":\"meta/core#/$defs/anchorString\",\"deprecated\":true},"
	"\"$recursiveRef\":{\"$ref\":\"meta/core#/$defs/uriReferenceString\",\"deprecated\":true}}}";

static const char core[] =
	HEAD("meta/core", "Core vocabulary meta-schema") BOTH
	"\"properties\":{"
	"\"$id\":{\"$ref\":\"#/$defs/uriReferenceString\",\"pattern\":\"^[^#]*#?$\"},"
	"\"$schema\":{\"$ref\":\"#/$defs/uriString\"},"
	"\"$ref\":{\"$ref\":\"#/$defs/uriReferenceString\"},"
	"\"$anchor\":{\"$ref\":\"#/$defs/anchorString\"},"
	"\"$dynamicRef\":{\"$ref\":\"#/$defs/uriReferenceString\"},"
	"\"$dynamicAnchor\":{\"$ref\":\"#/$defs/anchorString\"},"
	"\"$vocabulary\":{\"type\":\"object\",\"propertyNames\":{\"$ref\":\"#/$defs/uriString\"},"
	"\"additionalProperties\":{\"type\":\"boolean\"}},"
	"\"$comment\":{\"type\":\"string\"},"
	"\"$defs\":{\"type\":\"object\",\"additionalProperties\":" SUB "}},"
	"\"$defs\":{"
	"\"anchorString\":{\"type\":\"string\",\"pattern\":\"^[A-Za-z_][-A-Za-z0-9._]*$\"},"
	"\"uriString\":{\"type\":\"string\",\"format\":\"uri\"},"
	"\"uriReferenceString\":{\"type\":\"string\",\"format\":\"uri-reference\"}}}";

static const char applicator[] =
	HEAD("meta/applicator", "Applicator vocabulary meta-schema") BOTH
	"\"properties\":{"
	"\"prefixItems\":{\"$ref\":\"#/$defs/schemaArray\"},"
	"\"items\":" SUB ",\"contains\":" SUB ",\"additionalProperties\":" SUB ","
	"\"properties\":{" SUBS "},"
	"\"patternProperties\":{" SUBS ",\"propertyNames\":{\"format\":\"regex\"}},"
	"\"dependentSchemas\":{" SUBS "},"
	"\"propertyNames\":" SUB ",\"if\":" SUB ",\"then\":" SUB ",\"else\":" SUB ","
	"\"allOf\":{\"$ref\":\"#/$defs/schemaArray\"},\"anyOf\":{\"$ref\":\"#/$defs/schemaArray\"},"
	"\"oneOf\":{\"$ref\":\"#/$defs/schemaArray\"},\"not\":" SUB "},"
	"\"$defs\":{\"schemaArray\":{\"type\":\"array\",\"minItems\":1,\"items\":" SUB "}}}";

static const char unevaluated[] =
	HEAD("meta/unevaluated", "Unevaluated applicator vocabulary meta-schema") BOTH
	"\"properties\":{\"unevaluatedItems\":" SUB ",\"unevaluatedProperties\":" SUB "}}";

static const char validation[] =
	HEAD("meta/validation", "Validation vocabulary meta-schema") BOTH
	"\"properties\":{"
	"\"type\":{\"anyOf\":[{\"$ref\":\"#/$defs/simpleTypes\"},{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/simpleTypes\"},"
	"\"minItems\":1,\"uniqueItems\":true}]},"
	"\"const\":true,\"enum\":{\"type\":\"array\",\"items\":true},"
	"\"multipleOf\":{\"type\":\"number\",\"exclusiveMinimum\":0},"
	"\"maximum\":{\"type\":\"number\"},\"exclusiveMaximum\":{\"type\":\"number\"},"
	"\"minimum\":{\"type\":\"number\"},\"exclusiveMinimum\":{\"type\":\"number\"},"
	"\"maxLength\":{\"$ref\":\"#/$defs/nonNegativeInteger\"},"
	"\"minLength\":{\"$ref\":\"#/$defs/nonNegativeIntegerDefault0\"},"
	"\"pattern\":{\"type\":\"string\",\"format\":\"regex\"},"
	"\"maxItems\":{\"$ref\":\"#/$defs/nonNegativeInteger\"},"
	"\"minItems\":{\"$ref\":\"#/$defs/nonNegativeIntegerDefault0\"},"
	"\"uniqueItems\":{\"type\":\"boolean\",\"default\":false},"
	"\"maxContains\":{\"$ref\":\"#/$defs/nonNegativeInteger\"},"
	"\"minContains\":{\"$ref\":\"#/$defs/nonNegativeInteger\",\"default\":1},"
	"\"maxProperties\":{\"$ref\":\"#/$defs/nonNegativeInteger\"},"
	"\"minProperties\":{\"$ref\":\"#/$defs/nonNegativeIntegerDefault0\"},"
	"\"required\":{\"$ref\":\"#/$defs/stringArray\"},"
	"\"dependentRequired\":{\"type\":\"object\",\"additionalProperties\":{\"$ref\":\"#/$defs/stringArray\"}}},"
	"\"$defs\":{"
	"\"nonNegativeInteger\":{\"type\":\"integer\",\"minimum\":0},"
	"\"nonNegativeIntegerDefault0\":{\"$ref\":\"#/$defs/nonNegativeInteger\",\"default\":0},"
	"\"simpleTypes\":{\"enum\":[\"array\",\"boolean\",\"integer\",\"null\",\"number\",\"object\",\"string\"]},"
	"\"stringArray\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"uniqueItems\":true,\"default\":[]}}}";

static const char meta_data[] =
	HEAD("meta/meta-data", "Meta-data vocabulary meta-schema") BOTH
	"\"properties\":{\"title\":{\"type\":\"string\"},\"description\":{\"type\":\"string\"},\"default\":true,"
	"\"deprecated\":{\"type\":\"boolean\",\"default\":false},\"readOnly\":{\"type\":\"boolean\",\"default\":false},"
	"\"writeOnly\":{\"type\":\"boolean\",\"default\":false},\"examples\":{\"type\":\"array\",\"items\":true}}}";

static const char format_annotation[] =
	HEAD("meta/format-annotation", "Format vocabulary meta-schema for annotation results") BOTH
	"\"properties\":{\"format\":{\"type\":\"string\"}}}";

static const char format_assertion[] =
	HEAD("meta/format-assertion", "Format vocabulary meta-schema for assertion results") BOTH
	"\"properties\":{\"format\":{\"type\":\"string\"}}}";

static const char content[] =
	HEAD("meta/content", "Content vocabulary meta-schema") BOTH
	"\"properties\":{\"contentEncoding\":{\"type\":\"string\"},\"contentMediaType\":{\"type\":\"string\"},"
	"\"contentSchema\":" SUB "}}";

static const struct {
	const char *name, *text;
} metaschemas[] = {
	{"schema", schema},
	{"meta/core", core},
	{"meta/applicator", applicator},
	{"meta/unevaluated", unevaluated},
	{"meta/validation", validation},
	{"meta/meta-data", meta_data},
	{"meta/format-annotation", format_annotation},
	{"meta/format-assertion", format_assertion},
	{"meta/content", content},
};

struct sj_slice sj_schema_builtin(struct sj_slice uri)
{
	if (!sj_slice_starts(uri, BASE))
		return SJ_NO_SLICE;
	struct sj_slice name = sj_slice(uri.ptr + sizeof BASE - 1, uri.len - (sizeof BASE - 1));
	for (size_t i = 0; i < sizeof metaschemas / sizeof *metaschemas; i++)
		if (sj_slice_is(name, metaschemas[i].name))
			return sj_slice_of(metaschemas[i].text);
	return SJ_NO_SLICE;
}
