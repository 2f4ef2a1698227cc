/* Messages: every fault of an envelope with its category, place and words;
 * that a refused message leaves nothing behind and is answered once, in the shape of its version; that none of this
 * depends on how the bytes are cut; and what is accepted. */
#include <stdio.h>

#include "engine/talk.h"

static struct talk t;

/* ---- a rich engine ----------------------------------------------------------------------------------------------- */

#define UNVERSIONED "https://example.com/unversioned"

static void open_rich(void)
{
	struct sj_diag d = {0};
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	CHECK_OK(sj_engine_add_catalog(t.e,
	                               sj_slice_of(talk_quote(&t, "{'catalogId':'" UNVERSIONED
	                                                          "','components':{'Thing':{'type':'object'}}}")),
	                               SJ_NO_SLICE, SJ_VERSION_NONE, &d));
	CHECK_OK(talk_create(&t, "v0.9", "s1"));
	CHECK_OK(talk_components(
		&t, "v0.9", "s1",
		"{'id':'root','component':'Column','children':['title','list','form','go']},"
		"{'id':'title','component':'Text','text':{'call':'formatString','args':{'value':'Hi ${/user/name}'},"
		"'returnType':'string'}},"
		"{'id':'list','component':'List','children':{'componentId':'row','path':'/rows'}},"
		"{'id':'row','component':'Row','children':['name','pick']},"
		"{'id':'name','component':'Text','text':{'path':'name'}},"
		"{'id':'pick','component':'CheckBox','label':'L','value':{'path':'on'}},"
		"{'id':'form','component':'TextField','label':'Name','value':{'path':'/user/name'},'checks':["
		"{'condition':{'call':'required','args':{'value':{'path':'/user/name'}}},'message':'Name!'}]},"
		"{'id':'go','component':'Button','child':'title','action':{'event':{'name':'go','context':"
		"{'who':{'path':'/user/name'}}}}}"));
	CHECK_OK(talk_data(&t, "v0.9", "s1", "/",
	                   "{'user':{'name':'Ann'},'rows':[{'name':'a','on':true},{'name':'b'}],'n':1,'list':[1,2]}"));
	CHECK_OK(talk_say(&t, "{'version':'v1.0','createSurface':{'surfaceId':'s2','catalogId':'" BASIC10
	                      "','dataModel':{'a':{'b':[1,2,3]},'t':'x'},'components':["
	                      "{'id':'root','component':'Tabs','tabs':[{'title':'One','child':'p1'},{'title':"
	                      "{'@path':'/t'},'child':'p2'}]},{'id':'p1','component':'Card','child':'t1'},"
	                      "{'id':'t1','component':'Text','text':'Hello'},"
	                      "{'id':'p2','component':'List','children':{'componentId':'t2','path':'/a/b'}},"
	                      "{'id':'t2','component':'Text','text':{'@call':'@index','args':{'offset':1}}}]}}"));
	CHECK_OK(talk_say(&t, "{'version':'v1.0','createSurface':{'surfaceId':'bare'}}"));
	CHECK_INT(talk_faults(&t), 0);
	talk_forget(&t);
}

SJ_TEST(the_rich_engine_shows_what_it_was_told)
{
	open_rich();
	CHECK_STR(sj_slice_of(talk_tree(&t, "s1")),
	          talk_quote(&t,
	                     "{'children':[{'id':'title','text':'Hi Ann','type':'Text'},{'children':["
	                     "{'children':[{'id':'name','text':'a','type':'Text'},"
	                     "{'id':'pick','label':'L','type':'CheckBox','value':true}],'id':'row','type':'Row'},"
	                     "{'children':[{'id':'name','text':'b','type':'Text'},"
	                     "{'id':'pick','label':'L','type':'CheckBox'}],'id':'row','type':'Row'}],'id':'list',"
	                     "'type':'List'},{'checks':[{'condition':{'args':{'value':{'path':'/user/name'}},"
	                     "'call':'required'},'message':'Name!'}],'id':'form','isValid':true,'label':'Name',"
	                     "'type':'TextField','validationErrors':[],'value':'Ann'},{'action':'<Action>','child':"
	                     "{'id':'title','text':'Hi Ann','type':'Text'},'id':'go','type':'Button'}],'id':'root',"
	                     "'type':'Column'}"));
	CHECK_STR(sj_slice_of(talk_tree(&t, "s2")),
	          talk_quote(&t, "{'id':'root','tabs':[{'child':{'child':{'id':'t1','text':'Hello','type':'Text'},"
	                         "'id':'p1','type':'Card'},'title':'One'},{'child':{'children':["
	                         "{'id':'t2','text':1,'type':'Text'},{'id':'t2','text':2,'type':'Text'},"
	                         "{'id':'t2','text':3,'type':'Text'}],'id':'p2','type':'List'},'title':'x'}],'type':'Tabs'}"));
	talk_close(&t);
}

/* ---- refusals ---------------------------------------------------------------------------------------------------- */

