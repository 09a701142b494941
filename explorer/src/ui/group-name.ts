/** Names of groups on the page: the name in the directory, that of a country or device, or the value itself. */

import { nameFieldOf } from '../../../src/contract/record/directory.ts';
import type { ResultRow } from '../query/api-query.ts';
import type { LocaleFormats } from './formats.ts';

export interface GroupName {
  readonly name: string;
  /** Undefined for groups without a name in the directory. */
  readonly id: string | undefined;
}

const LABELS: ReadonlyMap<string, (code: string, formats: LocaleFormats) => string> = new Map([
  ['country', (code: string, formats: LocaleFormats) => formats.country(code)],
  ['device_type', (type: string, formats: LocaleFormats) => formats.device(type)],
]);

/** Undefined for the group whose value is null. */
export function groupNameOf(
  grouping: string,
  row: ResultRow,
  formats: LocaleFormats,
): GroupName | undefined {
  const value = row[grouping] ?? null;
  if (value === null) return undefined;
  const text = String(value);
  const name = row[nameFieldOf(grouping)?.name ?? ''];
  if (typeof name === 'string' && name !== '') return { name, id: text };
  return { name: LABELS.get(grouping)?.(text, formats) ?? text, id: undefined };
}

/** The name with its identifier, because names may repeat. */
export const labelWithId = ({ name, id }: GroupName): string =>
  id === undefined ? name : `${name} (${id})`;
