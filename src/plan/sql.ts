/** SQL statements with bound parameters, and the template that composes them. */

import type { Priority } from '../concurrency/priority-queue.ts';

/** A bound parameter: a value and its type in the engine. */
export interface Bound {
  readonly type: string;
  readonly value: number | string | readonly number[] | readonly string[];
}

/** A fragment of SQL. Its text comes only from constants of the code. */
export interface Sql {
  readonly texts: readonly string[];
  readonly bound: readonly Bound[];
}

/** How to split a response into rows: a text that begins each row and occurs nowhere else, or frames with lengths. */
export type RowBoundaries = { readonly lead: string } | 'framed';

/** A complete statement. Statements that differ only in their values have the same text. */
export interface Statement {
  readonly text: string;
  readonly values: Readonly<Record<string, Bound['value']>>;
  /** How to split the response into rows, if rows must stay whole. */
  readonly boundaries?: RowBoundaries;
  /** The file that the engine writes the result to, replacing it. */
  readonly file?: { readonly format: EngineFileFormat; readonly path: string };
  /** The priority in the engine's queue; `new` by default. */
  readonly priority?: Priority;
  /** The client whose request it serves; clients take turns. Undefined for the service itself. */
  readonly client?: string;
  /** Whether it aggregates or sorts many rows. It then uses all cores, and few such statements run at once. */
  readonly isAggregation?: boolean;
  /** Whether it lists programs or publishers for a client. */
  readonly isOfDirectory?: boolean;
  /** Whether it reads whole tables for a command, such as a backup. It uses all cores, and has no time limit. */
  readonly isScan?: boolean;
}

/** The engine's name of a file format. */
export type EngineFileFormat = 'Parquet' | 'Arrow';

/** A statement whose response can be split into rows. */
export type RowStatement = Statement & { readonly boundaries: RowBoundaries };

/** Makes a bound parameter. */
export const bind = (type: string, value: Bound['value']): Bound => ({ type, value });

const isBound = (part: Bound | Sql): part is Bound => 'type' in part;

/** Template for SQL. It embeds fragments as text and values as bound parameters. */
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

/** SQL from constants of the code, never from user input. */
export const raw = (text: string): Sql => ({ texts: [text], bound: [] });

/** A string literal. */
export const literal = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

export function join(pieces: readonly Sql[], separator: string): Sql {
  return pieces.reduce((all, piece) => sql`${all}${raw(separator)}${piece}`);
}

/** Completes a statement. Its parameters are named `p1`, `p2`, … in order. */
export function statementOf(piece: Sql): Statement {
  const text = piece.texts.reduce((all, next, index) => {
    const type = piece.bound[index - 1]?.type ?? '';
    return `${all}{p${index}:${type}}${next}`;
  });
  const values = Object.fromEntries(piece.bound.map(({ value }, at) => [`p${at + 1}`, value]));
  return Object.freeze({ text, values: Object.freeze(values) });
}

/** A statement without parameters. */
export const plainStatement = (text: string): Statement => statementOf(raw(text));