static const struct bad {
	const char *name, *json;
	enum sj_category category;
	enum sj_code code;
	const char *detail, *pointer, *says; /* `says` is part of the message */
	const char *version, *surface;       /* of the answer; NULL: nobody can be answered */
	const char *call;                    /* the answer names this call instead of a surface */
} bad[] = {
#define VAL SJ_CAT_VALIDATION, SJ_E_VALIDATION_FAILED
#define INT SJ_CAT_INTEGRITY, SJ_E_VALIDATION_FAILED
#define REC SJ_CAT_RECURSION, SJ_E_VALIDATION_FAILED
#define CAT SJ_CAT_CATALOG, SJ_E_CATALOG_ERROR
#define DAT SJ_CAT_DATA, SJ_E_DATA_ERROR
#define UC "'updateComponents':{'surfaceId':"
#define UD "'updateDataModel':{'surfaceId':"
#define CS "'createSurface':{'surfaceId':"
#define V09 "{'version':'v0.9',"
#define V10 "{'version':'v1.0',"
	/* envelope */
	{"not an object", "['x']", VAL, "type_mismatch", "", "a message must be an object", NULL, NULL, NULL},
	{"empty object", "{}", VAL, "missing_field", "/version", "Missing required version field", NULL, NULL, NULL},
	{"no version", "{'updateDataModel':{'surfaceId':'s1'}}", VAL, "missing_field", "/version",
         "Missing required version field", NULL, NULL, NULL},
	{"a component instead of a message", "{'id':'x','component':'Text','text':'y'}", VAL, "missing_field",
         "/version", "Missing required version field", NULL, NULL, NULL},
	{"version is a number", "{'version':1.0,'deleteSurface':{'surfaceId':'s1'}}", VAL, "type_mismatch", "/version",
         "version must be a string", NULL, NULL, NULL},
	{"unknown version", "{'version':'v99.0','deleteSurface':{'surfaceId':'s1'}}", VAL, "invalid_value", "/version",
         "Unsupported protocol version 'v99.0'", NULL, NULL, NULL},
	{"bare version", "{'version':'1.0','deleteSurface':{'surfaceId':'s1'}}", VAL, "invalid_value", "/version",
         "Unsupported protocol version '1.0'", NULL, NULL, NULL},
	{"two actions", V09 "'deleteSurface':{'surfaceId':'s1'}," UC "'s1','components':[]}}", VAL, "invalid_value", "",
         "Message contains multiple conflicting update actions", "v0.9", "s1", NULL},
	{"an action twice over in two versions", V09 "'beginRendering':{'surfaceId':'s1','root':'r'}," CS "'s1'}}", VAL,
         "invalid_value", "", "Message contains multiple conflicting update actions", "v0.9", "s1", NULL},
	{"no action", "{'version':'v0.9'}", VAL, "missing_field", "", "no action", NULL, NULL, NULL},
	{"unknown action", V10 "'callFunction':{'surfaceId':'s1'}}", VAL, "missing_field", "/callFunction",
         "'callFunction'", NULL, NULL, NULL},
	{"an action of the client", V09 "'action':{'name':'x','surfaceId':'s1'}}", VAL, "missing_field", "/action",
         "'action'", NULL, NULL, NULL},
	{"action of v0.8 in v1.0", V10 "'beginRendering':{'surfaceId':'s2','root':'r'}}", VAL, "invalid_value",
         "/beginRendering", "action 'beginRendering' is not supported in protocol version v1.0", "v1.0", "s2", NULL},
	{"action of v0.8 in v0.9", V09 "'dataModelUpdate':{'surfaceId':'s1','contents':[]}}", VAL, "invalid_value",
         "/dataModelUpdate", "action 'dataModelUpdate' is not supported in protocol version v0.9", "v0.9", "s1", NULL},
	{"action of v1.0 in v0.9.1",
         "{'version':'v0.9.1','callRendererFunction':{'functionCallId':'c','callFunction':{'call':'f'}}}", VAL,
         "invalid_value", "/callRendererFunction",
         "action 'callRendererFunction' is not supported in protocol version v0.9.1", NULL, NULL, NULL},
	{"response of v1.0 in v0.9", V09 "'agentFunctionResponse':{'functionCallId':'c','value':1}}", VAL,
         "invalid_value", "/agentFunctionResponse", "is not supported in protocol version v0.9", NULL, NULL, NULL},
	{"vendor data beside the action", V09 "'deleteSurface':{'surfaceId':'s1'},'vendor':1}", VAL, "invalid_value",
         "/vendor", "Additional properties are not allowed ('vendor' was unexpected)", "v0.9", "s1", NULL},
	{"body is no object", V09 "'updateComponents':[]}", VAL, "type_mismatch", "/updateComponents",
         "updateComponents must be an object", NULL, NULL, NULL},
	/* createSurface */
	{"create without surfaceId", V09 "'createSurface':{'catalogId':'" BASIC09 "'}}", VAL, "missing_field",
         "/createSurface/surfaceId", "'surfaceId' is a required property", NULL, NULL, NULL},
	{"create with a number for surfaceId", V10 CS "7}}", VAL, "type_mismatch", "/createSurface/surfaceId",
         "surfaceId must be a string", NULL, NULL, NULL},
	{"create v0.9 without catalogId", V09 CS "'n'}}", VAL, "missing_field", "/createSurface/catalogId",
         "'catalogId' is a required property", "v0.9", "n", NULL},
	{"create with a number for catalogId", V10 CS "'n','catalogId':1}}", VAL, "type_mismatch",
         "/createSurface/catalogId", "catalogId must be a string", "v1.0", "n", NULL},
	{"create with an unknown catalog", V09 CS "'n','catalogId':'nope'}}", CAT, "", "/createSurface/catalogId",
         "Catalog not found: nope", "v0.9", "n", NULL},
	{"create with an empty catalogId", V10 CS "'n','catalogId':''}}", CAT, "", "/createSurface/catalogId",
         "Catalog not found: ", "v1.0", "n", NULL},
	{"create what is there", V09 CS "'s1','catalogId':'" BASIC09 "'}}", INT, "invalid_value",
         "/createSurface/surfaceId", "Surface s1 already exists", "v0.9", "s1", NULL},
	{"create with a catalog of v1.0 in v0.9", V09 CS "'n','catalogId':'" BASIC10 "'}}", VAL, "invalid_value",
         "/createSurface/catalogId", "does not match message protocol version (v0.9)", "v0.9", "n", NULL},
	{"create with a catalog of v0.9 in v1.0", V10 CS "'n','catalogId':'" BASIC09 "'}}", VAL, "invalid_value",
         "/createSurface/catalogId", "does not match message protocol version (v1.0)", "v1.0", "n", NULL},
	{"create v1.0 with an unversioned catalog", V10 CS "'n','catalogId':'" UNVERSIONED "'}}", VAL, "invalid_value",
         "/createSurface/catalogId", "does not match message protocol version (v1.0)", "v1.0", "n", NULL},
	{"sendDataModel is text", V09 CS "'n','catalogId':'" BASIC09 "','sendDataModel':'yes'}}", VAL, "type_mismatch",
         "/createSurface/sendDataModel", "sendDataModel must be a boolean", "v0.9", "n", NULL},
	{"theme in v1.0", V10 CS "'n','theme':{}}}", VAL, "invalid_value", "/createSurface/theme",
         "Additional properties are not allowed ('theme' was unexpected in createSurface)", "v1.0", "n", NULL},
	{"theme is no object", V09 CS "'n','catalogId':'" BASIC09 "','theme':1}}", VAL, "type_mismatch",
         "/createSurface/theme", "theme must be an object", "v0.9", "n", NULL},
	{"theme against the catalog", V09 CS "'n','catalogId':'" BASIC09 "','theme':{'primaryColor':'red'}}}", VAL,
         "invalid_value", "/createSurface/theme/primaryColor", "Validation failed for theme on surface 'n'", "v0.9",
         "n", NULL},
	{"dataModel in v0.9", V09 CS "'n','catalogId':'" BASIC09 "','dataModel':{}}}", VAL, "invalid_value",
         "/createSurface/dataModel", "('dataModel' was unexpected in createSurface)", "v0.9", "n", NULL},
	{"dataModel is a list", V10 CS "'n','dataModel':[]}}", VAL, "type_mismatch", "/createSurface/dataModel",
         "dataModel must be an object", "v1.0", "n", NULL},
	{"components is an object", V10 CS "'n','catalogId':'" BASIC10 "','components':{}}}", VAL, "type_mismatch",
         "/createSurface/components", "components must be an array", "v1.0", "n", NULL},
	{"components is empty", V10 CS "'n','catalogId':'" BASIC10 "','components':[]}}", VAL, "invalid_value",
         "/createSurface/components", "at least one component", "v1.0", "n", NULL},
	{"a component of createSurface is bad",
         V10 CS "'n','catalogId':'" BASIC10 "','dataModel':{'x':1},'components':[{'id':'root','component':'Text'}]}}",
         VAL, "missing_field", "/createSurface/components/0/text", "Validation failed for component 'Text'", "v1.0",
         "n", NULL},
	{"metadata is text", V10 CS "'n','metadata':'x'}}", VAL, "type_mismatch", "/createSurface/metadata",
         "metadata must be an object", "v1.0", "n", NULL},
	{"metadata with vendor data", V10 CS "'n','metadata':{'x':1}}}", VAL, "invalid_value",
         "/createSurface/metadata/x", "('x' was unexpected in metadata)", "v1.0", "n", NULL},
	{"extensions is a list", V10 CS "'n','metadata':{'extensions':[]}}}", VAL, "type_mismatch",
         "/createSurface/metadata/extensions", "extensions must be an object", "v1.0", "n", NULL},
	{"extension key is no identifier", V10 CS "'n','metadata':{'extensions':{'a-b':1}}}}", VAL, "invalid_value",
         "/createSurface/metadata/extensions/a-b", "Extension key 'a-b' must be a valid UAX #31 identifier", "v1.0",
         "n", NULL},
	/* updateComponents */
	{"update without surfaceId", V09 "'updateComponents':{'components':[]}}", VAL, "missing_field",
         "/updateComponents/surfaceId", "'surfaceId' is a required property", NULL, NULL, NULL},
	{"update with null for surfaceId", V09 UC "null,'components':[]}}", VAL, "type_mismatch",
         "/updateComponents/surfaceId", "surfaceId must be a string", NULL, NULL, NULL},
	{"update without components", V09 UC "'s1'}}", VAL, "missing_field", "/updateComponents/components",
         "'components' is a required property", "v0.9", "s1", NULL},
	{"components is text", V09 UC "'s1','components':'x'}}", VAL, "type_mismatch", "/updateComponents/components",
         "components must be an array", "v0.9", "s1", NULL},
	{"no component", V10 UC "'s2','components':[]}}", VAL, "invalid_value", "/updateComponents/components",
         "at least one component", "v1.0", "s2", NULL},
	{"vendor data in the body", V09 UC "'s1','components':[],'x-y':1}}", VAL, "invalid_value",
         "/updateComponents/x-y", "('x-y' was unexpected in updateComponents)", "v0.9", "s1", NULL},
	{"update of an unknown surface", V09 UC "'zz','components':[{'id':'a'}]}}", INT, "invalid_value",
         "/updateComponents/surfaceId", "Surface not found for message: zz", "v0.9", "zz", NULL},
	{"component is a number", V09 UC "'s1','components':[5]}}", VAL, "type_mismatch",
         "/updateComponents/components/0", "a component must be an object", "v0.9", "s1", NULL},
	{"component without id", V09 UC "'s1','components':[{'component':'Text','text':'x'}]}}", VAL, "missing_field",
         "/updateComponents/components/0/id", "missing an 'id'", "v0.9", "s1", NULL},
	{"id is a number", V09 UC "'s1','components':[{'id':1,'component':'Text','text':'x'}]}}", VAL, "type_mismatch",
         "/updateComponents/components/0/id", "missing an 'id'", "v0.9", "s1", NULL},
	{"first definition without a type", V09 UC "'s1','components':[{'id':'comp1','text':'x'}]}}", VAL,
         "missing_field", "/updateComponents/components/0/component", "Cannot create component comp1 without a type",
         "v0.9", "s1", NULL},
	{"v1.0 asks for the type each time", V10 UC "'s2','components':[{'id':'t1','text':'x'}]}}", VAL,
         "missing_field", "/updateComponents/components/0/component", "'component' is a required property", "v1.0",
         "s2", NULL},
	{"type is a list", V09 UC "'s1','components':[{'id':'a','component':['Text']}]}}", VAL, "type_mismatch",
         "/updateComponents/components/0/component", "component of 'a' must be a string", "v0.9", "s1", NULL},
	{"unknown type", V09 UC "'s1','components':[{'id':'a','component':'Badge'}]}}", VAL, "invalid_value",
         "/updateComponents/components/0/component", "'Badge'", "v0.9", "s1", NULL},
	{"the reserved type", V10 UC "'s2','components':[{'id':'a','component':'Surface','child':'root'}]}}", VAL,
         "invalid_value", "/updateComponents/components/0/component", "Surface", "v1.0", "s2", NULL},
	{"a property is missing", V09 UC "'s1','components':[{'id':'a','component':'Image'}]}}", VAL, "missing_field",
         "/updateComponents/components/0/url", "'url' is a required property", "v0.9", "s1", NULL},
	{"a property of the wrong type", V09 UC "'s1','components':[{'id':'a','component':'Text','text':[1]}]}}", VAL,
         "invalid_value", "/updateComponents/components/0/text",
         "Validation failed for component 'Text' at /text: [1] is not of type", "v0.9", "s1", NULL},
	{"a property too many", V09 UC "'s1','components':[{'id':'a','component':'Text','text':'x','style':{}}]}}", VAL,
         "invalid_value", "/updateComponents/components/0", "'style' was unexpected", "v0.9", "s1", NULL},
	{"a word that is none of the enum",
         V09 UC "'s1','components':[{'id':'a','component':'Text','text':'x','variant':'line'}]}}", VAL, "invalid_value",
         "/updateComponents/components/0/variant", "'line' is not one of ['h1'", "v0.9", "s1", NULL},
	{"the second of two is bad",
         V09 UC "'s1','components':[{'id':'title','component':'Text','text':'changed'},"
                "{'id':'b','component':'Button','child':'title','action':{'call':'openUrl'}}]}}",
         VAL, "invalid_value", "/updateComponents/components/1/action", "Validation failed for component 'Button'",
         "v0.9", "s1", NULL},
	{"an id twice",
         V10 UC
         "'s2','components':[{'id':'t1','component':'Text','text':'a'},{'id':'t1','component':'Text','text':'b'}]}}",
         INT, "invalid_value", "/updateComponents/components/1", "Duplicate component id 't1'", "v1.0", "s2", NULL},
	{"id is no identifier", V10 UC "'s2','components':[{'id':'123invalid_id','component':'Text','text':'x'}]}}",
         VAL, "invalid_value", "/updateComponents/components/0/id", "Component id '123invalid_id' must be a valid",
         "v1.0", "s2", NULL},
	{"unknown function",
         V10 UC "'s2','components':[{'id':'t1','component':'Text','text':{'@call':'x','args':{}}}]}}", VAL,
         "invalid_value", "/updateComponents/components/0/text/@call", "Unrecognized function 'x'", "v1.0", "s2", NULL},
	{"unknown system function",
         V10 UC "'s2','components':[{'id':'t1','component':'Text','text':{'@call':'@now','args':{}}}]}}", VAL,
         "invalid_value", NULL, "@now", "v1.0", "s2", NULL},
	{"argument of the wrong type",
         V10 UC
         "'s2','components':[{'id':'t1','component':'Text','text':{'@call':'formatNumber','args':{'value':'a'}}}]}}",
         VAL, "invalid_value", "/updateComponents/components/0/text/args/value", "'a' is not of type", "v1.0", "s2",
         NULL},
	{"reserved key", V10 UC "'s2','components':[{'id':'t1','component':'Text','text':{'@foo':1}}]}}", VAL,
         "invalid_value", NULL, "@foo", "v1.0", "s2", NULL},
	{"binding with more than a path",
         V10 UC "'s2','components':[{'id':'t1','component':'Text','text':{'@path':'/t','x':1}}]}}", VAL,
         "invalid_value", NULL, "'x'", "v1.0", "s2", NULL},
	{"@index outside a template",
         V10 UC "'s2','components':[{'id':'root','component':'Text','text':{'@call':'@index'}}]}}", VAL,
         "invalid_value", "/updateComponents/components/0/text/@call",
         "@index function can only be evaluated inside a collection template iteration scope.", "v1.0", "s2", NULL},
	{"@index with a catalog",
         V10 UC "'s2','components':[{'id':'t2','component':'Text','text':{'@call':'@index','catalogId':'" BASIC10
                "'}}]}}",
         VAL, "invalid_value", NULL, "@index", "v1.0", "s2", NULL},
	{"component of an unknown catalog",
         V10 UC "'s2','components':[{'id':'t1','component':'Text','catalogId':'nope','text':'x'}]}}", CAT, "",
         "/updateComponents/components/0", "Catalog not found: nope", "v1.0", "s2", NULL},
	{"component of a catalog of v0.9",
         V10 UC "'s2','components':[{'id':'t1','component':'Text','catalogId':'" BASIC09 "','text':'x'}]}}", CAT, "",
         "/updateComponents/components/0", "Catalog not found: " BASIC09, "v1.0", "s2", NULL},
	{"component's catalogId is a number",
         V10 UC "'s2','components':[{'id':'t1','component':'Text','catalogId':1,'text':'x'}]}}", VAL, "invalid_value",
         "/updateComponents/components/0", "catalogId", "v1.0", "s2", NULL},
	{"no catalog at all", V10 UC "'bare','components':[{'id':'root','component':'Text','text':'x'}]}}", CAT, "",
         "/updateComponents/components/0", "has no default catalogId", "v1.0", "bare", NULL},
	{"calls too deep",
         V10 UC "'s2','components':[{'id':'t1','component':'CheckBox','label':'l','value':"
                "{'@call':'not','args':{'value':{'@call':'not','args':{'value':{'@call':'not','args':{'value':"
                "{'@call':'not','args':{'value':{'@call':'not','args':{'value':{'@call':'not','args':{'value':true}}"
                "}}}}}}}}}}}]}}",
         REC, "invalid_value", NULL, "functionCall depth", "v1.0", "s2", NULL},
	{"a cycle", V09 UC "'s1','components':[{'id':'title','component':'Card','child':'root'}]}}", INT,
         "invalid_value", "/updateComponents/components", "Circular component reference", "v0.9", "s1", NULL},
	{"a template's path is broken",
         V09 UC "'s1','components':[{'id':'list','component':'List','children':{'componentId':'row','path':'/a~2'}}]}}",
         SJ_CAT_VALIDATION, SJ_E_POINTER, "invalid_pointer", "/updateComponents/components/0/children/path",
         "Invalid path '/a~2'", "v0.9", "s1", NULL},
	/* updateDataModel */
	{"data without surfaceId", V09 "'updateDataModel':{'value':1}}", VAL, "missing_field",
         "/updateDataModel/surfaceId", "'surfaceId' is a required property", NULL, NULL, NULL},
	{"data for an unknown surface", V10 UD "'zz','value':1}}", INT, "invalid_value", "/updateDataModel/surfaceId",
         "Surface not found for message: zz", "v1.0", "zz", NULL},
	{"data with more than it may hold", V09 UD "'s1','value':1,'op':'add'}}", VAL, "invalid_value",
         "/updateDataModel/op", "('op' was unexpected in updateDataModel)", "v0.9", "s1", NULL},
	{"path is a list", V09 UD "'s1','path':['a'],'value':1}}", VAL, "type_mismatch", "/updateDataModel/path",
         "path must be a string", "v0.9", "s1", NULL},
	{"v1.0 without value", V10 UD "'s2','path':'/t'}}", VAL, "missing_field", "/updateDataModel/value",
         "'value' is a required property", "v1.0", "s2", NULL},
	{"path with a lone tilde", V09 UD "'s1','path':'/a~b','value':1}}", SJ_CAT_VALIDATION, SJ_E_POINTER,
         "invalid_pointer", "/updateDataModel/path", "Invalid path '/a~b'", "v0.9", "s1", NULL},
	{"path through a number", V09 UD "'s1','path':'/n/x','value':1}}", DAT, "", "/updateDataModel/path",
         "Cannot set path", "v0.9", "s1", NULL},
	{"path through text", V10 UD "'s2','path':'/t/x/y','value':1}}", DAT, "", "/updateDataModel/path",
         "Cannot set path", "v1.0", "s2", NULL},
	{"no number on a list", V09 UD "'s1','path':'/list/x','value':1}}", DAT, "", "/updateDataModel/path",
         "non-numeric segment", "v0.9", "s1", NULL},
	{"no number on a list on the way", V09 UD "'s1','path':'/list/x/y','value':1}}", DAT, "",
         "/updateDataModel/path", "non-numeric segment", "v0.9", "s1", NULL},
	{"a leading zero", V09 UD "'s1','path':'/list/01','value':1}}", DAT, "", "/updateDataModel/path",
         "non-numeric segment", "v0.9", "s1", NULL},
	{"a trap", V10 UD "'s2','path':'/a/__proto__/x','value':1}}", DAT, "", "/updateDataModel/path", "__proto__",
         "v1.0", "s2", NULL},
	{"an index without end", V09 UD "'s1','path':'/list/999999999','value':1}}", SJ_CAT_DATA, SJ_E_LIMIT, "",
         "/updateDataModel/path", "Cannot set path", "v0.9", "s1", NULL},
	/* deleteSurface */
	{"delete without surfaceId", V09 "'deleteSurface':{}}", VAL, "missing_field", "/deleteSurface/surfaceId",
         "'surfaceId' is a required property", NULL, NULL, NULL},
	{"delete with more than it may hold", V10 "'deleteSurface':{'surfaceId':'s2','force':true}}", VAL,
         "invalid_value", "/deleteSurface/force", "('force' was unexpected in deleteSurface)", "v1.0", "s2", NULL},
	/* calls */
	{"call without an id", V10 "'callRendererFunction':{'callFunction':{'call':'f','catalogId':'c'}}}", VAL,
         "missing_field", "/callRendererFunction/functionCallId", "'functionCallId' is a required property", NULL, NULL,
         NULL},
	{"call with a number for its id", V10 "'callRendererFunction':{'functionCallId':4}}", VAL, "type_mismatch",
         "/callRendererFunction/functionCallId", "functionCallId must be a string", NULL, NULL, NULL},
	{"call without callFunction", V10 "'callRendererFunction':{'functionCallId':'c4'}}", VAL, "missing_field",
         "/callRendererFunction/callFunction", "'callFunction' is a required property", "v1.0", NULL, "c4"},
	{"callFunction is text", V10 "'callRendererFunction':{'functionCallId':'c5','callFunction':'f'}}", VAL,
         "type_mismatch", "/callRendererFunction/callFunction", "callFunction must be an object", "v1.0", NULL, "c5"},
	{"call with more than it may hold",
         V10
         "'callRendererFunction':{'functionCallId':'c6','callFunction':{'call':'f','catalogId':'c'},'wantResponse':true}}",
         VAL, "invalid_value", "/callRendererFunction/wantResponse",
         "('wantResponse' was unexpected in callRendererFunction)", "v1.0", NULL, "c6"},
	{"response without an id", V10 "'agentFunctionResponse':{'value':1}}", VAL, "missing_field",
         "/agentFunctionResponse/functionCallId", "'functionCallId' is a required property", NULL, NULL, NULL},
	{"response with neither outcome", V10 "'agentFunctionResponse':{'functionCallId':'x'}}", VAL, "invalid_value",
         "/agentFunctionResponse", "exactly one of 'value' and 'error'", NULL, NULL, NULL},
	{"response with both outcomes",
         V10 "'agentFunctionResponse':{'functionCallId':'x','value':null,'error':{'code':'A','message':'b'}}}", VAL,
         "invalid_value", "/agentFunctionResponse", "exactly one of 'value' and 'error'", NULL, NULL, NULL},
	{"response with half an error", V10 "'agentFunctionResponse':{'functionCallId':'x','error':{'code':'A'}}}", VAL,
         "invalid_value", "/agentFunctionResponse/error", "'code' and 'message'", NULL, NULL, NULL},
	{"response with more than it may hold",
         V10 "'agentFunctionResponse':{'functionCallId':'x','value':1,'surfaceId':'s2'}}", VAL, "invalid_value",
         "/agentFunctionResponse/surfaceId", "('surfaceId' was unexpected in agentFunctionResponse)", "v1.0", "s2",
         NULL},
};
enum { BADS = sizeof bad / sizeof *bad };

