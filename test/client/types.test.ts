import { describe, expectTypeOf, test } from 'vitest';
import {
  type AdminTransaction,
  type AffiliateTransaction,
  type ApiProblem,
  createClient,
  type Me,
  type NewManagedToken,
  type ProblemCode,
  type WebhookWithSecret,
} from '../../client/src/index.ts';
import { createClient as createNodeClient } from '../../client/src/node/index.ts';
import type { ProblemCode as ServedCode } from '../../src/contract/problems/problems.ts';
import type { Me as ServedMe } from '../../src/contract/record/me.ts';
import type { Row } from '../../src/contract/record/rows.ts';
import type { NewManagedToken as ServedNewToken } from '../../src/contract/tokens/managed-token.ts';
import type { WebhookWithSecret as ServedWebhook } from '../../src/contract/webhooks/managed-webhook.ts';

const { admin, affiliate } = createClient({ baseUrl: 'http://127.0.0.1', token: 'x' });
const PERIOD = { start_date: '2026-01-01', end_date: '2026-01-31' } as const;
const SALES = { type: 'sales', ...PERIOD } as const;

/** The type of a row of a list. The function is never called, so no request is sent. */
const rowOf = <Value>(_: () => AsyncIterable<Value>): Value | undefined => undefined;
const answerOf = <Value>(_: () => Promise<Value>): Value | undefined => undefined;

describe('types from the OpenAPI document equal those of the service', () => {
  test('records', () => {
    type Loose<Shape> = { [Name in keyof Shape]: Shape[Name] };
    expectTypeOf<Omit<AdminTransaction, 'status_label'>>().branded.toEqualTypeOf<
      Loose<Omit<Row<'admin'>, 'status_label'>>
    >();
    expectTypeOf<Omit<AffiliateTransaction, 'status_label'>>().branded.toEqualTypeOf<
      Loose<Omit<Row<'affiliate'>, 'status_label'>>
    >();
    expectTypeOf<AdminTransaction['status_label']>().toExtend<string>();
  });

  test('problems and access', () => {
    expectTypeOf<ProblemCode>().toEqualTypeOf<ServedCode>();
    expectTypeOf<ServedCode>().toExtend<ApiProblem['code']>();
    // A newer service may send other codes.
    expectTypeOf<string>().toExtend<ApiProblem['code']>();
    expectTypeOf<Me>().toExtend<ServedMe>();
    expectTypeOf<ServedMe>().toExtend<Me>();
    expectTypeOf<NewManagedToken>().toExtend<ServedNewToken>();
    expectTypeOf<ServedNewToken>().toExtend<NewManagedToken>();
    expectTypeOf<WebhookWithSecret>().toExtend<ServedWebhook>();
    expectTypeOf<ServedWebhook>().toExtend<WebhookWithSecret>();
  });
});

test('rows have the fields of the role', () => {
  const ofAdmin = rowOf(() => admin.transactions.list(SALES));
  const ofAffiliate = rowOf(() => affiliate.transactions.list(SALES));
  expectTypeOf(ofAdmin).branded.toEqualTypeOf<AdminTransaction | undefined>();
  expectTypeOf(ofAffiliate).branded.toEqualTypeOf<AffiliateTransaction | undefined>();
  expectTypeOf(ofAffiliate).not.toExtend<{ amount: unknown } | undefined>();
});

test('rows have only the requested fields', () => {
  const row = rowOf(() =>
    admin.transactions.list({ ...SALES, fields: ['transaction_id', 'amount'] }),
  );
  expectTypeOf(row).branded.toEqualTypeOf<
    { readonly transaction_id: number; readonly amount: number | null } | undefined
  >();
  const page = answerOf(() => admin.transactions.page({ ...SALES, limit: 5, fields: 'status' }));
  expectTypeOf(page?.rows[0]).branded.toEqualTypeOf<
    { readonly status: '0' | '1' | '2' } | undefined
  >();
});

test('groups have the fields of their groupings', () => {
  const all = answerOf(() => admin.transactions.summary(SALES))?.[0];
  expectTypeOf(all).branded.toEqualTypeOf<
    | {
        readonly count: number;
        readonly total: number;
        readonly remu_program: number;
        readonly remu_publisher: number;
        readonly amount: number;
        readonly fingerprint: string;
      }
    | undefined
  >();
  const byDay = answerOf(() =>
    affiliate.transactions.summary({ ...SALES, group_by: ['day', 'status'] }),
  )?.[0];
  expectTypeOf(byDay?.day).toEqualTypeOf<string | undefined>();
  expectTypeOf(byDay?.status).toEqualTypeOf<'0' | '1' | '2' | undefined>();
  expectTypeOf(byDay?.status_label).toExtend<string | undefined>();
  expectTypeOf(byDay?.remuneration).toEqualTypeOf<number | undefined>();
  expectTypeOf(byDay).not.toHaveProperty('month');
});

