/** SQL as text with named places, and the values that the engine binds to them. */

import type { Priority } from '../concurrency/priority-queue.ts';

/** A value and the engine's type of it. */
export interface Bound {
  readonly type: string;
  readonly value: number | string | readonly number[] | readonly string[];
}

/** A piece of SQL; only this module and constants of the code make its text. */
export interface Sql {
  readonly texts: readonly string[];
  readonly bound: readonly Bound[];
}

/** Each row begins with a text that no row holds elsewhere, or comes in a frame that says its length. */
export type RowBoundaries = { readonly lead: string } | 'framed';

/** SQL that is ready for an engine: equal questions have equal text. */
export interface Statement {
  readonly text: string;
  readonly values: Readonly<Record<string, Bound['value']>>;
  /** How the rows of the answer are told apart, where they must stay whole. */
  readonly rows?: RowBoundaries;
  /** Where the answer is put instead of given, and how it is written there; what is there is replaced. */
  readonly file?: { readonly format: FileFormat; readonly path: string };
  /** In the engine's queue; `new` by default. */
  readonly priority?: Priority;
  /** Whether it reads much to say little: every core works on it, and few like it are answered at a time. */
  readonly isBroad?: boolean;
}

/** The engine's name of a format that has a footer. */
export type FileFormat = 'Parquet' | 'Arrow';

/** A statement whose rows can be told apart. */
export type RowStatement = Statement & { readonly rows: RowBoundaries };

/** A value that the engine is to bind. */
export const bind = (type: string, value: Bound['value']): Bound => ({ type, value });

const isBound = (part: Bound | Sql): part is Bound => 'type' in part;

/** Puts pieces together: pieces of SQL as text, values as places to bind them. */
export function sql(texts: TemplateStringsArray, ...parts: readonly (Bound | Sql)[]): Sql {
  const joined: string[] = [texts[0] ?? ''];
  const bound: Bound[] = [];
  parts.forEach((part, index) => {
    const after = texts[index + 1] ?? '';
    if (isBound(part)) {
      bound.push(part);
      joined.push(after);
    } else {
      const [first = '', ...rest] = part.texts;
      joined[joined.length - 1] += first;
      joined.push(...rest);
      joined[joined.length - 1] += after;
      bound.push(...part.bound);
    }
  });
  return { texts: joined, bound };
}

/** Text that the code itself made, from names in its tables; never a user's. */
export const raw = (text: string): Sql => ({ texts: [text], bound: [] });

/** A text as a literal of the engine's SQL. */
export const literal = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

export function join(pieces: readonly Sql[], separator: string): Sql {
  return pieces.reduce((all, piece) => sql`${all}${raw(separator)}${piece}`);
}

/** The statement with its places named `p1`, `p2`, … in order. */
export function statementOf(piece: Sql): Statement {
  const text = piece.texts.reduce((all, next, index) => {
    const type = piece.bound[index - 1]?.type ?? '';
    return `${all}{p${index}:${type}}${next}`;
  });
  const values = Object.fromEntries(piece.bound.map(({ value }, at) => [`p${at + 1}`, value]));
  return Object.freeze({ text, values: Object.freeze(values) });
}

/** A statement without values, made by the code alone. */
export const command = (text: string): Statement => statementOf(raw(text));
