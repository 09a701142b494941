import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOCALES, type Locale, STATUS_LABELS } from '../../../src/contract/record/labels.ts';
import { ROLES } from '../../../src/contract/record/records.ts';
import { insertRows } from '../../support/databases/inserted/insert-rows.ts';
import { TESTED_STORES } from '../../support/databases/tested-stores.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fileRow } from '../../support/rows/file-rows.ts';

const QUESTION = 'type=sales&start_date=2026-01-01&end_date=2026-01-31';

// biome-ignore format: one header a line
const HEADERS: readonly (readonly [string | undefined, Locale])[] = [
  [undefined, 'fr'],
  ['en', 'en'],
  ['EN', 'en'],
  ['en-GB', 'en'],
  ['de-AT-1996', 'de'],
  ['pt-BR, pt;q=0.9', 'pt'],
  ['de, en', 'de'],
  ['en;q=0.5, de;q=0.8, it;q=0.1', 'de'],
  ['en;q=0, de;q=0.1', 'de'],
  ['en;q=0.001, de;q=0', 'en'],
  ['ja, en;q=0.2', 'en'],
  ['zh-Hans-CN, ko;q=0.9', 'fr'],
  ['*', 'fr'],
  ['*;q=0.5, es;q=0.4', 'es'],
  ['ja, *;q=0.1', 'fr'],
  ['en ; q = 0.5 , nl', 'nl'],
  ['xx-en', 'fr'],
  ['english', 'fr'],
  ['e', 'fr'],
  [',,,', 'fr'],
  [';q=1', 'fr'],
  ['en;q=abc', 'fr'],
  ['en;;;;q', 'en'],
  ['q=1;en', 'fr'],
  ["'; DROP TABLE transactions; --", 'fr'],
  ['constructor', 'fr'],
  ['__proto__', 'fr'],
  ['toString, en', 'en'],
  ['x'.repeat(5000), 'fr'],
  [Array.from({ length: 500 }, (_, at) => `x${at};q=0.9`).join(), 'fr'],
];

interface Labelled {
  readonly language: string | null;
  readonly labels: readonly string[];
}

describe.each(TESTED_STORES)('on the store %s', (store) => {
  let service: TestService;
  let undecided: string;

  beforeAll(async () => {
    service = await startService({ store });
    await insertRows(service.database, [
      fileRow({ status: 0 }),
      fileRow({ status: 1, validation_date: '2026-01-20 12:00:00' }),
      fileRow({ status: 2 }),
    ]);
    undecided = await service.token({ locale: undefined });
  });

  afterAll(async () => await service.close());

  async function labelled(path: string, token: string, accept?: string): Promise<Labelled> {
    const headers =
      accept === undefined ? { 'accept-language': '' } : { 'accept-language': accept };
    const response = await service.get(`${path}?${QUESTION}`, token, headers);
    const rows = (await response.json()) as { status_label: string }[];
    return {
      language: response.headers.get('content-language'),
      labels: rows.map(({ status_label }) => status_label),
    };
  }

  describe.each(ROLES)('for the %s', (role) => {
    const path = `/api/${role}/transactions`;

    test.each(LOCALES)('the labels are in the language of the token: %s', async (locale) => {
      const token = await service.token({ role: role, publisherIds: [100], locale });
      for (const accept of [undefined, 'de', 'en;q=1, fr;q=0.5']) {
        expect(await labelled(path, token, accept)).toEqual({
          language: locale,
          labels: STATUS_LABELS[locale],
        });
      }
    });

    test.each(LOCALES)(
      'for a token without a language, the request decides: %s',
      async (locale) => {
        const token = await service.token({
          role: role,
          publisherIds: [100],
          locale: undefined,
        });
        expect(await labelled(path, token, locale)).toEqual({
          language: locale,
          labels: STATUS_LABELS[locale],
        });
      },
    );
  });

  // The negotiation of the language does not depend on the store.
  const headers = store === 'embedded' ? HEADERS : HEADERS.slice(0, 8);
  test.each(headers)('Accept-Language: %s gives labels in %s', async (accept, language) => {
    const shown = await labelled('/api/admin/transactions', undecided, accept);
    expect(shown.language).toBe(language);
    expect(shown.labels).toEqual(STATUS_LABELS[language]);
  });
});
