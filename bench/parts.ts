/** The parts of the benchmark, and which of them are to be measured. */

/** In the order of the table. */
export const PARTS = ['bulk', 'pages', 'formats', 'readers', 'import', 'imports'] as const;

export type Part = (typeof PARTS)[number];

/** What takes minutes is measured only where it is named. */
const LONG: readonly Part[] = ['imports'];

/** The parts that are named or, where none is, all that do not take long. */
export function wantedParts(names: readonly string[]): ReadonlySet<Part> {
  if (names.length === 0) return new Set(PARTS.filter((part) => !LONG.includes(part)));
  return new Set(names.map(readPart));
}

function readPart(name: string): Part {
  const found = PARTS.find((part) => part === name);
  if (found === undefined) throw new Error(`No part ${name}; there are: ${PARTS.join(', ')}.`);
  return found;
}