static const struct heard *first_error(uint32_t from, uint32_t *errors, uint32_t *sends)
{
	const struct heard *first = NULL;
	*errors = *sends = 0;
	for (uint32_t i = from; i < t.count; i++) {
		const struct heard *h = &t.heard[i];
		*sends += h->kind == SJ_EV_SEND;
		if (h->kind != SJ_EV_DIAG || h->diag.severity != SJ_SEV_ERROR)
			continue;
		++*errors;
		first = first ? first : h;
	}
	return first;
}

static void check_answer(const struct bad *b, const struct heard *fault)
{
	char want[600];
	if (!b->version) {
		CHECK_STR(sj_slice_of(fault->json), "");
		return;
	}
	const char *sent = talk_event(&t, SJ_EV_SEND, talk_heard(&t, SJ_EV_SEND) - 1)->json;
	snprintf(want, sizeof want, "\"%s\"", b->version);
	CHECK_STR(sj_slice_of(talk_at(&t, sent, "/version")), want);
	if (b->call) {
		snprintf(want, sizeof want, "\"%s\"", b->call);
		CHECK_STR(sj_slice_of(talk_at(&t, sent, "/error/functionCallId")), want);
		CHECK_STR(sj_slice_of(talk_at(&t, sent, "/error/code")), "\"INVALID_FUNCTION_CALL\"");
	} else {
		CHECK_STR(sj_slice_of(fault->json), sent);
		snprintf(want, sizeof want, "\"%s\"", b->surface);
		CHECK_STR(sj_slice_of(talk_at(&t, sent, "/error/surfaceId")), want);
		/* On the wire faults of the protocol have the protocol's words. */
		bool placed = b->code != SJ_E_DATA_ERROR && b->code != SJ_E_CATALOG_ERROR;
		snprintf(want, sizeof want, "\"%s\"", placed ? "VALIDATION_FAILED" : sj_code_name(b->code));
		CHECK_STR(sj_slice_of(talk_at(&t, sent, "/error/code")), want);
		const char *rest = fault->diag.pointer[0] ? strchr(fault->diag.pointer + 1, '/') : NULL;
		snprintf(want, sizeof want, "\"%s\"", rest ? rest : "");
		CHECK_STR(sj_slice_of(talk_at(&t, sent, "/error/path")), placed ? want : "absent");
	}
	CHECK(strstr(sent, "\"message\":\"") != NULL);
	CHECK_OUTBOUND(&t, sent);
}