test('performance has the fields of its groupings, and the measures of the role', () => {
  const all = answerOf(() => admin.performance(PERIOD))?.[0];
  expectTypeOf(all?.earnings).toEqualTypeOf<number | undefined>();
  expectTypeOf(all?.conversion_rate).toEqualTypeOf<number | null | undefined>();
  expectTypeOf(all?.former_earnings).toEqualTypeOf<number | undefined>();
  expectTypeOf(all).not.toHaveProperty('program_id');
  const bySubId = answerOf(() => affiliate.performance({ ...PERIOD, group_by: 'subid' }))?.[0];
  expectTypeOf(bySubId?.subid).toEqualTypeOf<string | null | undefined>();
  expectTypeOf(bySubId).not.toHaveProperty('amount');
  type Question = Parameters<typeof affiliate.performance<'day'>>[0];
  expectTypeOf<typeof PERIOD & { sort: '-earnings' }>().toExtend<Question>();
  expectTypeOf<typeof PERIOD & { sort: '-amount' }>().not.toExtend<Question>();
});

test('queries have the parameters of the service', () => {
  type Question = Parameters<typeof admin.transactions.list>[0];
  expectTypeOf<{ type: 'clicks' } & typeof PERIOD>().not.toExtend<Question>();
  expectTypeOf<typeof PERIOD>().not.toExtend<Question>();
  expectTypeOf<typeof SALES & { program_id: number[] }>().toExtend<Question>();
  expectTypeOf<typeof SALES & { program_id: string }>().toExtend<Question>();
  expectTypeOf<typeof SALES & { status: readonly ['1', '2'] }>().toExtend<Question>();
  expectTypeOf<typeof SALES & { status: '3' }>().not.toExtend<Question>();
  expectTypeOf<typeof SALES & { fields: ['amounts'] }>().not.toExtend<Question>();
  type OfAffiliate = Parameters<typeof affiliate.transactions.list>[0];
  expectTypeOf<typeof SALES & { fields: ['amount'] }>().not.toExtend<OfAffiliate>();
});

test('only requests that are read in pages can be sorted', () => {
  const sorted = { ...SALES, sort: '-amount' } as const;
  const list = (isStream: boolean) => {
    admin.transactions.list(sorted);
    admin.transactions.list(sorted, { pageSize: 10, stream: false });
    admin.transactions.list(SALES, { stream: isStream });
    // @ts-expect-error A stream cannot be sorted.
    admin.transactions.list(sorted, { stream: true });
    // @ts-expect-error A list that may be a stream cannot be sorted either.
    admin.transactions.list(sorted, { stream: isStream });
    // @ts-expect-error A tag belongs to a whole list, and only pages can be sorted.
    return admin.transactions.tag(sorted);
  };
  expectTypeOf(list).toBeFunction();
  type Download = Parameters<typeof admin.transactions.download>[0];
  expectTypeOf<typeof sorted & { format: 'csv' | 'ndjson' }>().toExtend<Download>();
  expectTypeOf<typeof sorted & { format: 'parquet' }>().not.toExtend<Download>();
  expectTypeOf<typeof sorted & { format: 'json' }>().not.toExtend<Download>();
  expectTypeOf<typeof SALES & { format: 'json' | 'csv' }>().toExtend<Download>();
});

test('optional parameters may be undefined, such as the cursor after the last page', () => {
  type Page = NonNullable<ReturnType<typeof nextOf>>;
  const nextOf = () => answerOf(() => admin.transactions.page({ ...SALES, limit: 5 }));
  type PageParameters = Parameters<typeof admin.transactions.page>[0];
  expectTypeOf<typeof SALES & { limit: 5; cursor: Page['next'] }>().toExtend<PageParameters>();
  expectTypeOf<typeof SALES & { limit: undefined }>().not.toExtend<PageParameters>();
  type PageOptions = NonNullable<Parameters<typeof admin.transactions.page>[1]>;
  expectTypeOf<{ signal: AbortSignal | undefined }>().toExtend<PageOptions>();
  type Options = Parameters<typeof createClient>[0];
  expectTypeOf<{ baseUrl: string; token: string; language: undefined }>().toExtend<Options>();
});

test('downloads go to streams, in Node.js to files', () => {
  type Target = Parameters<typeof admin.transactions.download>[1];
  expectTypeOf<Target>().toEqualTypeOf<WritableStream<Uint8Array>>();
  const node = createNodeClient({ baseUrl: 'http://127.0.0.1', token: 'x' });
  type FileTarget = Parameters<typeof node.admin.transactions.download>[1];
  expectTypeOf<FileTarget>().toEqualTypeOf<string | URL>();
});
