/** The kinds of transactions, in the sort order of the tables. */

export const KINDS = ['impressions', 'clics', 'dbclicks', 'leads', 'sales'] as const;

export type Kind = (typeof KINDS)[number];

/** Kinds whose rows can represent several events. The field `total` has the number of events. */
export const COUNTED: readonly Kind[] = ['impressions', 'clics', 'dbclicks'];

/** Kinds whose rows are single actions of a visitor. */
export const ACTIONS: readonly Kind[] = ['leads', 'sales'];

export const SALES: readonly Kind[] = ['sales'];

export const isKind = (text: string): text is Kind => (KINDS as readonly string[]).includes(text);