static void refuse(const struct bad *b)
{
	struct sj_diag d;
	const char *before = talk_everything(&t), *text = talk_quote(&t, b->json);
	size_t n = strlen(text);
	uint32_t errors, sends, from = t.count;

	/* whole, as one decoded message: the fault itself */
	CHECK_INT(talk_message(&t, &d, "%s", b->json), b->code == SJ_E_LIMIT ? SJ_LIMIT : SJ_INVALID);
	CHECK_INT(d.category, b->category);
	CHECK_INT(d.code, b->code);
	CHECK_INT(d.severity, SJ_SEV_ERROR);
	CHECK_STR(sj_slice_of(d.detail), b->detail);
	if (b->pointer)
		CHECK_STR(sj_slice_of(d.pointer), b->pointer);
	if (!strstr(d.message, b->says))
		sj_fail_at(__FILE__, __LINE__, "'%s' does not say '%s'", d.message, b->says);
	const struct heard *fault = first_error(from, &errors, &sends);
	CHECK(fault != NULL && errors >= 1);
	CHECK_INT(sends, b->version ? 1 : 0);
	if (!fault)
		return;
	CHECK(memcmp(&fault->diag, &d, sizeof d) == 0);
	CHECK_INT(fault->diag.line, 1);
	check_answer(b, fault);
	CHECK_STR(sj_slice_of(talk_everything(&t)), before);

	/* as bytes cut in two anywhere, and byte by byte */
	before = sj_mem_strndup(&t.kept_mem, sj_slice_of(before));
	for (size_t cut = 0; cut <= n && !sj_failed(); cut++) {
		talk_forget(&t);
		text = talk_quote(&t, b->json);
		if (cut < n) {
			CHECK_OK(sj_engine_feed(t.e, t.peer, text, cut));
			CHECK_OK(sj_engine_feed(t.e, t.peer, text + cut, n - cut));
		} else {
			for (size_t i = 0; i < n; i++)
				CHECK_OK(sj_engine_feed(t.e, t.peer, text + i, 1));
		}
		CHECK_OK(sj_engine_feed(t.e, t.peer, "\n", 1));
		CHECK_OK(talk_take(&t));
		uint32_t again, sent_again;
		fault = first_error(0, &again, &sent_again);
		CHECK_INT(again, errors);
		CHECK_INT(sent_again, sends);
		CHECK(fault && strcmp(fault->diag.message, d.message) == 0 &&
		      strcmp(fault->diag.pointer, d.pointer) == 0);
		if (sj_failed())
			sj_fail_at(__FILE__, __LINE__, "cut at %zu: %s", cut, talk_log(&t));
	}
	CHECK_STR(sj_slice_of(talk_everything(&t)), before);
	sj_mem_free(&t.kept_mem, (void *)(uintptr_t)before, strlen(before) + 1);
}

