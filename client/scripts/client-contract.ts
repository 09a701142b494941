/** Generates `client/src/contract.ts`: the page limit and the media types of the service. */

import { FORMATS } from '../../src/contract/query/formats.ts';
import { MAX_PAGE_SIZE } from '../../src/contract/query/parameters.ts';

const NOTE =
  "/** The facts of the service's contract, written by `npm run generate`; not to be edited. */";

/** The text of the module, formatted as Biome wants it. */
export function clientContract(): string {
  const mediaTypes = Object.entries(FORMATS).map(
    ([name, { mediaType }]) => `  ${name}: '${mediaType.split(';', 1)[0]}',\n`,
  );
  return `${NOTE}

/** The most records that the service puts on a page. */
export const MAX_PAGE_SIZE = ${grouped(MAX_PAGE_SIZE)};

/** The media type of each format, without its parameters. */
export const MEDIA_TYPES = {
${mediaTypes.join('')}} as const;
`;
}

const grouped = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, '_');
