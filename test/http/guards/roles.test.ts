import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '../../../src/contract/openapi/operation.ts';
import {
  FILTER_PARAMETERS,
  FILTERS,
  type FilterName,
  filteredField,
} from '../../../src/contract/query/filters/filters.ts';
import { KINDS } from '../../../src/contract/record/kinds.ts';
import { RECORD_FIELDS } from '../../../src/contract/record/records.ts';
import { REPORT_TOOLS, TRANSACTION_TOOL } from '../../../src/mcp/tools.ts';
import {
  FEW_INJECTIONS,
  INJECTIONS,
  MISLEADING_HEADERS,
  pathForms,
  UNKNOWN_PARAMETERS,
} from '../../support/attacks/attacks.ts';
import {
  GUARDED,
  PUBLIC,
  pathOf,
  queryFor,
  sampleNumberOf,
  targetOf,
  validValues,
  WRITING,
} from '../../support/attacks/guarded-operations.ts';
import { FOREIGN, FOREIGN_PROGRAM, OWN, rowsWithSecrets } from '../../support/attacks/secrets.ts';
import { TESTED_STORES } from '../../support/databases/tested-stores.ts';
import { type RawAnswer, type RawRequest, send } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { type FileRow, ndjson } from '../../support/rows/file-rows.ts';
import {
  expectNothingForeign,
  expectOwnAnswer,
  expectOwnIn,
} from '../../support/rows/foreign-rows.ts';
import { everyNth } from '../../support/run/sampled.ts';
import { fullOrShort, IS_FULL } from '../../support/run/test-extent.ts';

const QUESTION = 'type=sales&start_date=2026-01-01&end_date=2026-01-31';

/** A value that no row has, of the form of the foreign row's value. */
const absentValue = (field: string, foreigns: string | number): string =>
  field === 'status' ? '1' : typeof foreigns === 'number' ? '999000000000' : 'ZW';

const isFilter = (name: string): name is FilterName => FILTERS.some((filter) => filter === name);

/** The field that a parameter compares with its values. */
const comparedField = (name: string): string => (isFilter(name) ? filteredField(name) : name);

/** Filters by fields that an affiliate cannot read. */
const ADMIN_FILTERS = FILTERS.filter(
  (name) => !FILTER_PARAMETERS[name].roles.includes('affiliate'),
);

const rows = rowsWithSecrets();

const saleOf = (publisherId: number | undefined): FileRow =>
  rows.find((row) => row.type === 'sales' && row.publisher_id === publisherId) ?? {};

const foreignRow = saleOf(FOREIGN);
const ownRow = saleOf(OWN[0]);

/** Adds a title to each operation, for the names of tests. */
const titled = (operations: readonly Operation[]) =>
  operations.map((operation) => [pathOf(operation), operation] as const);

const PERIOD = { start_date: '2026-01-01', end_date: '2026-01-31' };

/** The tools of the MCP server, with their paths and the arguments that they require. */
const MCP_TOOLS: Readonly<Record<string, { readonly path: string; readonly required: object }>> = {
  ...Object.fromEntries(
    Object.entries(REPORT_TOOLS).map(([name, { path }]) => {
      const type = path === 'performance' ? {} : { type: 'sales' };
      const period = path === 'transactions/changes' ? {} : PERIOD;
      return [name, { path, required: { ...type, ...period } }];
    }),
  ),
  get_transaction: {
    path: TRANSACTION_TOOL.path,
    required: { type: 'sales', transaction_id: 1001 },
  },
  describe_access: { path: 'programs', required: {} },
};

const parametersOf = (tool: string): Operation['parameters'] =>
  GUARDED.find(({ path }) => path === `/api/affiliate/${MCP_TOOLS[tool]?.path}`)?.parameters ?? {};

/** In `npm test`, an argument that selects no owner, type or row is attacked through one of the tools with it. */
function isAttackedThrough(tool: string, argument: string): boolean {
  const tools = Object.keys(MCP_TOOLS).filter((one) => argument in parametersOf(one));
  return everyNth(tools, tools.length, argument.length).includes(tool);
}

const NO_PARAMETER = { meaning: '', example: '', schema: { enum: [] }, read: () => undefined };