SJ_TEST(refusals)
{
	open_rich();
	for (size_t i = 0; i < BADS; i++) {
		sj_case("%s", bad[i].name);
		refuse(&bad[i]);
		sj_case_end();
		talk_forget(&t);
	}
	talk_close(&t);
}

SJ_TEST(outbound_schemas_were_there)
{
	if (!talk_can_check_outbound())
		sj_skip("the published schemas are not there; outbound messages were not checked against them");
}

SJ_TEST(hints_tell_what_to_do)
{
	static const struct {
		const char *json, *hint;
	} cases[] = {
		{"{'id':'x','component':'Text','text':'y'}",
	         "This looks like a component: wrap it in updateComponents."},
		{V10 "'beginRendering':{'surfaceId':'s2'}}",
	         "Allowed: createSurface, updateComponents, updateDataModel, deleteSurface, callRendererFunction, "
	         "agentFunctionResponse."},
		{V09 "'callRendererFunction':{}}",
	         "Allowed: createSurface, updateComponents, updateDataModel, deleteSurface."},
		{V09 UD "'zz','value':1}}", "Send createSurface with this surfaceId first."},
		{V09 CS "'s1','catalogId':'" BASIC09 "'}}", "Update it, or send deleteSurface first."},
		{V09 UC "'s1','components':[{'id':'a','component':'Image'}]}}", "Add \"url\"."},
		{V09 UC "'s1','components':[{'id':'a','component':'Text','text':'x','style':1}]}}",
	         "Remove \"style\"."},
	};
	struct sj_diag d;
	open_rich();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CHECK_INT(talk_message(&t, &d, "%s", cases[i].json), SJ_INVALID);
		CHECK_STR(sj_slice_of(d.hint), cases[i].hint);
	}
	talk_close(&t);
}

