/** Names of the demo's programs, websites and supports as CSV, for imports of the directory. */

import type { DirectoryName } from '../contract/record/directory.ts';
import { demoPlatform } from './platform/demo-platform.ts';

type Entry = readonly [id: number, name: string, url: string, category: string];

const HEADER = 'id,name,url,category';

const quoted = (cell: string | number): string => `"${String(cell).replaceAll('"', '""')}"`;

const csvOf = (entries: readonly Entry[]): string =>
  [HEADER, ...entries.map((entry) => entry.map(quoted).join(',')), ''].join('\n');

export function demoNames(): Readonly<Record<DirectoryName, string>> {
  const { programs, websites } = demoPlatform();
  return {
    programs: csvOf(
      programs.map(({ id, name, slug, sector }) => [
        id,
        name,
        `https://www.${slug}.example`,
        sector,
      ]),
    ),
    publishers: csvOf(
      websites.map(({ id, domain: { name, sector = '' } }) => [
        id,
        `${name}.example`,
        `https://www.${name}.example`,
        sector,
      ]),
    ),
    supports: csvOf(
      websites.flatMap(({ domain, supports }) =>
        supports.map(({ id, format }): Entry => [id, `${domain.name}, ${format}`, '', format]),
      ),
    ),
  };
}
