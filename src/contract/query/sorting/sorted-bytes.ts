/** How many bytes of a text lists are sorted by, and so how long a cursor can be. */

/** Texts are compared by these bytes, so that a cursor has a bounded length. */
export const MAX_SORTED_BYTES = 512;

/** A cursor without a value has 28 bytes: a date, an identifier and a signature. */
export const CURSOR_LENGTH = 38;

/** A cursor with a value has 41 more bytes than it: a nonce, a date, an identifier, a mark and a tag. */
export const MAX_SORTED_CURSOR_LENGTH = Math.ceil(((MAX_SORTED_BYTES + 41) * 8) / 6);