/* Several faults in one message: each is told to the host, one travels. */
SJ_TEST(several_faults_one_answer)
{
	open_rich();
	CHECK_OK(talk_say(&t, V10 UC "'s2','components':[{'id':'a','component':'Image'},{'id':'b','component':'Nope'},"
	                         "{'id':'9','component':'Text','text':'x'}]}}"));
	CHECK_INT(talk_heard(&t, SJ_EV_DIAG), 3);
	CHECK_STR(sj_slice_of(talk_event(&t, SJ_EV_DIAG, 0)->diag.pointer), "/updateComponents/components/0/url");
	CHECK_STR(sj_slice_of(talk_event(&t, SJ_EV_DIAG, 1)->diag.pointer), "/updateComponents/components/1/component");
	CHECK_STR(sj_slice_of(talk_event(&t, SJ_EV_DIAG, 2)->diag.pointer), "/updateComponents/components/2/id");
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), 1);
	CHECK_STR(sj_slice_of(talk_at(&t, talk_event(&t, SJ_EV_SEND, 0)->json, "/error/path")),
	          "\"/components/0/url\"");
	talk_close(&t);
}

/* Pointers are relative to the message, wherever it stands; lines and offsets count from the start of the stream. */
SJ_TEST(places_in_a_stream)
{
	open_rich();
	const char *head = talk_quote(&t, V09 UD "'s1','path':'/n','value':2}}\n");
	CHECK_OK(sj_engine_feed(t.e, t.peer, head, strlen(head)));
	const char *list = talk_quote(&t, "[\n" V09 UD "'s1','path':'/n','value':3}},\n" V09
	                                  UC "'s1',\n 'components':[{'id':'a','component':'Nope'}]}}\n]\n");
	CHECK_OK(sj_engine_feed(t.e, t.peer, list, strlen(list)));
	CHECK_OK(talk_take(&t));
	const struct heard *h = talk_event(&t, SJ_EV_DIAG, 0);
	CHECK_STR(sj_slice_of(h->diag.pointer), "/updateComponents/components/0/component");
	/* 10 lines went before: open_rich said 4 and a line each; this one is the third of the list. */
	uint32_t before = 5;
	CHECK_INT(h->diag.line, before + 1 + 4);
	CHECK_INT(h->message, 6 + 2);
	CHECK_STR(sj_slice_of(talk_at(&t, talk_model(&t, "s1"), "/n")), "3");
	talk_close(&t);
}

/* ---- what is accepted -------------------------------------------------------------------------------------------- */

#define ONE V09 CS "'x','catalogId':'" BASIC09 "'}}"
#define TWO V09 UC "'x','components':[{'id':'root','component':'Text','text':{'path':'/t'}}]}}"
#define THREE V09 UD "'x','path':'/t','value':'é\\u00e9😀'}}"
static const char WANT_X[] = "{\"dataModel\":{\"t\":\"éé😀\"},\"surfaceId\":\"x\",\"tree\":"
			     "{\"id\":\"root\",\"text\":\"éé😀\",\"type\":\"Text\"}}";

static const struct {
	const char *name, *json;
} shapes[] = {
	{"objects on lines", ONE "\n" TWO "\n" THREE "\n"},
	{"objects back to back", ONE TWO THREE},
	{"an array", "[" ONE "," TWO "," THREE "]"},
	{"arrays and objects", "[" ONE "]\n" TWO "[" THREE "]"},
	{"a wrapper", "{'messages':[" ONE "," TWO "," THREE "]}"},
	{"an example file", "{'name':'n','description':'d','messages':[" ONE "," TWO "," THREE "]}"},
	{"much white space", " \r\n\t" ONE " \n\n\n " TWO "\t" THREE "   "},
	{"nothing between", "null\n[]\n{'messages':[]}\n" ONE "\n[]" TWO " null " THREE},
	{"any mix of versions of one family",
         "[" ONE "," TWO ",{'version':'v0.9.1'," UD "'x','path':'/t','value':'é\\u00e9😀'}}]"},
	{"members in any order",
         "{'createSurface':{'catalogId':'" BASIC09 "','surfaceId':'x'},'version':'v0.9'}" TWO THREE},
};

SJ_TEST(every_shape_at_every_cut)
{
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		sj_case("%s", shapes[i].name);
		CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
		size_t n = strlen(shapes[i].json);
		for (size_t cut = 0; cut <= n + 2 && !sj_failed(); cut++) {
			const char *text = talk_quote(&t, shapes[i].json);
			size_t step = cut <= n ? n : cut == n + 1 ? 1 : 7;
			if (cut <= n)
				CHECK_OK(sj_engine_feed(t.e, t.peer, text, cut));
			for (size_t at = cut <= n ? cut : 0; at < n; at += step)
				CHECK_OK(sj_engine_feed(t.e, t.peer, text + at, step < n - at ? step : n - at));
			CHECK_OK(sj_engine_feed_end(t.e, t.peer));
			CHECK_OK(talk_take(&t));
			CHECK_STR(sj_slice_of(talk_whole(&t, "x")), WANT_X);
			CHECK_INT(talk_heard(&t, SJ_EV_DIAG), 0);
			CHECK_INT(talk_heard(&t, SJ_EV_SURFACE_NEW), 1);
			CHECK_OK(talk_say(&t, V09 "'deleteSurface':{'surfaceId':'x'}}"));
			CHECK_INT(talk_heard(&t, SJ_EV_SURFACE_GONE), 1);
			talk_forget(&t);
		}
		talk_close(&t);
		sj_case_end();
	}
}

