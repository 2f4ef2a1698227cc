/* Made by tools/gen_contract from contract.txt. */
#include "proto/contract.h"

#include <math.h>

const struct sj_rule sj_contract_rules[] = {
	{SJ_RULE_NUMBER, .min = 0, .max = INFINITY}, /* 0 dp */
	{SJ_RULE_OBJECT, .first = 0, .count = 2}, /* 1 offset */
	{SJ_RULE_OBJECT, .first = 2, .count = 4}, /* 2 bounds */
	{SJ_RULE_OBJECT, .first = 6, .count = 4, .extra = SJ_X_AT_LEAST_ONE}, /* 3 selector */
	{SJ_RULE_OBJECT, .first = 10, .count = 5, .extra = SJ_X_EXCLUSIVE, .mark = SJ_MARK_CONTAINER}, /* 4 container */
	{SJ_RULE_OBJECT, .first = 15, .count = 9, .extra = SJ_X_EXACTLY_ONE | SJ_X_DEPENDENTS, .mark = SJ_MARK_CONDITION}, /* 5 condition */
	{SJ_RULE_OBJECT, .first = 24, .count = 2}, /* 6 sheetCondition */
	{SJ_RULE_OBJECT, .first = 26, .count = 2}, /* 7 safeAreaPadding */
	{SJ_RULE_CHOICE, .first = 29, .count = 2}, /* 8 dimension */
	{SJ_RULE_CHOICE, .first = 32, .count = 2}, /* 9 detent */
	{SJ_RULE_OBJECT, .first = 34, .count = 4}, /* 10 padding */
	{SJ_RULE_OBJECT, .first = 38, .count = 2}, /* 11 border */
	{SJ_RULE_OBJECT, .first = 40, .count = 2}, /* 12 gradientStop */
	{SJ_RULE_TAGGED, .first = 47, .count = 2}, /* 13 gradient */
	{SJ_RULE_ENUM, .first = 14, .count = 36}, /* 14 colorRole */
	{SJ_RULE_CHOICE, .first = 49, .count = 2}, /* 15 colorToken */
	{SJ_RULE_CHOICE, .first = 53, .count = 2}, /* 16 colorValue */
	{SJ_RULE_CHOICE, .first = 57, .count = 2}, /* 17 imageAsset */
	{SJ_RULE_CHOICE, .first = 63, .count = 3}, /* 18 cornerRadius */
	{SJ_RULE_ENUM, .first = 57, .count = 9}, /* 19 nine */
	{SJ_RULE_OBJECT, .first = 69, .count = 33, .mark = SJ_MARK_STYLE}, /* 20 style */
	{SJ_RULE_OBJECT, .first = 102, .count = 2}, /* 21 styleWhenEntry */
	{SJ_RULE_OBJECT, .first = 104, .count = 3, .mark = SJ_MARK_ITEM}, /* 22 item */
	{SJ_RULE_TAGGED, .first = 115, .count = 2}, /* 23 anchor */
	{SJ_RULE_TAGGED, .first = 125, .count = 3}, /* 24 placement */
	{SJ_RULE_OBJECT, .first = 128, .count = 4}, /* 25 window */
	{SJ_RULE_ICON}, /* 26 iconName */
	{SJ_RULE_ENUM, .first = 120, .count = 5}, /* 27 iconVariant */
	{SJ_RULE_OBJECT, .first = 132, .count = 2}, /* 28 radioOption */
	{SJ_RULE_TAGGED, .first = 140, .count = 3}, /* 29 listItemTrailing */
	{SJ_RULE_OBJECT, .first = 143, .count = 3, .extra = SJ_X_EXACTLY_ONE, .mark = SJ_MARK_REPEAT}, /* 30 repeat */
	{SJ_RULE_OBJECT, .first = 146, .count = 3}, /* 31 appBarAction */
	{SJ_RULE_OBJECT, .first = 149, .count = 2}, /* 32 dialogButton */
	{SJ_RULE_OBJECT, .first = 151, .count = 36}, /* 33 themeModeColors */
	{SJ_RULE_OBJECT, .first = 187, .count = 40}, /* 34 themeColors */
	{SJ_RULE_OBJECT, .first = 227, .count = 2, .extra = SJ_X_AT_LEAST_ONE}, /* 35 themeTypography */
	{SJ_RULE_OBJECT, .first = 229, .count = 1, .extra = SJ_X_AT_LEAST_ONE}, /* 36 themeShapes */
	{SJ_RULE_OBJECT, .first = 230, .count = 4, .extra = SJ_X_AT_LEAST_ONE}, /* 37 theme */
	{SJ_RULE_TAGGED, .first = 275, .count = 13, .mark = SJ_MARK_ACTION}, /* 38 action */
	{SJ_RULE_OBJECT, .first = 288, .count = 10}, /* 39 common */
	{SJ_RULE_TAGGED, .first = 778, .count = 35, .mark = SJ_MARK_NODE}, /* 40 node */
	{SJ_RULE_NODES, .min = 1, .max = 32}, /* 41 screens */
	{SJ_RULE_OBJECT, .first = 813, .count = 1}, /* 42 requires */
	{SJ_RULE_OBJECT, .first = 814, .count = 10, .mark = SJ_MARK_SPEC}, /* 43 spec */
	{SJ_RULE_NUMBER, .min = -INFINITY, .max = INFINITY}, /* 44 */
	{SJ_RULE_NUMBER, .min = 0, .max = INFINITY}, /* 45 */
	{SJ_RULE_STRING}, /* 46 */
	{SJ_RULE_NUMBER, .min = 0, .max = 2147483647, .integer = true}, /* 47 */
	{SJ_RULE_ENUM, .first = 0, .count = 1}, /* 48 */
	{SJ_RULE_NONBLANK}, /* 49 */
	{SJ_RULE_ARRAY, .first = 5, .min = 1, .max = 16}, /* 50 */
	{SJ_RULE_SCALAR}, /* 51 */
	{SJ_RULE_BOUND_KEY}, /* 52 */
	{SJ_RULE_POINTER}, /* 53 */
	{SJ_RULE_BOOL}, /* 54 */
	{SJ_RULE_ARRAY, .first = 56, .min = 1, .max = 4, .unique = true}, /* 55 */
	{SJ_RULE_ENUM, .first = 1, .count = 4}, /* 56 */
	{SJ_RULE_ARRAY, .first = 58, .min = 1, .max = 3, .unique = true}, /* 57 */
	{SJ_RULE_ENUM, .first = 5, .count = 3}, /* 58 */
	{SJ_RULE_ENUM, .first = 8, .count = 2}, /* 59 */
	{SJ_RULE_OBJECT, .first = 28, .count = 1}, /* 60 */
	{SJ_RULE_ENUM, .first = 10, .count = 2}, /* 61 */
	{SJ_RULE_OBJECT, .first = 31, .count = 1}, /* 62 */
	{SJ_RULE_NUMBER, .min = 1e-06, .max = INFINITY}, /* 63 */
	{SJ_RULE_NUMBER, .min = 0, .max = 1}, /* 64 */
	{SJ_RULE_OBJECT, .first = 42, .count = 3}, /* 65 */
	{SJ_RULE_ARRAY, .first = 12, .min = 2, .max = 4}, /* 66 */
	{SJ_RULE_ENUM, .first = 12, .count = 1}, /* 67 */
	{SJ_RULE_OBJECT, .first = 45, .count = 2}, /* 68 */
	{SJ_RULE_ENUM, .first = 13, .count = 1}, /* 69 */
	{SJ_RULE_COLOR}, /* 70 */
	{SJ_RULE_OBJECT, .first = 51, .count = 2}, /* 71 */
	{SJ_RULE_OBJECT, .first = 55, .count = 2}, /* 72 */
	{SJ_RULE_ENUM, .first = 50, .count = 7}, /* 73 */
	{SJ_RULE_OBJECT, .first = 59, .count = 4}, /* 74 */
	{SJ_RULE_ENUM, .first = 66, .count = 6}, /* 75 */
	{SJ_RULE_CHOICE, .first = 67, .count = 2}, /* 76 */
	{SJ_RULE_ENUM, .first = 72, .count = 4}, /* 77 */
	{SJ_RULE_OBJECT, .first = 66, .count = 1}, /* 78 */
	{SJ_RULE_ENUM, .first = 76, .count = 2}, /* 79 */
	{SJ_RULE_NUMBER, .min = 100, .max = 900, .integer = true}, /* 80 */
	{SJ_RULE_NUMBER, .min = 1, .max = 2147483647, .integer = true}, /* 81 */
	{SJ_RULE_ENUM, .first = 78, .count = 3}, /* 82 */
	{SJ_RULE_NUMBER, .min = 0.5, .max = 1}, /* 83 */
	{SJ_RULE_ENUM, .first = 81, .count = 4}, /* 84 */
	{SJ_RULE_ENUM, .first = 85, .count = 4}, /* 85 */
	{SJ_RULE_ENUM, .first = 89, .count = 15}, /* 86 */
	{SJ_RULE_OBJECT, .first = 107, .count = 4}, /* 87 */
	{SJ_RULE_ENUM, .first = 104, .count = 5}, /* 88 */
	{SJ_RULE_ENUM, .first = 109, .count = 1}, /* 89 */
	{SJ_RULE_OBJECT, .first = 111, .count = 4}, /* 90 */
	{SJ_RULE_ENUM, .first = 110, .count = 1}, /* 91 */
	{SJ_RULE_OBJECT, .first = 117, .count = 2}, /* 92 */
	{SJ_RULE_ENUM, .first = 111, .count = 1}, /* 93 */
	{SJ_RULE_OBJECT, .first = 119, .count = 3}, /* 94 */
	{SJ_RULE_ENUM, .first = 112, .count = 2}, /* 95 */
	{SJ_RULE_ENUM, .first = 114, .count = 1}, /* 96 */
	{SJ_RULE_OBJECT, .first = 122, .count = 3}, /* 97 */
	{SJ_RULE_ENUM, .first = 115, .count = 1}, /* 98 */
	{SJ_RULE_ENUM, .first = 116, .count = 2}, /* 99 */
	{SJ_RULE_NUMBER, .min = 0, .max = 100, .integer = true}, /* 100 */
	{SJ_RULE_ENUM, .first = 118, .count = 2}, /* 101 */
	{SJ_RULE_OBJECT, .first = 134, .count = 2}, /* 102 */
	{SJ_RULE_ENUM, .first = 125, .count = 1}, /* 103 */
	{SJ_RULE_OBJECT, .first = 136, .count = 2}, /* 104 */
	{SJ_RULE_ENUM, .first = 126, .count = 1}, /* 105 */
	{SJ_RULE_OBJECT, .first = 138, .count = 2}, /* 106 */
	{SJ_RULE_ENUM, .first = 127, .count = 1}, /* 107 */
	{SJ_RULE_KEY}, /* 108 */
	{SJ_RULE_ARRAY, .first = 110, .min = 1, .max = 128}, /* 109 */
	{SJ_RULE_MAP}, /* 110 */
	{SJ_RULE_ARRAY, .first = 38, .min = 1, .max = 32}, /* 111 */
	{SJ_RULE_ENUM, .first = 128, .count = 1}, /* 112 */
	{SJ_RULE_ENUM, .first = 129, .count = 3}, /* 113 */
	{SJ_RULE_NUMBER, .min = 0.75, .max = 1.5}, /* 114 */
	{SJ_RULE_ENUM, .first = 132, .count = 5}, /* 115 */
	{SJ_RULE_ENUM, .first = 137, .count = 3}, /* 116 */
	{SJ_RULE_OBJECT, .first = 234, .count = 3}, /* 117 */
	{SJ_RULE_JSON}, /* 118 */
	{SJ_RULE_ENUM, .first = 140, .count = 1}, /* 119 */
	{SJ_RULE_OBJECT, .first = 239, .count = 3}, /* 120 */
	{SJ_RULE_CHOICE, .first = 237, .count = 2}, /* 121 */
	{SJ_RULE_ENUM, .first = 141, .count = 2}, /* 122 */
	{SJ_RULE_ENUM, .first = 143, .count = 1}, /* 123 */
	{SJ_RULE_OBJECT, .first = 242, .count = 3}, /* 124 */
	{SJ_RULE_ENUM, .first = 144, .count = 1}, /* 125 */
	{SJ_RULE_OBJECT, .first = 245, .count = 2}, /* 126 */
	{SJ_RULE_ENUM, .first = 145, .count = 1}, /* 127 */
	{SJ_RULE_OBJECT, .first = 247, .count = 3}, /* 128 */
	{SJ_RULE_ENUM, .first = 146, .count = 1}, /* 129 */
	{SJ_RULE_OBJECT, .first = 250, .count = 3}, /* 130 */
	{SJ_RULE_ENUM, .first = 147, .count = 1}, /* 131 */
	{SJ_RULE_OBJECT, .first = 253, .count = 1}, /* 132 */
	{SJ_RULE_ENUM, .first = 148, .count = 1}, /* 133 */
	{SJ_RULE_OBJECT, .first = 254, .count = 3}, /* 134 */
	{SJ_RULE_ENUM, .first = 149, .count = 1}, /* 135 */
	{SJ_RULE_LEAF}, /* 136 */
	{SJ_RULE_OBJECT, .first = 257, .count = 2}, /* 137 */
	{SJ_RULE_ENUM, .first = 150, .count = 1}, /* 138 */
	{SJ_RULE_OBJECT, .first = 259, .count = 2}, /* 139 */
	{SJ_RULE_ENUM, .first = 151, .count = 1}, /* 140 */
	{SJ_RULE_OBJECT, .first = 261, .count = 1}, /* 141 */
	{SJ_RULE_ENUM, .first = 152, .count = 1}, /* 142 */
	{SJ_RULE_OBJECT, .first = 262, .count = 8}, /* 143 */
	{SJ_RULE_LEAVES}, /* 144 */
	{SJ_RULE_ENUM, .first = 153, .count = 5}, /* 145 */
	{SJ_RULE_ENUM, .first = 158, .count = 1}, /* 146 */
	{SJ_RULE_ENUM, .first = 159, .count = 2}, /* 147 */
	{SJ_RULE_OBJECT, .first = 270, .count = 5}, /* 148 */
	{SJ_RULE_CALL}, /* 149 */
	{SJ_RULE_ENUM, .first = 161, .count = 1}, /* 150 */
	{SJ_RULE_ARRAY, .first = 21, .min = 1, .max = 8}, /* 151 */
	{SJ_RULE_ENUM, .first = 162, .count = 4}, /* 152 */
	{SJ_RULE_OBJECT, .first = 298, .count = 13}, /* 153 */
	{SJ_RULE_ARRAY, .first = 40, .min = 0, .max = UINT32_MAX}, /* 154 */
	{SJ_RULE_ENUM, .first = 166, .count = 1}, /* 155 */
	{SJ_RULE_OBJECT, .first = 311, .count = 13}, /* 156 */
	{SJ_RULE_ENUM, .first = 167, .count = 1}, /* 157 */
	{SJ_RULE_OBJECT, .first = 324, .count = 13}, /* 158 */
	{SJ_RULE_ENUM, .first = 168, .count = 1}, /* 159 */
	{SJ_RULE_OBJECT, .first = 337, .count = 12}, /* 160 */
	{SJ_RULE_TEXT}, /* 161 */
	{SJ_RULE_ENUM, .first = 169, .count = 1}, /* 162 */
	{SJ_RULE_OBJECT, .first = 349, .count = 13}, /* 163 */
	{SJ_RULE_ENUM, .first = 170, .count = 3}, /* 164 */
	{SJ_RULE_ENUM, .first = 173, .count = 1}, /* 165 */
	{SJ_RULE_OBJECT, .first = 362, .count = 13}, /* 166 */
	{SJ_RULE_OBJECT, .first = 375, .count = 11}, /* 167 */
	{SJ_RULE_ENUM, .first = 174, .count = 1}, /* 168 */
	{SJ_RULE_OBJECT, .first = 386, .count = 16}, /* 169 */
	{SJ_RULE_ENUM, .first = 175, .count = 6}, /* 170 */
	{SJ_RULE_ENUM, .first = 181, .count = 1}, /* 171 */
	{SJ_RULE_OBJECT, .first = 402, .count = 13}, /* 172 */
	{SJ_RULE_OBJECT, .first = 415, .count = 13}, /* 173 */
	{SJ_RULE_OBJECT, .first = 428, .count = 14}, /* 174 */
	{SJ_RULE_ENUM, .first = 182, .count = 1}, /* 175 */
	{SJ_RULE_ENUM, .first = 183, .count = 5}, /* 176 */
	{SJ_RULE_OBJECT, .first = 442, .count = 13}, /* 177 */
	{SJ_RULE_ARRAY, .first = 28, .min = 2, .max = 16}, /* 178 */
	{SJ_RULE_ENUM, .first = 188, .count = 1}, /* 179 */
	{SJ_RULE_OBJECT, .first = 455, .count = 15}, /* 180 */
	{SJ_RULE_ENUM, .first = 189, .count = 1}, /* 181 */
	{SJ_RULE_OBJECT, .first = 470, .count = 16}, /* 182 */
	{SJ_RULE_ENUM, .first = 190, .count = 1}, /* 183 */
	{SJ_RULE_OBJECT, .first = 486, .count = 14}, /* 184 */
	{SJ_RULE_ENUM, .first = 191, .count = 1}, /* 185 */
	{SJ_RULE_ENUM, .first = 192, .count = 4}, /* 186 */
	{SJ_RULE_OBJECT, .first = 500, .count = 13}, /* 187 */
	{SJ_RULE_ENUM, .first = 196, .count = 1}, /* 188 */
	{SJ_RULE_ENUM, .first = 197, .count = 3}, /* 189 */
	{SJ_RULE_OBJECT, .first = 513, .count = 13}, /* 190 */
	{SJ_RULE_ENUM, .first = 200, .count = 1}, /* 191 */
	{SJ_RULE_ENUM, .first = 201, .count = 4}, /* 192 */
	{SJ_RULE_OBJECT, .first = 526, .count = 14}, /* 193 */
	{SJ_RULE_ENUM, .first = 205, .count = 3}, /* 194 */
	{SJ_RULE_ENUM, .first = 208, .count = 1}, /* 195 */
	{SJ_RULE_OBJECT, .first = 540, .count = 13}, /* 196 */
	{SJ_RULE_ARRAY, .first = 28, .min = 2, .max = 5}, /* 197 */
	{SJ_RULE_ENUM, .first = 209, .count = 1}, /* 198 */
	{SJ_RULE_OBJECT, .first = 553, .count = 15}, /* 199 */
	{SJ_RULE_ARRAY, .first = 31, .min = 1, .max = 3}, /* 200 */
	{SJ_RULE_ENUM, .first = 210, .count = 1}, /* 201 */
	{SJ_RULE_ENUM, .first = 211, .count = 4}, /* 202 */
	{SJ_RULE_OBJECT, .first = 568, .count = 12}, /* 203 */
	{SJ_RULE_ENUM, .first = 215, .count = 2}, /* 204 */
	{SJ_RULE_ENUM, .first = 217, .count = 1}, /* 205 */
	{SJ_RULE_OBJECT, .first = 580, .count = 12}, /* 206 */
	{SJ_RULE_ENUM, .first = 218, .count = 1}, /* 207 */
	{SJ_RULE_OBJECT, .first = 592, .count = 14}, /* 208 */
	{SJ_RULE_ENUM, .first = 219, .count = 1}, /* 209 */
	{SJ_RULE_ENUM, .first = 220, .count = 2}, /* 210 */
	{SJ_RULE_OBJECT, .first = 606, .count = 18}, /* 211 */
	{SJ_RULE_ENUM, .first = 222, .count = 1}, /* 212 */
	{SJ_RULE_OBJECT, .first = 624, .count = 15}, /* 213 */
	{SJ_RULE_NUMBER, .min = 1, .max = 600000, .integer = true}, /* 214 */
	{SJ_RULE_ENUM, .first = 223, .count = 1}, /* 215 */
	{SJ_RULE_OBJECT, .first = 639, .count = 14}, /* 216 */
	{SJ_RULE_ENUM, .first = 224, .count = 1}, /* 217 */
	{SJ_RULE_OBJECT, .first = 653, .count = 12}, /* 218 */
	{SJ_RULE_ENUM, .first = 225, .count = 1}, /* 219 */
	{SJ_RULE_OBJECT, .first = 665, .count = 13}, /* 220 */
	{SJ_RULE_ENUM, .first = 226, .count = 2}, /* 221 */
	{SJ_RULE_ENUM, .first = 228, .count = 1}, /* 222 */
	{SJ_RULE_OBJECT, .first = 678, .count = 12}, /* 223 */
	{SJ_RULE_ARRAY, .first = 40, .min = 1, .max = UINT32_MAX}, /* 224 */
	{SJ_RULE_ENUM, .first = 229, .count = 1}, /* 225 */
	{SJ_RULE_OBJECT, .first = 690, .count = 15, .extra = SJ_X_BINDING}, /* 226 */
	{SJ_RULE_ARRAY, .first = 22, .min = 1, .max = 32}, /* 227 */
	{SJ_RULE_ENUM, .first = 230, .count = 1}, /* 228 */
	{SJ_RULE_OBJECT, .first = 705, .count = 14, .extra = SJ_X_BINDING}, /* 229 */
	{SJ_RULE_ARRAY, .first = 22, .min = 2, .max = 5}, /* 230 */
	{SJ_RULE_ENUM, .first = 231, .count = 1}, /* 231 */
	{SJ_RULE_OBJECT, .first = 719, .count = 17}, /* 232 */
	{SJ_RULE_ARRAY, .first = 9, .min = 1, .max = 8, .unique = true}, /* 233 */
	{SJ_RULE_ENUM, .first = 232, .count = 1}, /* 234 */
	{SJ_RULE_OBJECT, .first = 736, .count = 15}, /* 235 */
	{SJ_RULE_ARRAY, .first = 28, .min = 2, .max = 64}, /* 236 */
	{SJ_RULE_ENUM, .first = 233, .count = 1}, /* 237 */
	{SJ_RULE_OBJECT, .first = 751, .count = 13}, /* 238 */
	{SJ_RULE_ENUM, .first = 234, .count = 1}, /* 239 */
	{SJ_RULE_OBJECT, .first = 764, .count = 14}, /* 240 */
	{SJ_RULE_ENUM, .first = 235, .count = 1}, /* 241 */
	{SJ_RULE_ARRAY, .first = 243, .min = 1, .max = 16, .unique = true}, /* 242 */
	{SJ_RULE_MODULE_NAME}, /* 243 */
	{SJ_RULE_ANY_OBJECT}, /* 244 */
	{SJ_RULE_ENUM, .first = 236, .count = 2}, /* 245 */
	{SJ_RULE_ARRAY, .first = 247, .min = 1, .max = 64, .unique = true}, /* 246 */
	{SJ_RULE_STATE_NAME}, /* 247 */
};
const uint16_t sj_contract_rule_count = 248;

