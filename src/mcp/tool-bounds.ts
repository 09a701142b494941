/** Limits of messages and of tools' answers, which must fit in the context of a language model. */

/** Rows of an answer, unless the model asks for another number. */
export const DEFAULT_ROWS = 50;

/** The most rows of an answer. */
export const MAX_ROWS = 200;

/** The most bytes of rows as JSON, about ten thousand tokens. */
export const MAX_BYTES = 40_000;

/** The most bytes of a message from a client, which must be able to hold the longest URL of the API. */
export const MAX_MESSAGE = 64 * 1024;