SJ_TEST(an_unfinished_message_is_told_at_the_end)
{
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	const char *text = talk_quote(&t, ONE "{'version':'v0.9','updateComp");
	CHECK_OK(sj_engine_feed(t.e, t.peer, text, strlen(text)));
	CHECK_OK(talk_take(&t));
	CHECK_INT(talk_heard(&t, SJ_EV_DIAG), 0);
	CHECK_OK(sj_engine_feed_end(t.e, t.peer));
	CHECK_OK(talk_take(&t));
	CHECK_INT(talk_heard(&t, SJ_EV_DIAG), 1);
	CHECK_INT(talk_event(&t, SJ_EV_DIAG, 0)->diag.code, SJ_E_JSON_INCOMPLETE);
	CHECK_OK(talk_say(&t, TWO)); /* the peer may be fed again */
	CHECK_STR(sj_slice_of(talk_tree(&t, "x")), talk_quote(&t, "{'id':'root','type':'Text'}"));
	talk_close(&t);
}

/* What is no JSON costs one error without an answer, and the next line is read. */
SJ_TEST(bad_lines_between_good_ones)
{
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	CHECK_OK(talk_say(&t, ONE "\n{'version':'v0.9','updateComponents':{,}}\n" TWO "\n{'a':1,'a':2}\n[1,2\n" THREE
	                          "\n\xff\n" V09 UD "'x','path':'/u','value':1}}"));
	CHECK_STR(sj_slice_of(talk_log(&t)), "NEW x\nDIAG JSON_SYNTAX /updateComponents\nDIAG JSON_DUPLICATE_KEY \n"
	                                    "DIAG JSON_SYNTAX \nDIAG JSON_SYNTAX \nCHANGED x\n");
	CHECK_INT(talk_event(&t, SJ_EV_DIAG, 0)->diag.line, 2);
	CHECK_INT(talk_event(&t, SJ_EV_DIAG, 1)->diag.line, 4);
	CHECK_STR(sj_slice_of(talk_model(&t, "x")), "{\"t\":\"éé😀\",\"u\":1}");
	talk_close(&t);
}

SJ_TEST(a_fault_stops_neither_what_went_before_nor_what_comes)
{
	open_rich();
	CHECK_OK(talk_say(&t,
	                  "[" V09 UD "'s1','path':'/n','value':5}}," V09 UC "'s1','components':[{'id':'q'}]}}," V09 UD
	                  "'s1','path':'/m','value':6}}," V10 UD "'s2','path':'/t'}}," V10 UD
	                  "'s2','path':'/u','value':7}}]"));
	CHECK_STR(sj_slice_of(talk_at(&t, talk_model(&t, "s1"), "/n")), "5");
	CHECK_STR(sj_slice_of(talk_at(&t, talk_model(&t, "s1"), "/m")), "6");
	CHECK_STR(sj_slice_of(talk_at(&t, talk_model(&t, "s2"), "/t")), "\"x\"");
	CHECK_STR(sj_slice_of(talk_at(&t, talk_model(&t, "s2"), "/u")), "7");
	CHECK_INT(talk_heard(&t, SJ_EV_DIAG), 2);
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), 2);
	talk_close(&t);
}

/* ---- surfaces ---------------------------------------------------------------------------------------------------- */

SJ_TEST(life_of_a_surface)
{
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	CHECK_OK(talk_say(&t, V09 "'deleteSurface':{'surfaceId':'x'}}")); /* unknown: nothing happens */
	CHECK_STR(sj_slice_of(talk_log(&t)), "");
	CHECK_OK(talk_say(&t, ONE TWO THREE));
	CHECK_OK(talk_say(&t, V09 "'deleteSurface':{'surfaceId':'x'}}"));
	CHECK_STR(sj_slice_of(talk_log(&t)), "NEW x\nCHANGED x\nGONE x\n");
	CHECK(talk_view(&t, "x") == NULL);
	CHECK_INT(sj_engine_view_count(t.e), 0);
	talk_forget(&t);
	CHECK_OK(
		talk_say(&t, V10 CS "'x','catalogId':'" BASIC10 "','sendDataModel':true}}")); /* the id is free again */
	struct sj_view *v = talk_view(&t, "x");
	CHECK(v != NULL);
	CHECK_INT(sj_view_version(v), SJ_V10);
	CHECK(sj_view_sends_data_model(v));
	CHECK_STR(sj_view_catalog_id(v), BASIC10);
	CHECK_STR(sj_slice_of(talk_whole(&t, "x")), talk_quote(&t, "{'dataModel':{},'surfaceId':'x','tree':null}"));
	/* gone and made again between two looks: both are told, in order */
	talk_forget(&t);
	CHECK_OK(talk_say(&t, "[" V10 "'deleteSurface':{'surfaceId':'x'}}," ONE "," TWO "]"));
	CHECK_STR(sj_slice_of(talk_log(&t)), "GONE x\nNEW x\nCHANGED x\n");
	CHECK_INT(sj_view_version(talk_view(&t, "x")), SJ_V09);
	CHECK(!sj_view_sends_data_model(talk_view(&t, "x")));
	talk_close(&t);
}

SJ_TEST(theme_is_kept)
{
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	CHECK_OK(talk_say(&t, V09 CS "'x','catalogId':'" BASIC09
	                         "','theme':{'primaryColor':'#0a0b0c','agentDisplayName':'Ann'}}}"));
	const struct sj_value *theme = sj_view_theme(talk_view(&t, "x"));
	CHECK(theme != NULL);
	if (theme)
		CHECK_STR(sj_value_text(sj_value_get(theme, SJ_LIT("primaryColor"))), "#0a0b0c");
	CHECK_OK(talk_say(&t, V10 CS "'y'}}"));
	CHECK(sj_view_theme(talk_view(&t, "y")) == NULL);
	talk_close(&t);
}

/* v1.0: the model comes before the components, so nothing is evaluated against an empty one; each of its keys is one
 * write. */
SJ_TEST(create_with_data_and_components)
{
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	CHECK_OK(talk_say(&t, V10 CS "'x','catalogId':'" BASIC10
	                         "','components':[{'id':'root','component':'Text','text':"
	                         "{'@call':'formatNumber','args':{'value':{'@path':'/n'},'decimals':1}}}],"
	                         "'dataModel':{'n':2.25,'a/b':{'__proto__':1},'z':null}}}"));
	CHECK_STR(sj_slice_of(talk_log(&t)), "NEW x\nCHANGED x\n");
	CHECK_STR(sj_slice_of(talk_tree(&t, "x")), talk_quote(&t, "{'id':'root','text':'2.3','type':'Text'}"));
	CHECK_STR(sj_slice_of(talk_at(&t, talk_model(&t, "x"), "/a~1b/__proto__")), "1"); /* data, not a path */
	talk_close(&t);
}

/* The message's version says what an absent value means, the surface's what its components may hold. */
SJ_TEST(messages_of_another_version)
{
	open_rich();
	CHECK_OK(talk_say(&t, V09 UD "'s2','path':'/t'}}")); /* v0.9: absent removes */
	CHECK_STR(sj_slice_of(talk_at(&t, talk_model(&t, "s2"), "/t")), "absent");
	CHECK_STR(sj_slice_of(talk_at(&t, talk_model(&t, "s2"), "/a/b/0")), "1");
	CHECK_OK(talk_say(&t, V09 UD "'s2','path':'/t','value':null}}")); /* v0.9: null is a value */
	CHECK_STR(sj_slice_of(talk_at(&t, talk_model(&t, "s2"), "/t")), "null");
	CHECK_OK(talk_say(&t, V10 UD "'s1','path':'/n','value':null}}")); /* v1.0: null removes */
	CHECK_STR(sj_slice_of(talk_at(&t, talk_model(&t, "s1"), "/n")), "absent");
	CHECK_INT(talk_heard(&t, SJ_EV_DIAG), 0);
	talk_close(&t);
}

