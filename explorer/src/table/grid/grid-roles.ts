/** ARIA roles of the table, because browsers may drop them from tables with another CSS layout. */

export const AS_GROUP = { role: 'rowgroup' };
export const AS_ROW = { role: 'row' };
export const AS_HEAD = { role: 'columnheader' };
export const AS_CELL = { role: 'gridcell' };
