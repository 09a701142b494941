/** Types of API parameters and result rows. */

/** The parameters of a request by name. */
export type ApiQuery = Readonly<Record<string, string>>;

/** A record or a group of a summary. */
export type ResultRow = Readonly<Record<string, string | number | null>>;