/* ---- components -------------------------------------------------------------------------------------------------- */

SJ_TEST(partial_updates_of_v09_merge)
{
	open_rich();
	CHECK_OK(talk_components(&t, "v0.9", "s1", "{'id':'form','label':'Surname'}"));
	sj_node_id n = talk_node(&t, "s1", "form");
	CHECK_STR(sj_slice_of(talk_prop(&t, "s1", n, "label")), "\"Surname\"");
	CHECK_STR(sj_slice_of(talk_prop(&t, "s1", n, "value")), "\"Ann\"");
	CHECK_STR(sj_slice_of(talk_valid(&t, "s1")), "{\"form\":{\"valid\":true}}");
	CHECK_OK(talk_components(&t, "v0.9", "s1", "{'id':'list','children':['name']}"));
	CHECK_STR(sj_slice_of(talk_at(&t, talk_tree(&t, "s1"), "/children/1")),
	          talk_quote(&t, "{'children':[{'id':'name','type':'Text'}],'id':'list','type':'List'}"));
	/* the merged definition is judged whole, and its faults are placed at the message */
	const char *before = talk_everything(&t);
	struct sj_diag d;
	CHECK_INT(talk_message(&t, &d, V09 UC "'s1','components':[{'id':'form','label':[]}]}}"), SJ_INVALID);
	CHECK_STR(sj_slice_of(d.pointer), "/updateComponents/components/0/label");
	CHECK_INT(talk_message(&t, &d, V09 UC "'s1','components':[{'id':'name','variant':'body'},"
	                               "{'id':'list','children':{'componentId':'row','path':'a~2'}}]}}"),
	          SJ_INVALID);
	CHECK_STR(sj_slice_of(d.pointer), "/updateComponents/components/1");
	CHECK_STR(sj_slice_of(d.detail), "invalid_pointer");
	CHECK_STR(sj_slice_of(talk_everything(&t)), before);
	talk_close(&t);
}

SJ_TEST(another_type_is_another_node)
{
	open_rich();
	sj_node_id old = talk_node(&t, "s1", "form");
	CHECK_OK(talk_type(&t, "s1", old, "'Bob'", NULL));
	CHECK_OK(talk_components(&t, "v0.9", "s1", "{'id':'form','component':'TextField','label':'Same'}"));
	CHECK(sj_node_alive(talk_surface(&t, "s1"), old)); /* same type: the same control */
	CHECK_OK(talk_components(&t, "v0.9", "s1", "{'id':'form','component':'CheckBox','label':'L','value':true}"));
	sj_node_id now = talk_node(&t, "s1", "form");
	CHECK(!sj_node_alive(talk_surface(&t, "s1"), old));
	CHECK(now != 0 && now != old);
	CHECK_INT(sj_node_kind(talk_surface(&t, "s1"), now), SJ_UI_CHECK_BOX);
	CHECK_STR(sj_slice_of(talk_prop(&t, "s1", now, "value")), "true");
	talk_close(&t);
}

/* v1.0: the same type from another catalog is another component, so its node is new. */
SJ_TEST(another_catalog_is_another_node)
{
	static const struct sj_host_prop text[] = {{.name = "text", .type = "DynamicString"}, {0}};
	static const struct sj_host_component components[] = {
		{.name = "Text", .kind = SJ_UI_TEXT, .props = text}, {0}};
	static const struct sj_host_catalog own = {
		.catalog_id = "https://example.com/own", .version = SJ_V10, .components = components};
	struct sj_diag d = {0};
	open_rich();
	CHECK_OK(sj_engine_add_host_catalog(t.e, &own, &d));
	sj_node_id old = talk_node(&t, "s2", "t1");
	CHECK_OK(talk_components(&t, "v1.0", "s2", "{'id':'t1','component':'Text','text':'same catalog'}"));
	CHECK(sj_node_alive(talk_surface(&t, "s2"), old));
	CHECK_OK(talk_components(&t, "v1.0", "s2",
	                         "{'id':'t1','component':'Text','catalogId':'https://example.com/own'}"));
	CHECK_INT(talk_faults(&t), 0); /* `text` is required in one and not in the other */
	sj_node_id now = talk_node(&t, "s2", "t1");
	CHECK(now != 0 && !sj_node_alive(talk_surface(&t, "s2"), old));
	/* an update resolves afresh: without catalogId it is the surface's own again */
	CHECK_OK(talk_components(&t, "v1.0", "s2", "{'id':'t1','component':'Text'}"));
	CHECK_INT(talk_faults(&t), 1);
	CHECK_STR(sj_slice_of(talk_event(&t, SJ_EV_DIAG, 0)->diag.pointer), "/updateComponents/components/0/text");
	talk_close(&t);
}

SJ_TEST(hyphens_in_ids_warn_once)
{
	open_rich();
	CHECK_OK(talk_components(&t, "v1.0", "s2",
	                         "{'id':'a-b','component':'Text','text':'x'},{'id':'c-d','component':'Text','text':'y'}"));
	CHECK_OK(talk_components(&t, "v1.0", "s2", "{'id':'e-f','component':'Text','text':'z'}"));
	CHECK_INT(talk_heard(&t, SJ_EV_DIAG), 1);
	CHECK_INT(talk_event(&t, SJ_EV_DIAG, 0)->diag.severity, SJ_SEV_WARNING);
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), 0);
	talk_close(&t);
}

/* In one message a reserved key anywhere makes `path` and `call` ordinary keys; without one they bind. */
SJ_TEST(the_dialect_is_the_messages)
{
	open_rich();
	CHECK_OK(talk_components(&t, "v1.0", "s2",
	                         "{'id':'p1','component':'Column','children':['t1','t3']},"
	                         "{'id':'t1','component':'Text','text':{'path':'/t'}}"));
	CHECK_STR(sj_slice_of(talk_prop(&t, "s2", talk_node(&t, "s2", "t1"), "text")), "\"x\"");
	CHECK_OK(talk_components(&t, "v1.0", "s2", "{'id':'t3','component':'Text','text':{'@path':'/t'}}"));
	CHECK_STR(sj_slice_of(talk_prop(&t, "s2", talk_node(&t, "s2", "t3"), "text")), "\"x\"");
	CHECK_INT(talk_faults(&t), 0);
	CHECK_OK(talk_components(&t, "v1.0", "s2",
	                         "{'id':'t1','component':'Text','text':{'path':'/t'}},"
	                         "{'id':'t3','component':'Text','text':{'@path':'/t'}}"));
	CHECK(talk_faults(&t) >= 1); /* an object is no text */
	for (uint32_t i = 0; i < talk_heard(&t, SJ_EV_DIAG); i++)
		CHECK(sj_slice_starts(sj_slice_of(talk_event(&t, SJ_EV_DIAG, i)->diag.pointer),
		                      "/updateComponents/components/0/text"));
	talk_close(&t);
}
