/** Refuses JSON that is not NDJSON: the engine accepts some, but no report could name the lines of its wrong rows. */

import { isJsonObject } from '../../../contract/json-object.ts';
import { ImportRefused } from '../../import-refused.ts';

/** Checks the first line that is no object: it is refused if it is part of correct JSON, else it is a wrong row. */
export function requireObjectPerLine(name: string, lines: readonly string[]): void {
  const at = lines.findIndex((line) => line.trim() !== '' && objectsIn(line) !== 1);
  const text = lines[at]?.trim();
  if (text === undefined) return;
  const place = `such as in line ${at + 1}`;
  if (text.endsWith(',') && objectsIn(text.slice(0, -1)) === 1) {
    throw new ImportRefused(
      `${name}: has commas after its objects, ${place}. Write one object per line without them (NDJSON): sed 's/,[[:space:]]*$//' FILE`,
    );
  }
  if (objectsIn(text) > 1 || spansLines(lines.slice(at))) {
    throw new ImportRefused(
      `${name}: does not have one object per line, ${place}. Write it as NDJSON: jq -c . FILE`,
    );
  }
}

/** Whether an object begins in the first line and ends in a later one. */
const spansLines = (lines: readonly string[]): boolean =>
  lines.some((line, end) => {
    if (!/\},?\s*$/.test(line)) return false;
    return (
      objectsIn(
        lines
          .slice(0, end + 1)
          .join('\n')
          .replace(/,\s*$/, ''),
      ) > 0
    );
  });

/** The number of objects that a text has, one after the other; 0 if it has anything else. */
function objectsIn(text: string): number {
  try {
    const values: unknown = JSON.parse(`[${text.replaceAll(/\}\s*\{/g, '},{')}]`);
    return Array.isArray(values) && values.every(isJsonObject) ? values.length : 0;
  } catch {
    return 0;
  }
}
