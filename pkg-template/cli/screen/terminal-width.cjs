// In place of string-width 4, of cli-table3 and cli-progress, which counts a Thai vowel above its letter as a column.
module.exports = require("simple-wcswidth").wcswidth;
