/** Questions and answers in the names of the API. */

/** Parameters under their names. */
export type Question = Readonly<Record<string, string>>;

/** A record, or a group of a summary. */
export type Values = Readonly<Record<string, string | number | null>>;