const struct sj_field sj_contract_fields[] = {
	{"x", 1, 44, false, false},
	{"y", 1, 44, false, false},
	{"height", 6, 45, false, false},
	{"width", 5, 45, false, false},
	{"x", 1, 44, false, false},
	{"y", 1, 44, false, false},
	{"container", 9, 4, true, false},
	{"elementId", 9, 46, true, false},
	{"testTag", 7, 46, true, false},
	{"text", 4, 46, true, false},
	{"container", 9, 4, true, false},
	{"elementId", 9, 46, true, false},
	{"index", 5, 47, true, false},
	{"selectionStrategy", 17, 48, true, false},
	{"text", 4, 49, true, false},
	{"all", 3, 50, true, false},
	{"any", 3, 50, true, false},
	{"equals", 6, 51, true, false},
	{"gt", 2, 44, true, false},
	{"key", 3, 52, true, false},
	{"lt", 2, 44, true, false},
	{"not", 3, 5, true, false},
	{"notEquals", 9, 51, true, false},
	{"path", 4, 53, true, true},
	{"equals", 6, 54, false, false},
	{"key", 3, 52, false, false},
	{"edges", 5, 55, false, false},
	{"types", 5, 57, false, false},
	{"dp", 2, 45, false, false},
	{"", 0, 59, false, false},
	{"", 0, 60, false, false},
	{"dp", 2, 63, false, false},
	{"", 0, 61, false, false},
	{"", 0, 62, false, false},
	{"bottom", 6, 45, true, false},
	{"end", 3, 45, true, false},
	{"start", 5, 45, true, false},
	{"top", 3, 45, true, false},
	{"color", 5, 16, false, false},
	{"width", 5, 45, false, false},
	{"color", 5, 16, false, false},
	{"position", 8, 64, true, false},
	{"angle", 5, 44, false, false},
	{"stops", 5, 66, false, false},
	{"type", 4, 67, false, false},
	{"stops", 5, 66, false, false},
	{"type", 4, 69, false, false},
	{"linear", 6, 65, false, false},
	{"radial", 6, 68, false, false},
	{"", 0, 70, false, false},
	{"", 0, 14, false, false},
	{"dark", 4, 15, false, false},
	{"light", 5, 15, false, false},
	{"", 0, 15, false, false},
	{"", 0, 71, false, false},
	{"dark", 4, 46, false, false},
	{"light", 5, 46, false, false},
	{"", 0, 46, false, false},
	{"", 0, 72, false, false},
	{"bottomEnd", 9, 45, true, false},
	{"bottomStart", 11, 45, true, false},
	{"topEnd", 6, 45, true, false},
	{"topStart", 8, 45, true, false},
	{"", 0, 45, false, false},
	{"", 0, 73, false, false},
	{"", 0, 74, false, false},
	{"asset", 5, 46, false, false},
	{"", 0, 77, false, false},
	{"", 0, 78, false, false},
	{"alignment", 9, 19, true, false},
	{"alpha", 5, 64, true, false},
	{"arrangement", 11, 75, true, false},
	{"aspectRatio", 11, 63, true, false},
	{"background", 10, 16, true, false},
	{"border", 6, 11, true, false},
	{"color", 5, 16, true, false},
	{"cornerRadius", 12, 18, true, false},
	{"elevation", 9, 45, true, false},
	{"fontFamily", 10, 76, true, false},
	{"fontStyle", 9, 79, true, false},
	{"fontWeight", 10, 80, true, false},
	{"gradient", 8, 13, true, false},
	{"height", 6, 8, true, false},
	{"letterSpacing", 13, 44, true, false},
	{"lineHeight", 10, 63, true, false},
	{"maxHeight", 9, 0, true, false},
	{"maxLines", 8, 81, true, false},
	{"maxWidth", 8, 0, true, false},
	{"minHeight", 9, 0, true, false},
	{"minWidth", 8, 0, true, false},
	{"offset", 6, 1, true, false},
	{"overflow", 8, 82, true, false},
	{"padding", 7, 10, true, false},
	{"pressScale", 10, 83, true, false},
	{"shadowColor", 11, 16, true, false},
	{"spacing", 7, 45, true, false},
	{"textAlign", 9, 84, true, false},
	{"textDecoration", 14, 85, true, false},
	{"textSize", 8, 63, true, false},
	{"textStyle", 9, 86, true, false},
	{"weight", 6, 63, true, false},
	{"width", 5, 8, true, false},
	{"style", 5, 20, false, false},
	{"when", 4, 5, false, false},
	{"icon", 4, 26, true, false},
	{"image", 5, 17, true, false},
	{"label", 5, 46, false, false},
	{"alignment", 9, 88, true, false},
	{"bounds", 6, 2, false, false},
	{"offset", 6, 1, true, false},
	{"type", 4, 89, false, false},
	{"alignment", 9, 88, false, false},
	{"offset", 6, 1, true, false},
	{"selector", 8, 3, false, false},
	{"type", 4, 91, false, false},
	{"bounds", 6, 87, false, false},
	{"element", 7, 90, false, false},
	{"scrim", 5, 16, true, false},
	{"type", 4, 93, false, false},
	{"edge", 4, 95, false, false},
	{"height", 6, 63, false, false},
	{"type", 4, 96, false, false},
	{"gravity", 7, 19, false, false},
	{"offset", 6, 1, false, false},
	{"type", 4, 98, false, false},
	{"fullscreen", 10, 92, false, false},
	{"sheet", 5, 94, false, false},
	{"floating", 8, 97, false, false},
	{"layer", 5, 99, true, false},
	{"opacity", 7, 100, true, false},
	{"persistence", 11, 101, true, false},
	{"placement", 9, 24, false, false},
	{"label", 5, 46, false, false},
	{"value", 5, 46, false, false},
	{"stateKey", 8, 52, false, false},
	{"type", 4, 103, false, false},
	{"stateKey", 8, 52, false, false},
	{"type", 4, 105, false, false},
	{"name", 4, 26, false, false},
	{"type", 4, 107, false, false},
	{"switch", 6, 102, false, false},
	{"checkbox", 8, 104, false, false},
	{"icon", 4, 106, false, false},
	{"as", 2, 108, false, false},
	{"from", 4, 53, true, true},
	{"items", 5, 109, true, false},
	{"icon", 4, 26, false, false},
	{"label", 5, 46, false, false},
	{"onTap", 5, 111, true, false},
	{"label", 5, 46, false, false},
	{"onTap", 5, 111, true, false},
	{"background", 10, 70, true, false},
	{"error", 5, 70, true, false},
	{"errorContainer", 14, 70, true, false},
	{"inverseOnSurface", 16, 70, true, false},
	{"inversePrimary", 14, 70, true, false},
	{"inverseSurface", 14, 70, true, false},
	{"onBackground", 12, 70, true, false},
	{"onError", 7, 70, true, false},
	{"onErrorContainer", 16, 70, true, false},
	{"onPrimary", 9, 70, true, false},
	{"onPrimaryContainer", 18, 70, true, false},
	{"onSecondary", 11, 70, true, false},
	{"onSecondaryContainer", 20, 70, true, false},
	{"onSurface", 9, 70, true, false},
	{"onSurfaceVariant", 16, 70, true, false},
	{"onTertiary", 10, 70, true, false},
	{"onTertiaryContainer", 19, 70, true, false},
	{"outline", 7, 70, true, false},
	{"outlineVariant", 14, 70, true, false},
	{"primary", 7, 70, true, false},
	{"primaryContainer", 16, 70, true, false},
	{"scrim", 5, 70, true, false},
	{"secondary", 9, 70, true, false},
	{"secondaryContainer", 18, 70, true, false},
	{"surface", 7, 70, true, false},
	{"surfaceBright", 13, 70, true, false},
	{"surfaceContainer", 16, 70, true, false},
	{"surfaceContainerHigh", 20, 70, true, false},
	{"surfaceContainerHighest", 23, 70, true, false},
	{"surfaceContainerLow", 19, 70, true, false},
	{"surfaceContainerLowest", 22, 70, true, false},
	{"surfaceDim", 10, 70, true, false},
	{"surfaceTint", 11, 70, true, false},
	{"surfaceVariant", 14, 70, true, false},
	{"tertiary", 8, 70, true, false},
	{"tertiaryContainer", 17, 70, true, false},
	{"background", 10, 70, true, false},
	{"dark", 4, 33, true, false},
	{"error", 5, 70, true, false},
	{"errorContainer", 14, 70, true, false},
	{"inverseOnSurface", 16, 70, true, false},
	{"inversePrimary", 14, 70, true, false},
	{"inverseSurface", 14, 70, true, false},
	{"light", 5, 33, true, false},
	{"onBackground", 12, 70, true, false},
	{"onError", 7, 70, true, false},
	{"onErrorContainer", 16, 70, true, false},
	{"onPrimary", 9, 70, true, false},
	{"onPrimaryContainer", 18, 70, true, false},
	{"onSecondary", 11, 70, true, false},
	{"onSecondaryContainer", 20, 70, true, false},
	{"onSurface", 9, 70, true, false},
	{"onSurfaceVariant", 16, 70, true, false},
	{"onTertiary", 10, 70, true, false},
	{"onTertiaryContainer", 19, 70, true, false},
	{"outline", 7, 70, true, false},
	{"outlineVariant", 14, 70, true, false},
	{"primary", 7, 70, true, false},
	{"primaryContainer", 16, 70, true, false},
	{"scrim", 5, 70, true, false},
	{"secondary", 9, 70, true, false},
	{"secondaryContainer", 18, 70, true, false},
	{"seed", 4, 70, true, false},
	{"source", 6, 112, true, false},
	{"surface", 7, 70, true, false},
	{"surfaceBright", 13, 70, true, false},
	{"surfaceContainer", 16, 70, true, false},
	{"surfaceContainerHigh", 20, 70, true, false},
	{"surfaceContainerHighest", 23, 70, true, false},
	{"surfaceContainerLow", 19, 70, true, false},
	{"surfaceContainerLowest", 22, 70, true, false},
	{"surfaceDim", 10, 70, true, false},
	{"surfaceTint", 11, 70, true, false},
	{"surfaceVariant", 14, 70, true, false},
	{"tertiary", 8, 70, true, false},
	{"tertiaryContainer", 17, 70, true, false},
	{"fontFamily", 10, 113, true, false},
	{"scale", 5, 114, true, false},
	{"corner", 6, 115, true, false},
	{"colors", 6, 34, true, false},
	{"mode", 4, 116, true, false},
	{"shapes", 6, 36, true, false},
	{"typography", 10, 35, true, false},
	{"name", 4, 46, false, false},
	{"payload", 7, 118, true, false},
	{"type", 4, 119, false, false},
	{"", 0, 122, false, false},
	{"", 0, 47, false, false},
	{"page", 4, 121, false, false},
	{"pager", 5, 46, false, false},
	{"type", 4, 123, false, false},
	{"key", 3, 52, false, false},
	{"type", 4, 125, false, false},
	{"value", 5, 51, false, false},
	{"key", 3, 52, false, false},
	{"type", 4, 127, false, false},
	{"by", 2, 44, true, false},
	{"key", 3, 52, false, false},
	{"type", 4, 129, false, false},
	{"by", 2, 44, true, false},
	{"key", 3, 52, false, false},
	{"type", 4, 131, false, false},
	{"type", 4, 133, false, false},
	{"path", 4, 53, false, false},
	{"type", 4, 135, false, false},
	{"value", 5, 136, false, false},
	{"path", 4, 53, false, false},
	{"type", 4, 138, false, false},
	{"screen", 6, 108, false, false},
	{"type", 4, 140, false, false},
	{"type", 4, 142, false, false},
	{"body", 4, 136, true, false},
	{"headers", 7, 144, true, false},
	{"into", 4, 53, true, false},
	{"method", 6, 145, true, false},
	{"statusKey", 9, 108, true, false},
	{"type", 4, 146, false, false},
	{"url", 3, 46, false, false},
	{"via", 3, 147, true, false},
	{"args", 4, 144, true, false},
	{"call", 4, 149, false, false},
	{"into", 4, 53, true, false},
	{"statusKey", 9, 108, true, false},
	{"type", 4, 150, false, false},
	{"emit", 4, 117, false, false},
	{"setPage", 7, 120, false, false},
	{"setState", 8, 124, false, false},
	{"toggle", 6, 126, false, false},
	{"increment", 9, 128, false, false},
	{"decrement", 9, 130, false, false},
	{"dismiss", 7, 132, false, false},
	{"setData", 7, 134, false, true},
	{"removeData", 10, 137, false, true},
	{"push", 4, 139, false, true},
	{"pop", 3, 141, false, true},
	{"request", 7, 143, false, true},
	{"platform", 8, 148, false, true},
	{"anchor", 6, 23, true, false},
	{"contentDescription", 18, 46, true, false},
	{"id", 2, 46, true, false},
	{"onTap", 5, 111, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"children", 8, 154, false, false},
	{"contentDescription", 18, 46, true, false},
	{"id", 2, 46, true, false},
	{"onTap", 5, 111, true, false},
	{"repeat", 6, 30, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 155, false, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"children", 8, 154, false, false},
	{"contentDescription", 18, 46, true, false},
	{"id", 2, 46, true, false},
	{"onTap", 5, 111, true, false},
	{"repeat", 6, 30, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 157, false, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"children", 8, 154, false, false},
	{"contentDescription", 18, 46, true, false},
	{"id", 2, 46, true, false},
	{"onTap", 5, 111, true, false},
	{"repeat", 6, 30, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 159, false, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"contentDescription", 18, 46, true, false},
	{"id", 2, 46, true, false},
	{"onTap", 5, 111, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"text", 4, 161, false, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 162, false, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"asset", 5, 17, false, false},
	{"contentDescription", 18, 46, true, false},
	{"contentScale", 12, 164, true, false},
	{"id", 2, 46, true, false},
	{"onTap", 5, 111, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 165, false, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"contentDescription", 18, 46, true, false},
	{"id", 2, 46, true, false},
	{"name", 4, 26, false, false},
	{"onTap", 5, 111, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 107, false, false},
	{"variant", 7, 27, true, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"contentDescription", 18, 46, true, false},
	{"id", 2, 46, true, false},
	{"onTap", 5, 111, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 168, false, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"contentDescription", 18, 46, true, false},
	{"id", 2, 46, true, false},
	{"keyboard", 8, 170, true, true},
	{"label", 5, 46, true, true},
	{"onTap", 5, 111, true, false},
	{"placeholder", 11, 161, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"secure", 6, 54, true, true},
	{"stateKey", 8, 52, false, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 171, false, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"contentDescription", 18, 46, true, false},
	{"id", 2, 46, true, false},
	{"label", 5, 46, true, false},
	{"onTap", 5, 111, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"stateKey", 8, 52, false, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 103, false, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"contentDescription", 18, 46, true, false},
	{"id", 2, 46, true, false},
	{"label", 5, 46, true, false},
	{"onTap", 5, 111, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"stateKey", 8, 52, false, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 105, false, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"contentDescription", 18, 46, true, false},
	{"icon", 4, 26, true, false},
	{"id", 2, 46, true, false},
	{"label", 5, 46, false, false},
	{"onTap", 5, 111, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 175, false, false},
	{"variant", 7, 176, true, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"contentDescription", 18, 46, true, false},
	{"id", 2, 46, true, false},
	{"onTap", 5, 111, true, false},
	{"options", 7, 178, false, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"stateKey", 8, 52, false, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 179, false, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"contentDescription", 18, 46, true, false},
	{"headline", 8, 46, false, false},
	{"id", 2, 46, true, false},
	{"leadingIcon", 11, 26, true, false},
	{"onTap", 5, 111, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"supporting", 10, 46, true, false},
	{"testTag", 7, 46, true, false},
	{"trailing", 8, 29, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 181, false, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"contentDescription", 18, 46, true, false},
	{"id", 2, 46, true, false},
	{"label", 5, 46, true, false},
	{"max", 3, 44, false, false},
	{"min", 3, 44, false, false},
	{"onTap", 5, 111, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"stateKey", 8, 52, false, false},
	{"step", 4, 44, true, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 183, false, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"contentDescription", 18, 46, true, false},
	{"id", 2, 46, true, false},
	{"label", 5, 46, false, false},
	{"onTap", 5, 111, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"stateKey", 8, 52, true, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 185, false, false},
	{"variant", 7, 186, true, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"children", 8, 154, false, false},
	{"contentDescription", 18, 46, true, false},
	{"id", 2, 46, true, false},
	{"onTap", 5, 111, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 188, false, false},
	{"variant", 7, 189, true, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"contentDescription", 18, 46, true, false},
	{"icon", 4, 26, false, false},
	{"id", 2, 46, true, false},
	{"onTap", 5, 111, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 191, false, false},
	{"variant", 7, 192, true, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"contentDescription", 18, 46, true, false},
	{"icon", 4, 26, false, false},
	{"id", 2, 46, true, false},
	{"label", 5, 46, true, false},
	{"onTap", 5, 111, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"size", 4, 194, true, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 195, false, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"contentDescription", 18, 46, true, false},
	{"id", 2, 46, true, false},
	{"onTap", 5, 111, true, false},
	{"options", 7, 197, false, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"stateKey", 8, 52, false, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 198, false, false},
	{"visibleWhen", 11, 5, true, false},
	{"actions", 7, 200, true, false},
	{"anchor", 6, 23, true, false},
	{"contentDescription", 18, 46, true, false},
	{"id", 2, 46, true, false},
	{"navigationIcon", 14, 31, true, false},
	{"onTap", 5, 111, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"title", 5, 46, false, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 201, false, false},
	{"variant", 7, 202, true, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"contentDescription", 18, 46, true, false},
	{"id", 2, 46, true, false},
	{"onTap", 5, 111, true, false},
	{"orientation", 11, 204, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 205, false, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"contentDescription", 18, 46, true, false},
	{"id", 2, 46, true, false},
	{"onTap", 5, 111, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"text", 4, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 207, false, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"contentDescription", 18, 46, true, false},
	{"id", 2, 46, true, false},
	{"max", 3, 44, true, false},
	{"onTap", 5, 111, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"stateKey", 8, 52, true, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 209, false, false},
	{"variant", 7, 210, true, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"child", 5, 40, true, false},
	{"confirm", 7, 32, false, false},
	{"contentDescription", 18, 46, true, false},
	{"dismiss", 7, 32, true, false},
	{"icon", 4, 26, true, false},
	{"id", 2, 46, true, false},
	{"onTap", 5, 111, true, false},
	{"openWhen", 8, 6, false, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"text", 4, 46, true, false},
	{"title", 5, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 212, false, false},
	{"visibleWhen", 11, 5, true, false},
	{"action", 6, 32, true, false},
	{"anchor", 6, 23, true, false},
	{"contentDescription", 18, 46, true, false},
	{"durationMs", 10, 214, true, false},
	{"id", 2, 46, true, false},
	{"onTap", 5, 111, true, false},
	{"openWhen", 8, 6, false, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"text", 4, 46, false, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 215, false, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"contentDescription", 18, 46, true, false},
	{"hourKey", 7, 52, false, false},
	{"id", 2, 46, true, false},
	{"is24Hour", 8, 54, true, false},
	{"minuteKey", 9, 52, false, false},
	{"onTap", 5, 111, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 217, false, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"contentDescription", 18, 46, true, false},
	{"id", 2, 46, true, false},
	{"onTap", 5, 111, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"stateKey", 8, 52, false, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 219, false, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"axis", 4, 221, true, false},
	{"child", 5, 40, false, false},
	{"contentDescription", 18, 46, true, false},
	{"id", 2, 46, true, false},
	{"onTap", 5, 111, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 222, false, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"children", 8, 224, false, false},
	{"contentDescription", 18, 46, true, false},
	{"id", 2, 46, false, false},
	{"onTap", 5, 111, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 225, false, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"contentDescription", 18, 46, true, false},
	{"id", 2, 46, true, false},
	{"items", 5, 227, false, false},
	{"onTap", 5, 111, true, false},
	{"pager", 5, 46, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"scrollable", 10, 54, true, false},
	{"stateKey", 8, 52, true, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 228, false, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"contentDescription", 18, 46, true, false},
	{"id", 2, 46, true, false},
	{"items", 5, 230, false, false},
	{"onTap", 5, 111, true, false},
	{"pager", 5, 46, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"stateKey", 8, 52, true, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 231, false, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"child", 5, 40, false, false},
	{"contentDescription", 18, 46, true, false},
	{"detents", 7, 233, false, false},
	{"dismissOnSwipe", 14, 54, true, false},
	{"dragHandle", 10, 54, true, false},
	{"id", 2, 46, true, false},
	{"onTap", 5, 111, true, false},
	{"openWhen", 8, 6, false, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"scrim", 5, 16, true, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 234, false, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"contentDescription", 18, 46, true, false},
	{"id", 2, 46, true, false},
	{"label", 5, 46, true, false},
	{"onTap", 5, 111, true, false},
	{"options", 7, 236, false, false},
	{"placeholder", 11, 46, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"stateKey", 8, 52, false, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 237, false, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"children", 8, 154, false, false},
	{"contentDescription", 18, 46, true, false},
	{"id", 2, 46, true, false},
	{"onTap", 5, 111, true, false},
	{"repeat", 6, 30, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 239, false, false},
	{"visibleWhen", 11, 5, true, false},
	{"anchor", 6, 23, true, false},
	{"contentDescription", 18, 46, true, false},
	{"id", 2, 46, true, false},
	{"into", 4, 53, false, false},
	{"label", 5, 46, true, false},
	{"onTap", 5, 111, true, false},
	{"safeAreaPadding", 15, 7, true, false},
	{"statusKey", 9, 108, true, false},
	{"style", 5, 20, true, false},
	{"styleWhen", 9, 151, true, false},
	{"testTag", 7, 46, true, false},
	{"transition", 10, 152, true, false},
	{"type", 4, 241, false, false},
	{"visibleWhen", 11, 5, true, false},
	{"box", 3, 153, false, false},
	{"row", 3, 156, false, false},
	{"column", 6, 158, false, false},
	{"text", 4, 160, false, false},
	{"image", 5, 163, false, false},
	{"icon", 4, 166, false, false},
	{"spacer", 6, 167, false, false},
	{"textField", 9, 169, false, false},
	{"switch", 6, 172, false, false},
	{"checkbox", 8, 173, false, false},
	{"button", 6, 174, false, false},
	{"radioGroup", 10, 177, false, false},
	{"listItem", 8, 180, false, false},
	{"slider", 6, 182, false, false},
	{"chip", 4, 184, false, false},
	{"card", 4, 187, false, false},
	{"iconButton", 10, 190, false, false},
	{"fab", 3, 193, false, false},
	{"segmentedButton", 15, 196, false, false},
	{"topAppBar", 9, 199, false, false},
	{"divider", 7, 203, false, false},
	{"badge", 5, 206, false, false},
	{"progress", 8, 208, false, false},
	{"dialog", 6, 211, false, false},
	{"snackbar", 8, 213, false, false},
	{"timePicker", 10, 216, false, false},
	{"datePicker", 10, 218, false, false},
	{"scroll", 6, 220, false, false},
	{"pager", 5, 223, false, false},
	{"tabBar", 6, 226, false, false},
	{"bottomNav", 9, 229, false, false},
	{"bottomSheet", 11, 232, false, false},
	{"select", 6, 235, false, true},
	{"flow", 4, 238, false, true},
	{"pasteButton", 11, 240, false, true},
	{"platform", 8, 242, false, false},
	{"data", 4, 244, true, true},
	{"id", 2, 46, false, false},
	{"motion", 6, 245, true, false},
	{"requires", 8, 42, true, true},
	{"root", 4, 40, false, false},
	{"screens", 7, 41, true, true},
	{"state", 5, 110, true, false},
	{"stored", 6, 246, true, true},
	{"theme", 5, 37, true, false},
	{"window", 6, 25, false, false},
};

