/** Says how a file is written, so that a wrong reading is seen. */

import type { ValueDialect } from './dialect.ts';

interface Written {
  readonly name: string;
  readonly encoding?: string | undefined;
  readonly dialect?: ValueDialect | undefined;
}

const MARKS = { ',': 'decimal comma', '.': 'decimal point' } as const;

/** Undefined for a plain file in UTF-8. */
export function describeDialect({ name, encoding, dialect = {} }: Written): string | undefined {
  const { numbers, dates } = dialect;
  const parts = [
    encoding,
    numbers?.decimal && MARKS[numbers.decimal],
    numbers?.currency && `currency ${numbers.currency}`,
    dates && `dates ${dates}`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : `${name}: ${parts.join(', ')}`;
}

/** How the files are written that are not plain; no member if all are. */
export function readAsOf(files: readonly Written[]): { readonly readAs?: readonly string[] } {
  const readAs = files.map(describeDialect).filter((text) => text !== undefined);
  return readAs.length === 0 ? {} : { readAs };
}
