/** The five kinds of transactions, in the order in which the tables sort them. */

export const KINDS = ['impressions', 'clics', 'dbclicks', 'leads', 'sales'] as const;

export type Kind = (typeof KINDS)[number];

/** Kinds whose rows stand for many events and carry their count in `total`. */
export const COUNTED: readonly Kind[] = ['impressions', 'clics', 'dbclicks'];

/** Kinds whose rows are one visitor's action each. */
export const ACTIONS: readonly Kind[] = ['leads', 'sales'];

export const SALES: readonly Kind[] = ['sales'];

export const isKind = (text: string): text is Kind => (KINDS as readonly string[]).includes(text);