const char *const sj_contract_words[] = {
	"unique",
	"top",
	"bottom",
	"start",
	"end",
	"systemBars",
	"cutout",
	"ime",
	"fill",
	"wrap",
	"half",
	"full",
	"linear",
	"radial",
	"primary",
	"onPrimary",
	"primaryContainer",
	"onPrimaryContainer",
	"inversePrimary",
	"secondary",
	"onSecondary",
	"secondaryContainer",
	"onSecondaryContainer",
	"tertiary",
	"onTertiary",
	"tertiaryContainer",
	"onTertiaryContainer",
	"background",
	"onBackground",
	"surface",
	"onSurface",
	"surfaceVariant",
	"onSurfaceVariant",
	"surfaceTint",
	"inverseSurface",
	"inverseOnSurface",
	"error",
	"onError",
	"errorContainer",
	"onErrorContainer",
	"outline",
	"outlineVariant",
	"scrim",
	"surfaceBright",
	"surfaceDim",
	"surfaceContainer",
	"surfaceContainerHigh",
	"surfaceContainerHighest",
	"surfaceContainerLow",
	"surfaceContainerLowest",
	"none",
	"extraSmall",
	"small",
	"medium",
	"large",
	"extraLarge",
	"full",
	"topStart",
	"topCenter",
	"topEnd",
	"centerStart",
	"center",
	"centerEnd",
	"bottomStart",
	"bottomCenter",
	"bottomEnd",
	"start",
	"center",
	"end",
	"spaceBetween",
	"spaceAround",
	"spaceEvenly",
	"default",
	"sansSerif",
	"serif",
	"monospace",
	"normal",
	"italic",
	"clip",
	"ellipsis",
	"visible",
	"start",
	"center",
	"end",
	"justify",
	"none",
	"underline",
	"lineThrough",
	"underlineLineThrough",
	"displayLarge",
	"displayMedium",
	"displaySmall",
	"headlineLarge",
	"headlineMedium",
	"headlineSmall",
	"titleLarge",
	"titleMedium",
	"titleSmall",
	"bodyLarge",
	"bodyMedium",
	"bodySmall",
	"labelLarge",
	"labelMedium",
	"labelSmall",
	"cover",
	"top",
	"bottom",
	"start",
	"end",
	"bounds",
	"element",
	"fullscreen",
	"top",
	"bottom",
	"sheet",
	"floating",
	"app",
	"system",
	"session",
	"device",
	"filled",
	"outlined",
	"rounded",
	"sharp",
	"twoTone",
	"switch",
	"checkbox",
	"icon",
	"device",
	"sans",
	"serif",
	"mono",
	"none",
	"small",
	"medium",
	"large",
	"full",
	"light",
	"dark",
	"system",
	"emit",
	"next",
	"prev",
	"setPage",
	"setState",
	"toggle",
	"increment",
	"decrement",
	"dismiss",
	"setData",
	"removeData",
	"push",
	"pop",
	"GET",
	"POST",
	"PUT",
	"PATCH",
	"DELETE",
	"request",
	"host",
	"direct",
	"platform",
	"none",
	"fade",
	"expand",
	"slide",
	"box",
	"row",
	"column",
	"text",
	"fit",
	"crop",
	"fill",
	"image",
	"spacer",
	"text",
	"number",
	"decimal",
	"email",
	"phone",
	"url",
	"textField",
	"button",
	"filled",
	"tonal",
	"elevated",
	"outlined",
	"text",
	"radioGroup",
	"listItem",
	"slider",
	"chip",
	"assist",
	"filter",
	"input",
	"suggestion",
	"card",
	"filled",
	"elevated",
	"outlined",
	"iconButton",
	"standard",
	"filled",
	"tonal",
	"outlined",
	"small",
	"regular",
	"large",
	"fab",
	"segmentedButton",
	"topAppBar",
	"small",
	"centerAligned",
	"medium",
	"large",
	"horizontal",
	"vertical",
	"divider",
	"badge",
	"progress",
	"linear",
	"circular",
	"dialog",
	"snackbar",
	"timePicker",
	"datePicker",
	"vertical",
	"horizontal",
	"scroll",
	"pager",
	"tabBar",
	"bottomNav",
	"bottomSheet",
	"select",
	"flow",
	"pasteButton",
	"none",
	"standard",
};

const uint16_t sj_contract_spec = 43;
const uint16_t sj_contract_node = 40;
const uint16_t sj_contract_action = 38;
const uint16_t sj_contract_condition = 5;
const uint16_t sj_contract_style = 20;
const uint16_t sj_contract_theme = 37;
