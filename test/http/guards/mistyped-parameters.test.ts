import { distance } from 'fastest-levenshtein';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Problem } from '../../../src/contract/problems/problems.ts';
import { FORMAT_NAMES } from '../../../src/contract/query/formats.ts';
import {
  DATE_FIELDS,
  LIST_PARAMETERS,
  ORDERS,
  type ParameterTable,
  SUMMARY_PARAMETERS,
} from '../../../src/contract/query/parameters.ts';
import { PERFORMANCE_PARAMETERS } from '../../../src/contract/query/performance-parameters.ts';
import {
  readListQuery,
  readPerformanceQuery,
  readSummaryQuery,
} from '../../../src/contract/query/query.ts';
import { KINDS } from '../../../src/contract/record/kinds.ts';
import { fieldNamesOf, type Role } from '../../../src/contract/record/records.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { IS_FULL } from '../../support/run/test-extent.ts';

let service: TestService;
let token: string;

beforeAll(async () => {
  service = await startService();
  token = await service.token({});
});

afterAll(async () => await service.close());

/** Forms of a name with one mistake at each place: a letter is removed, added, replaced, or swapped with the next. */
function mistyped(name: string, known: readonly string[]): readonly string[] {
  const forms = [...name].flatMap((letter, at) => [
    name.slice(0, at) + name.slice(at + 1),
    `${name.slice(0, at)}q${name.slice(at)}`,
    `${name.slice(0, at)}q${name.slice(at + 1)}`,
    name.slice(0, at) + (name[at + 1] ?? '') + letter + name.slice(at + 2),
  ]);
  return [...new Set(forms)].filter((form) => form !== '' && !known.includes(form));
}

const GOOD = { type: 'sales', start_date: '2026-01-01', end_date: '2026-01-31' };

interface Fault {
  readonly parameter: string;
  readonly code: string;
  readonly detail: string;
}

async function faultsOf(path: string, parameters: Readonly<Record<string, string>>) {
  const query = new URLSearchParams(parameters);
  const response = await service.get(`/api/admin/${path}?${query}`, token);
  expect(response.status, String(query)).toBe(400);
  return ((await response.json()) as { errors: readonly Fault[] }).errors;
}

/** The faults that the parser finds, without a request for each of some thousand names. */
function parsedFaults(
  read: (queryString: string, role: Role) => unknown,
  parameters: Readonly<Record<string, string>>,
): readonly Fault[] {
  try {
    read(new URLSearchParams(parameters).toString(), 'admin');
    return [];
  } catch (error) {
    if (error instanceof Problem) return error.faults;
    throw error;
  }
}

describe.each([
  ['transactions', LIST_PARAMETERS, readListQuery],
  ['transactions/summary', SUMMARY_PARAMETERS, readSummaryQuery],
  ['performance', PERFORMANCE_PARAMETERS, readPerformanceQuery],
] as const)('of %s', (path, table, read) => {
  const names = Object.keys(table);

  test.each(names)(
    'the parameter %s with one letter changed is refused, and the right one is suggested',
    async (name) => {
      const example = (table as ParameterTable)[name]?.example ?? '';
      const { [name as keyof typeof GOOD]: _, ...rest } = GOOD;
      const all = mistyped(name, names);
      for (const wrong of all) {
        const faults = parsedFaults(read, { ...rest, [wrong]: example });
        const fault = faults.find(({ parameter }) => parameter === wrong);
        expect(fault?.code).toBe('unknown');
        expect(fault?.detail).toContain(`Did you mean "${name}"?`);
      }
      const [one = ''] = all;
      const parameters = { ...rest, [one]: example };
      expect(await faultsOf(path, parameters)).toEqual(parsedFaults(read, parameters));
    },
  );
});

test.each([
  ['type', KINDS],
  ['date_field', DATE_FIELDS],
  ['order', ORDERS],
  ['format', FORMAT_NAMES],
  ['fields', fieldNamesOf('admin')],
] as const)(
  'a value of %s with one letter changed is refused, and the right one is suggested',
  async (name, values) => {
    for (const value of values) {
      const others = (values as readonly string[]).filter((other) => other !== value);
      // If another value is as near, either of them may be suggested.
      const meant = (wrong: string) =>
        others.every((other) => distance(wrong, other) > distance(wrong, value));
      for (const [at, wrong] of mistyped(value, values).filter(meant).entries()) {
        const parameters = { ...GOOD, [name]: wrong };
        // In `npm test`, one request for each value; the other mistakes are given to the parser alone.
        const [fault] =
          IS_FULL || at === 0
            ? await faultsOf('transactions', parameters)
            : parsedFaults(readListQuery, parameters);
        expect(fault).toMatchObject({ parameter: name, code: 'invalid' });
        expect(fault?.detail, wrong).toContain(`Did you mean "${value}"?`);
      }
    }
  },
);

test('a suggestion is made for one wrong value among several', async () => {
  const [fault] = await faultsOf('transactions/summary', {
    ...GOOD,
    group_by: 'day,rogram_id',
  });
  expect(fault?.detail).toContain('Item 2 is not one of them. Did you mean "day,program_id"?');
});

test.each(['transactions', 'transactions/summary', 'performance', 'me'])(
  'for %s, a parameter without a name is reported, and so are 1,500 unknown ones',
  async (path) => {
    const admin = path === 'me' ? '' : 'admin/';
    const many = Array.from({ length: 1500 }, (_, at) => `${at.toString(36)}=`).join('&');
    for (const [query, count] of [
      ['=x', 1],
      [many, 1500],
    ] as const) {
      const response = await service.get(`/api/${admin}${path}?${query}`, token);
      expect(response.status).toBe(400);
      const { errors } = (await response.json()) as { errors: readonly Fault[] };
      expect(errors.filter(({ code }) => code === 'unknown')).toHaveLength(count);
    }
  },
);