/** Removes the URL of the server from the OpenAPI document: it depends on the host of the request. */
const withoutHost = (body: string): string => body.replace(/"servers":\[\{"url":"[^"]*"/, '');

/** `server` is left out, because its statements are those of the embedded engine. Only a full run has the cluster. */
const STORES = TESTED_STORES.filter((store) => store !== 'server');

describe.each(STORES)('on the store %s', (store) => {
  let service: TestService;
  let affiliate: string;
  let admin: string;
  // The effect of a value on a statement does not depend on the number of servers.
  const injections =
    store === 'embedded' ? fullOrShort(INJECTIONS, FEW_INJECTIONS) : FEW_INJECTIONS;

  beforeAll(async () => {
    service = await startService({ store });
    await service.importText(ndjson(rows));
    affiliate = await service.token({ role: 'affiliate', publisherIds: OWN });
    admin = await service.token({ mayManageTokens: true });
  });

  afterAll(async () => await service.close());

  /** Sends the request as the affiliate, unless it has an Authorization header. */
  async function attack(request: RawRequest): Promise<RawAnswer> {
    const { headers = [] } = request;
    const brings = headers.some((line) => /^authorization:/i.test(line));
    const own = brings ? [] : [`Authorization: Bearer ${affiliate}`];
    return await send(service.url, { ...request, headers: [...own, ...headers] });
  }

  async function expectNoBreach(request: RawRequest): Promise<RawAnswer> {
    const answer = await attack(request);
    expectNothingForeign(answer, request.target.slice(0, 300));
    return answer;
  }

  const expectNoBreaches = async (targets: readonly string[]): Promise<readonly RawAnswer[]> =>
    await Promise.all(targets.map(async (target) => await expectNoBreach({ target })));

  test.each(KINDS)('an administrator sees the secrets of %s', async (type) => {
    const authorized = { headers: [`Authorization: Bearer ${admin}`] };
    const query = QUESTION.replace('sales', type);
    const { body } = await attack({ target: `/api/admin/transactions?${query}`, ...authorized });
    expect(JSON.parse(body)).toHaveLength(3);
    expect(body).toContain('FOREIGN-SECRET');
    expect(body).toContain('ADMIN-SECRET');
    const target = `/api/admin/transactions/summary?${query}`;
    expect(JSON.parse((await attack({ target, ...authorized })).body)).toMatchObject([
      { count: 3 },
    ]);
  });

  test('an administrator sees the performance of every website', async () => {
    const target = `/api/admin/performance?${QUESTION.replace('type=sales&', '')}`;
    const headers = [`Authorization: Bearer ${admin}`];
    const [all] = JSON.parse((await attack({ target, headers })).body);
    expect([all.leads, all.sales]).toEqual([3, 3]);
    const [own] = JSON.parse(
      (await expectNoBreach({ target: target.replace('admin', 'affiliate') })).body,
    );
    expect([own.leads, own.sales]).toEqual([2, 2]);
  });

  test.each(KINDS)('an affiliate sees the %s of their own websites', async (type) => {
    const query = QUESTION.replace('sales', type);
    const { body } = await expectNoBreach({ target: `/api/affiliate/transactions?${query}` });
    expect(JSON.parse(body)).toMatchObject(OWN.map((id) => ({ publisher_id: id, token: 'mine' })));
    for (const row of JSON.parse(body)) {
      expect(Object.keys(row)).toEqual(RECORD_FIELDS.affiliate.map(({ name }) => name));
    }
  });

  test('an affiliate with no website sees nothing', async () => {
    const token = await service.token({ role: 'affiliate', publisherIds: [] });
    const headers = [`Authorization: Bearer ${token}`, 'Prefer: count=exact'];
    const list = await attack({ target: `/api/affiliate/transactions?${QUESTION}`, headers });
    expect([list.status, list.body, list.headers.get('x-total-count')]).toEqual([200, '[]\n', '0']);
    const target = `/api/affiliate/transactions/summary?${QUESTION}`;
    const [sum, ...others] = JSON.parse((await attack({ target, headers })).body);
    expect([sum.count, sum.remuneration, others]).toEqual([0, 0, []]);
    const grouped = await attack({ target: `${target}&group_by=publisher_id`, headers });
    expect(grouped.body).toBe('[]\n');
  });

  // In `npm test`, each operation and parameter gets a part of the attacks, and together they get all.
  describe.each(titled(GUARDED))('at %s, an affiliate gets nothing foreign', (path, operation) => {
    const place = sampleNumberOf(operation);
    const target = targetOf(operation);
    const query = target.slice(target.indexOf('?') + 1);
    const isTheirs = operation.roles.includes('affiliate');
    const names = Object.keys(operation.parameters);
    const others = ['publisher_ids', ...ADMIN_FILTERS.filter((name) => !names.includes(name))];

    /** Ways to pass another value of a parameter. */
    function withValue(name: string, value: string): readonly string[] {
      const given = queryFor(operation, name, 'affiliate');
      given.set(name, value);
      const encoded = `${name}=${encodeURIComponent(value)}`;
      // Three forms: the value alone; after one of the affiliate's own values; before all other parameters.
      const own = `${name}=${new URLSearchParams(query).get(name) ?? OWN[0]}`;
      const forms = [given.toString(), `${query}&${own}&${encoded}`, `${encoded}&${query}`];
      return (isTheirs ? forms : forms.slice(0, 1)).map((form) => `${path}?${form}`);
    }

    /** Whether a parameter selects rows by their owner. Such parameters get each value in every way. */
    const isOfOwner = (name: string): boolean => /^(publisher|program)/.test(name);

    // In `npm test`, an operation that refuses every affiliate gets attacks through a part of its other parameters.
    const part = everyNth(names, isTheirs ? 1 : 3, place);
    const some = names.filter((name) => isOfOwner(name) || part.includes(name));

    test.each([...some, ...others])('through the value of %s', async (name) => {
      // In `npm test`, parameters that select no owner get one injection and one foreign value, in turn.
      const isSampled = !IS_FULL && !isOfOwner(name);
      const at = place + names.indexOf(name);
      const few = everyNth(injections, isSampled ? injections.length : 3, at);
      // An exclusion is parsed like the filter that it negates, which gets all values.
      const values = name.startsWith('exclude_') ? injections.slice(0, 2) : injections;
      const foreign = [String(FOREIGN), String(FOREIGN_PROGRAM)];
      const all = [
        ...(IS_FULL ? values : few),
        ...(isSampled ? everyNth(foreign, 2, at) : foreign),
      ];
      for (const [index, value] of all.entries()) {
        // The sampled values have one form each, and every form occurs.
        const forms = withValue(name, value);
        await expectNoBreaches(isSampled ? everyNth(forms, forms.length, at + index) : forms);
      }
    });

    test.each(some)('through any valid value of %s', async (name) => {
      const parameter = operation.parameters[name];
      if (parameter === undefined) throw new Error(name);
      for (const value of everyNth(validValues(parameter, 'affiliate'), 8, place)) {
        const given = queryFor(operation, name, 'affiliate');
        given.set(name, value);
        const asked = `${path}?${given}`;
        const headers = { prefer: 'count=exact' };
        const response = await service.get(asked, affiliate, headers);
        // If the service refused `offset`, the test would prove nothing.
        if (isTheirs && name === 'offset') expect(response.status).toBe(200);
        await expectOwnIn(response, asked);
      }
    });

    test('through a filter that only a foreign row matches: it looks like one that matches none', async () => {
      const valueIn = (row: FileRow, name: string) => row[comparedField(name)] ?? null;
      const filters = names.filter((name) => valueIn(foreignRow, name) !== valueIn(ownRow, name));
      const told = async (name: string, value: string) => {
        const asked = `${path}?${query}&${name}=${value}`;
        const headers = ['Prefer: count=exact', 'X-Request-Id: same'];
        const answer = await expectNoBreach({ target: asked, headers });
        const ofQuery = /^(date|etag|link|changes-after)$/;
        const shown = [...answer.headers].filter(([header]) => !ofQuery.test(header));
        return [answer.status, shown, answer.body];
      };
      // In `npm test`, lists get all filters, and the other reports, which cost more, a third.
      for (const name of path.endsWith('/transactions') ? filters : everyNth(filters, 3, place)) {
        const value = valueIn(foreignRow, name) ?? '';
        const foreign = await told(name, String(value));
        expect([name, foreign]).toEqual([
          name,
          await told(name, absentValue(comparedField(name), value)),
        ]);
      }
      const all = ['program_id', 'publisher_id', ...FILTERS].filter(
        (name) => names.includes(name) && !ADMIN_FILTERS.some((other) => other === name),
      );
      expect(filters.toSorted()).toEqual(all.toSorted());
    });

    test.each(isTheirs ? ADMIN_FILTERS : [])(
      'through %s, by which affiliates cannot filter: every value is refused alike',
      async (name) => {
        const value = ownRow[comparedField(name)] ?? '';
        const refusals = [String(value), '999000000000'].map(async (given) => {
          const { status, body } = await expectNoBreach({ target: `${target}&${name}=${given}` });
          return [status, body.replace(/"request_id":"[^"]*"/, '')];
        });
        const [own, absent] = await Promise.all(refusals);
        expect(own).toEqual(absent);
        expect(own?.[0]).toBe(400);
      },
    );

    test('through exclusions of all that they have: no other row appears', async () => {
      for (const name of names.filter((one) => isFilter(one) && one.startsWith('exclude_'))) {
        const value = ownRow[comparedField(name)] ?? 'none';
        await expectOwnIn(
          await service.get(`${target}&${name}=${value}`, affiliate),
          `${target}&${name}`,
        );
      }
    });

    test('through unknown parameters', async () => {
      for (const parameter of everyNth(UNKNOWN_PARAMETERS, 6, place)) {
        const forms = ['&', ';', '%26'].map((mark) => `${target}${mark}${parameter}`);
        const [first] = await expectNoBreaches(forms);
        expect(first?.status).not.toBe(200);
      }
    });

    test.each(everyNth(pathForms(path), 6, place))('through the path form %s', async (form) => {
      const [plain] = await expectNoBreaches([
        `${form}?${query}`,
        `${form}?${query}&publisher_id=${FOREIGN}`,
      ]);
      if (!isTheirs) expect(plain?.status).not.toBe(200);
    });

    test.each(everyNth(MISLEADING_HEADERS, 6, place))('through the header %s', async (header) => {
      const headers = [header];
      const { status } = await expectNoBreach({ target, headers });
      if (!isTheirs) expect(status).not.toBe(200);
      const foreign = `${target}&publisher_id=${FOREIGN}`;
      expect((await expectNoBreach({ target: foreign, headers })).status).not.toBe(200);
    });

    // biome-ignore format: as short as it is
    const methods = ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY', 'SEARCH'];
    test.each(methods)('through the method %s', async (method) => {
      const body = method === 'HEAD' ? '' : `publisher_id=${FOREIGN}&role=admin`;
      const answer = await expectNoBreach({ method, target, body });
      // A body is refused before the token is read.
      const isWriting = WRITING.some(
        (other) => other.path === operation.path && other.method === method.toLowerCase(),
      );
      const refusal = isWriting ? 413 : 405;
      expect(answer.status).toBe(method !== 'HEAD' ? refusal : isTheirs ? 200 : 403);
      if (method === 'HEAD') expect(answer.body).toBe('');
    });

    test('through any query, valid or not, if the endpoint is not for affiliates', async () => {
      if (isTheirs) return;
      const queries = ['', query, 'type=x', `${query}&publisher_id=100`, `${query}&role=admin`];
      for (const answer of await expectNoBreaches(queries.map((asked) => `${path}?${asked}`))) {
        const { status, body } = answer;
        expect({ status, code: JSON.parse(body).code }).toEqual({
          status: 403,
          code: 'wrong_role',
        });
      }
    });

    test("through an administrator's token anywhere except in the Authorization header", async () => {
      const places: readonly RawRequest[] = [
        { target: `${target}&access_token=${admin}` },
        { target: `${target}&${admin}` },
        { target: `${path}/${admin}?${query}` },
        { target: `http://${admin}@localhost${target}` },
        { target, headers: [`Cookie: access_token=${admin}`] },
        { target, headers: [`Proxy-Authorization: Bearer ${admin}`] },
        { target, headers: [`X-Request-Id: ${admin}`] },
        { target, body: `access_token=${admin}` },
      ];
      for (const place of places) {
        const { status } = await expectNoBreach(place);
        if (!isTheirs) expect(status).not.toBe(200);
      }
      const both = [`Authorization: Bearer ${affiliate}`, `Authorization: Bearer ${admin}`];
      for (const headers of [both, both.toReversed()]) {
        expect((await expectNoBreach({ target, headers })).status).toBe(401);
      }
    });
  });

  describe.each(Object.keys(MCP_TOOLS))(
    'with the tool %s, an affiliate gets nothing foreign',
    (name) => {
      const required = MCP_TOOLS[name]?.required;
      const parameters = parametersOf(name);
      const names = Object.keys(parameters);

      /** Calls a tool and checks the result. An error is not checked, because it may repeat the unknown tool name. */
      const call = async (given: object, tool = name): Promise<void> => {
        const params = { name: tool, arguments: { ...required, ...given } };
        const { status, body } = await attack({
          method: 'POST',
          target: '/mcp',
          headers: [
            'Content-Type: application/json',
            'Accept: application/json, text/event-stream',
          ],
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
        });
        const { result, error } = JSON.parse(body.replace(/^event: message\ndata: /, ''));
        expect([status, error?.code ?? -32_602]).toEqual([200, -32_602]);
        if (result === undefined) return;
        const { structuredContent, content } = result;
        expectOwnAnswer(structuredContent ?? content, JSON.stringify(params));
      };

      test('through an argument with any value', async () => {
        // The tests of the routes behind the tools send all attacks.
        const tool = Object.keys(MCP_TOOLS).indexOf(name);
        const attacks = [
          ...fullOrShort(INJECTIONS, FEW_INJECTIONS),
          [FOREIGN_PROGRAM],
          { value: FOREIGN },
        ];
        const selecting = /^(publisher|program|type|transaction_id)/;
        const others = names.filter((argument) => !selecting.test(argument));
        const all = [
          ...names.filter((argument) => selecting.test(argument)),
          ...['publisher_ids', 'role', 'type', 'transaction_id'],
          ...others.filter((argument) => isAttackedThrough(name, argument)),
        ];
        for (const [at, argument] of all.entries()) {
          const valid = validValues(parameters[argument] ?? NO_PARAMETER, 'affiliate');
          const attacking = everyNth(attacks, attacks.length, at + tool);
          const some = [
            ...attacking,
            String(FOREIGN),
            ...fullOrShort(valid, valid.slice(0, 1 - (at % 2))),
          ];
          // To these, it sends an attack or a foreign value. Arguments that select owners, types or rows get both.
          const isSampled = !IS_FULL && !selecting.test(argument);
          const asked = isSampled ? some.filter((_, index) => index !== at % 2) : some;
          await Promise.all(asked.map(async (value) => await call({ [argument]: value })));
        }
      });

      test("through an administrator's path in an argument or as the name of a tool", async () => {
        const forms = pathForms('/api/admin/transactions');
        for (const form of everyNth(forms, 6, Object.keys(MCP_TOOLS).indexOf(name))) {
          await call({ type: form });
          await call({}, form);
        }
      });
    },
  );

  describe.each(titled(PUBLIC))('at %s, which is open to everyone', (_, operation) => {
    const [path = ''] = targetOf(operation).split('?');
    const few = (attacks: readonly string[]) => everyNth(attacks, 6, PUBLIC.indexOf(operation));

    test('every client gets the same response, whatever it sends', async () => {
      const open = await attack({ target: path, headers: ['Authorization: Bearer none'] });
      expect(open.status).toBe(200);
      const asked: readonly RawRequest[] = [
        { target: path },
        { target: path, headers: [`Authorization: Bearer ${admin}`] },
        ...few(MISLEADING_HEADERS).map((header) => ({ target: path, headers: [header] })),
        ...few([...UNKNOWN_PARAMETERS, QUESTION]).map((query) => ({ target: `${path}?${query}` })),
      ];
      for (const request of asked) {
        const { status, body, text } = await expectNoBreach(request);
        expect(text).not.toContain(admin);
        if (status === 200) expect(withoutHost(body)).toBe(withoutHost(open.body));
      }
    });

    test('an unknown path parameter is 404', async () => {
      if (operation.pathParameters === undefined) return;
      for (const injection of injections) {
        const place = encodeURIComponent(injection.slice(0, 1000));
        const target = operation.path.replaceAll(/\{\w+\}/g, () => place);
        expect((await expectNoBreach({ target })).status).toBe(404);
      }
    });
  });

  test('the log of all these requests contains no token', () => {
    expect(service.log.join('')).not.toContain(affiliate);
    expect(service.log.join('')).not.toContain(admin);
    expect(service.log.length).toBeGreaterThan(500);
  });
});
