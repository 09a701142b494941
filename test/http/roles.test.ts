import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KINDS } from '../../src/contract/kinds.ts';
import { PARAMETER_NAMES } from '../../src/contract/parameters.ts';
import { AUDIENCES, RECORDS } from '../../src/contract/records.ts';
import {
  HEADERS_TO_MISLEAD,
  INJECTIONS,
  PARAMETERS_TOO_MANY,
  pathForms,
} from '../support/attacks.ts';
import { ndjson } from '../support/file-rows.ts';
import { type RawAnswer, type RawRequest, send } from '../support/raw-http.ts';
import {
  FOREIGN,
  FOREIGN_PROGRAM,
  OWN,
  rowsWithSecrets,
  SECRET,
  TELLING,
} from '../support/secrets.ts';
import { startService, type TestService } from '../support/service.ts';

const QUESTION = 'type=sales&start_date=2026-01-01&end_date=2026-01-31';

describe.each(['embedded', 'cluster'] as const)('on the store %s', (store) => {
  let service: TestService;
  let affiliate: string;
  let admin: string;

  beforeAll(async () => {
    service = await startService({ store });
    await service.importText(ndjson(rowsWithSecrets()));
    affiliate = await service.token({ role: 'affiliate', publisherIds: OWN });
    admin = await service.token({});
  });

  afterAll(async () => await service.close());

  /** Asks as the affiliate, unless the attack brings another authorization. */
  async function attack(request: RawRequest): Promise<RawAnswer> {
    const { headers = [] } = request;
    const brings = headers.some((line) => /^authorization:/i.test(line));
    const own = brings ? [] : [`Authorization: Bearer ${affiliate}`];
    return await send(service.url, { ...request, headers: [...own, ...headers] });
  }

  /** Holds that an answer shows the affiliate's own rows in the affiliate's form, or nothing at all. */
  function expectNothingForeign(answer: RawAnswer, attempt: string): void {
    expect(answer.status, attempt).toBeGreaterThanOrEqual(200);
    expect(answer.status, attempt).toBeLessThan(500);
    expect(answer.text, attempt).not.toMatch(SECRET);
    if (answer.status !== 200) {
      expect(answer.text, attempt).not.toMatch(TELLING);
      return;
    }
    for (const row of answer.body === '' ? [] : JSON.parse(answer.body)) {
      expect(OWN, attempt).toContain(row.publisher_id);
      expect(Object.keys(row), attempt).toEqual(RECORDS.affiliate.map(({ name }) => name));
    }
  }

  async function expectNoBreach(request: RawRequest): Promise<RawAnswer> {
    const answer = await attack(request);
    expectNothingForeign(answer, JSON.stringify(request).slice(0, 300));
    return answer;
  }

  test.each(KINDS)('the secrets of %s are there for an administrator to see', async (type) => {
    const target = `/api/admin/transactions?${QUESTION.replace('sales', type)}`;
    const { body } = await attack({ target, headers: [`Authorization: Bearer ${admin}`] });
    expect(JSON.parse(body)).toHaveLength(3);
    expect(body).toContain('FOREIGN-SECRET');
    expect(body).toContain('ADMIN-SECRET');
  });

  test.each(KINDS)('an affiliate sees the %s of their own websites', async (type) => {
    const target = `/api/affiliate/transactions?${QUESTION.replace('sales', type)}`;
    const { body } = await expectNoBreach({ target });
    expect(JSON.parse(body)).toMatchObject(OWN.map((id) => ({ publisher_id: id, token: 'mine' })));
  });

  test('an affiliate with no website sees nothing', async () => {
    const token = await service.token({ role: 'affiliate', publisherIds: [] });
    const headers = [`Authorization: Bearer ${token}`];
    const answer = await attack({ target: `/api/affiliate/transactions?${QUESTION}`, headers });
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: '[]\n' });
  });

  describe.each(AUDIENCES)(
    'at the endpoint for the %s, an affiliate gets nothing foreign',
    (audience) => {
      const path = `/api/${audience}/transactions`;

      test.each(PARAMETER_NAMES)('through the value of %s', async (name) => {
        for (const injection of [...INJECTIONS, String(FOREIGN), String(FOREIGN_PROGRAM)]) {
          const query = new URLSearchParams(QUESTION);
          query.set(name, injection);
          await expectNoBreach({ target: `${path}?${query}` });
          // Beside a value of their own, before and after it.
          const plain = `${name}=${new URLSearchParams(QUESTION).get(name) ?? OWN[0]}`;
          const encoded = encodeURIComponent(injection);
          await expectNoBreach({ target: `${path}?${QUESTION}&${plain}&${name}=${encoded}` });
          await expectNoBreach({ target: `${path}?${name}=${encoded}&${QUESTION}` });
        }
      });

      test('through parameters that there are not', async () => {
        for (const parameter of PARAMETERS_TOO_MANY) {
          const answer = await expectNoBreach({ target: `${path}?${QUESTION}&${parameter}` });
          expect(answer.status).not.toBe(200);
          await expectNoBreach({ target: `${path}?${QUESTION};${parameter}` });
          await expectNoBreach({ target: `${path}?${QUESTION}%26${parameter}` });
        }
      });

      test.each(pathForms(audience))('through the path form %s', async (form) => {
        const { status } = await expectNoBreach({ target: `${form}?${QUESTION}` });
        if (audience === 'admin') expect(status).not.toBe(200);
        await expectNoBreach({ target: `${form}?${QUESTION}&publisher_id=${FOREIGN}` });
      });

      test.each(HEADERS_TO_MISLEAD)('through the header %s', async (header) => {
        const headers = [header];
        const { status } = await expectNoBreach({ target: `${path}?${QUESTION}`, headers });
        if (audience === 'admin') expect(status).not.toBe(200);
        const foreign = `${path}?${QUESTION}&publisher_id=${FOREIGN}`;
        expect((await expectNoBreach({ target: foreign, headers })).status).not.toBe(200);
      });

      const methods = [
        'HEAD',
        'POST',
        'PUT',
        'PATCH',
        'DELETE',
        'OPTIONS',
        'TRACE',
        'QUERY',
        'SEARCH',
      ];
      test.each(methods)('through the method %s', async (method) => {
        const target = `${path}?${QUESTION}`;
        const body = method === 'HEAD' ? '' : `publisher_id=${FOREIGN}&role=admin`;
        const answer = await expectNoBreach({ method, target, body });
        expect(answer.status).toBe(method !== 'HEAD' ? 405 : audience === 'admin' ? 403 : 200);
        if (method === 'HEAD') expect(answer.body).toBe('');
      });
    },
  );

  test("an administrator's token opens nothing anywhere but in its own header", async () => {
    const path = '/api/admin/transactions';
    const places: readonly RawRequest[] = [
      { target: `${path}?${QUESTION}&access_token=${admin}` },
      { target: `${path}?${QUESTION}&${admin}` },
      { target: `${path}/${admin}?${QUESTION}` },
      { target: `http://${admin}@localhost${path}?${QUESTION}` },
      { target: `${path}?${QUESTION}`, headers: [`Cookie: access_token=${admin}`] },
      { target: `${path}?${QUESTION}`, headers: [`Proxy-Authorization: Bearer ${admin}`] },
      { target: `${path}?${QUESTION}`, headers: [`X-Request-Id: ${admin}`] },
      { target: `${path}?${QUESTION}`, body: `access_token=${admin}` },
    ];
    for (const place of places) expect((await expectNoBreach(place)).status).not.toBe(200);
    const both = [`Authorization: Bearer ${affiliate}`, `Authorization: Bearer ${admin}`];
    for (const headers of [both, both.toReversed()]) {
      expect((await expectNoBreach({ target: `${path}?${QUESTION}`, headers })).status).toBe(401);
    }
  });

  test('the admin endpoint refuses an affiliate whatever is asked, right or wrong', async () => {
    const queries = [
      '',
      QUESTION,
      'type=x',
      `${QUESTION}&publisher_id=100`,
      `${QUESTION}&role=admin`,
    ];
    for (const query of queries) {
      const answer = await expectNoBreach({ target: `/api/admin/transactions?${query}` });
      expect({ status: answer.status, code: JSON.parse(answer.body).code }).toEqual({
        status: 403,
        code: 'wrong_role',
      });
    }
  });

  test('after all of this the log holds no token', () => {
    expect(service.log.join('')).not.toContain(affiliate);
    expect(service.log.join('')).not.toContain(admin);
    expect(service.log.length).toBeGreaterThan(500);
  });
});
