/** The number of bytes by which texts are sorted, and the lengths of cursors. */

/** Texts are sorted by this many bytes at their beginning. A cursor contains them, so they limit its length. */
export const MAX_SORTED_BYTES = 512;

/** The number of characters that encode `bytes` bytes in base64url, without padding. */
const characters = (bytes: number): number => Math.ceil((bytes * 8) / 6);

/** A date (4 bytes), an identifier (8) and a signature (16). */
export const CURSOR_LENGTH = characters(4 + 8 + 16);

/** A nonce (12 bytes), a date (4), an identifier (8), whether there is a value (1), the value, and a tag (16). */
export const MAX_SORTED_CURSOR_LENGTH = characters(12 + 4 + 8 + 1 + MAX_SORTED_BYTES + 16);
