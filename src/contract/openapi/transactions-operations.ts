/** The operations that list transactions, one a role. */

import { FORMAT_NAMES, FORMATS, type FormatName } from '../query/formats.ts';
import { PARAMETERS } from '../query/parameters.ts';
import { AUDIENCES, type Audience } from '../record/records.ts';
import { EXAMPLE_RECORDS } from './examples.ts';
import { listOf } from './openapi-schemas.ts';
import { type Content, LIMITED, type Operation, UNCHANGED } from './operation.ts';

const WHOSE = {
  admin:
    'all transactions, or those of the programs that the token is limited to, with every field',
  affiliate: 'the transactions of its own websites, with the fields that are for affiliates',
} as const;

/** Without its parameters, as the document names it. */
export const mediaTypeOf = (name: FormatName): string =>
  FORMATS[name].mediaType.split(';', 1)[0] ?? '';

function contentOf(name: FormatName, audience: Audience): Content {
  if (name === 'json') return { schema: listOf(audience), example: EXAMPLE_RECORDS[audience] };
  const schema = { description: `The same records as ${FORMATS[name].meaning}` };
  const isText = FORMATS[name].mediaType.includes('charset');
  return { schema: isText ? { type: 'string', ...schema } : schema };
}

const transactionsOf = (audience: Audience): Operation => ({
  path: `/api/${audience}/transactions`,
  id: `${audience}Transactions`,
  tag: 'Transactions',
  summary: `Transactions of a period, for the role ${audience}`,
  description: `A token of the role ${audience} reads ${WHOSE[audience]}. There is no cap on the period: the answer is streamed until its last record, and a connection that is cut before is an answer that failed.`,
  audiences: [audience],
  parameters: PARAMETERS,
  requestHeaders: [
    'Accept',
    'Accept-Language',
    'If-None-Match',
    'Accept-Encoding',
    'Prefer',
    'X-Request-Id',
  ],
  answers: {
    200: {
      meaning: 'The transactions; an empty list where there are none.',
      headers: [
        ...LIMITED,
        'ETag',
        'Content-Language',
        'Content-Disposition',
        'Content-Encoding',
        'Link',
        'X-Total-Count',
        'Preference-Applied',
      ],
      content: Object.fromEntries(
        FORMAT_NAMES.map((name) => [mediaTypeOf(name), contentOf(name, audience)]),
      ),
    },
    304: UNCHANGED,
  },
  problems: ['request', 'token', 'parameters', 'question', 'database'],
});

export const TRANSACTIONS_OPERATIONS = AUDIENCES.map(transactionsOf);
