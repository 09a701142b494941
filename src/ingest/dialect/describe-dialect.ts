/** Describes how a file was read, so that users notice a wrong detection. */

import type { ValueDialect } from './dialect.ts';

interface Written {
  readonly name: string;
  readonly encoding?: string | undefined;
  readonly dialect?: ValueDialect | undefined;
  readonly unseen?: readonly string[];
}

const MARKS = { ',': 'decimal comma', '.': 'decimal point' } as const;

/** Undefined for a plain file in UTF-8. */
export function describeDialect({
  name,
  encoding,
  dialect = {},
  unseen = [],
}: Written): string | undefined {
  const { numbers, dates } = dialect;
  const parts = [
    encoding,
    numbers?.decimal && MARKS[numbers.decimal],
    numbers?.currency && `currency ${numbers.currency}`,
    dates && `dates ${dates}`,
    ...unseen.map((column) => `without the column "${column}" in its first rows`),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : `${name}: ${parts.join(', ')}`;
}

/** Describes each file that is not plain. If all files are plain, there is no `readAs`. */
export function detectedDialectsOf(files: readonly Written[]): {
  readonly readAs?: readonly string[];
} {
  const readAs = files.map(describeDialect).filter((text) => text !== undefined);
  return readAs.length === 0 ? {} : { readAs };
}
