/** What the parts of the table are: their layout is not that of a table, with which browsers may take their roles. */

export const AS_GROUP = { role: 'rowgroup' };
export const AS_ROW = { role: 'row' };
export const AS_HEAD = { role: 'columnheader' };
export const AS_CELL = { role: 'gridcell' };
