/** Explicit ARIA roles, because browsers may drop the implicit ones of a table with another CSS layout. */

export const ROW_GROUP_ROLE = { role: 'rowgroup' };
export const ROW_ROLE = { role: 'row' };
export const HEADER_ROLE = { role: 'columnheader' };
export const CELL_ROLE = { role: 'gridcell' };
