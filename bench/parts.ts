/** The parts of the benchmark, and the selection on the command line. */

/** In the order of the result table. */
export const PARTS = [
  'bulk',
  'pages',
  'first-view',
  'performance',
  'formats',
  'readers',
  'import',
  'audit',
  'imports',
  'waiters',
  'changes',
] as const;

export type Part = (typeof PARTS)[number];

/** Parts that make their own data. */
export const NEEDS_NO_ROWS: ReadonlySet<Part> = new Set(['audit', 'imports', 'waiters', 'changes']);

/** Parts that take minutes run only if they are named. */
const LONG: readonly Part[] = ['imports', 'waiters', 'changes'];

/** The named parts, or all short ones if no names are given. */
export function wantedParts(names: readonly string[]): ReadonlySet<Part> {
  if (names.length === 0) return new Set(PARTS.filter((part) => !LONG.includes(part)));
  return new Set(names.map(readPart));
}

function readPart(name: string): Part {
  const found = PARTS.find((part) => part === name);
  if (found === undefined)
    throw new Error(`Unknown part ${name}. The parts are: ${PARTS.join(', ')}.`);
  return found;
}
