import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { secondsOfWallClock } from '../../../src/contract/query/calendar.ts';
import { FORMAT_NAMES, FORMATS } from '../../../src/contract/query/formats.ts';
import { FIELDS } from '../../../src/contract/record/fields.ts';
import { KINDS } from '../../../src/contract/record/kinds.ts';
import { RECORD_FIELDS, ROLES, type Role } from '../../../src/contract/record/records.ts';
import { plainStatement } from '../../../src/plan/sql.ts';
import { type ReadBack, readArrow, readParquet } from '../../support/databases/read-back.ts';
import { TESTED_STORES } from '../../support/databases/tested-stores.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { awkwardInsert } from '../../support/rows/awkward-row.ts';
import { everyNth, sampled } from '../../support/run/sampled.ts';
import { fullOrShort } from '../../support/run/test-extent.ts';

const ZONE = 'Europe/Paris';
const PERIOD = 'start_date=2025-12-31&end_date=2026-01-02';

type Row = Readonly<Record<string, unknown>>;

const DATES = FIELDS.filter(({ type }) => type === 'date').map(({ name }) => name as string);

/** A row of the JSON response with its dates as instants. No date is in an hour that occurs twice. */
const withInstants = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      DATES.includes(name) && typeof value === 'string'
        ? (secondsOfWallClock(value, ZONE)[0] ?? 0) * 1000
        : value,
    ]),
  );

const READERS: Readonly<Record<string, (bytes: Uint8Array) => ReadBack | Promise<ReadBack>>> = {
  parquet: readParquet,
  arrow: readArrow,
};

const TYPES: Readonly<Record<string, readonly [string, string, string]>> = {
  parquet: ['BIGINT', 'DECIMAL(18,6)', 'TIMESTAMP WITH TIME ZONE'],
  arrow: ['Int64', 'Decimal[18e+6]?', 'Timestamp<MILLISECOND, UTC>'],
};

/** Their rows are on several servers of a cluster. */
const WEBSITES = [100, 101, 102];

/** Valid values of fields that an import checks. */
const KNOWN = { publisher_id: '100', country: "'FR'", ip_address: "'2001:db8::1'" };

// biome-ignore format: in one line
const TEXTS = ['=SUM(A1)', '+1', '-1', '@x', '\tx', '\rx', '\nx', '＝1+1', '＋1', '－1', '＠x', 'é;"ü",', "'", '', ' x '];

/** Joins statements that insert into the same columns. */
function together(inserts: readonly string[]): string {
  const rows = inserts.map((insert) => `(${insert.slice(insert.indexOf('SELECT') + 6)})`);
  const [first = ''] = inserts;
  return `${first.slice(0, first.indexOf('SELECT'))} VALUES ${rows.join(', ')}`;
}

describe.each(TESTED_STORES)('on the store %s', (store) => {
  // Which fields apply to a kind does not depend on the number of servers.
  const kinds = store === 'cluster' ? (['sales'] as const) : KINDS;
  const kindsAndRoles = sampled(
    kinds.flatMap((kind) => ROLES.map((role) => ({ kind, role }))),
    ({ kind }) => kind,
    ({ role }) => role,
  );
  let service: TestService;
  const tokens = {} as Record<Role, string>;

  beforeAll(async () => {
    service = await startService({ store, timeZone: ZONE });
    const inserts: string[] = [];
    for (const kind of kinds) {
      inserts.push(awkwardInsert(kind, KNOWN));
      for (const [at, text] of TEXTS.entries()) {
        const given = {
          ...KNOWN,
          transaction_id: String(at),
          publisher_id: String(WEBSITES[at % WEBSITES.length]),
          status: String(at % 3),
          clickid: `unhex('${Buffer.from(text).toString('hex')}')`,
          remu_publisher: at % 2 === 0 ? 'NULL' : `toDecimal64('${at}.000001', 6)`,
          orderid: at % 2 === 0 ? 'NULL' : String(at),
          referer: "unhex('61ff62')",
          ...(at % 3 === 0 ? { coupon: 'NULL', subid: 'NULL' } : {}),
        };
        inserts.push(awkwardInsert(kind, given));
      }
    }
    // In `npm test`, one statement inserts all rows.
    for (const insert of fullOrShort(inserts, [together(inserts)])) {
      await service.database.engine.execute(plainStatement(insert));
    }
    for (const role of ROLES) {
      tokens[role] = await service.token({ role, publisherIds: WEBSITES, locale: 'fr' });
    }
  });

  afterAll(async () => await service.close());

  const ask = async (role: Role, question: string, headers = {}) =>
    await service.get(`/api/${role}/transactions?${PERIOD}&${question}`, tokens[role], headers);

  const jsonOf = async (role: Role, question: string) =>
    (await (await ask(role, question)).json()) as readonly Row[];

  async function fileOf(role: Role, format: string, question: string) {
    const answer = await ask(role, `${question}&format=${format}`);
    expect(answer.status).toBe(200);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect(answer.headers.get('content-length')).toBe(String(bytes.length));
    const read = await READERS[format]?.(bytes);
    if (read === undefined) throw new Error(`No reader of ${format}`);
    return { ...read, headers: answer.headers };
  }

  describe.each(Object.keys(READERS))('%s', (format) => {
    /** In `npm test`, each format gets half of the questions, and together they get all. */
    const half = <Case>(cases: readonly Case[]) =>
      everyNth(cases, 2, Object.keys(READERS).indexOf(format));

    test.each(kindsAndRoles)(
      'has the same $kind for an $role as JSON, in the same order',
      async ({ kind, role }) => {
        const rows = await jsonOf(role, `type=${kind}`);
        expect(rows).toHaveLength(TEXTS.length + 1);
        const file = await fileOf(role, format, `type=${kind}`);
        expect(Object.keys(file.types)).toEqual(RECORD_FIELDS[role].map(({ name }) => name));
        expect(file.rows).toEqual(rows.map(withInstants));
      },
    );

    test('has types that all readers know, and a file name', async () => {
      const { types, headers } = await fileOf('admin', format, 'type=sales');
      const { transaction_id, amount, created_at } = types;
      expect([transaction_id, amount, created_at]).toEqual(TYPES[format]);
      expect(headers.get('content-disposition')).toBe(
        `attachment; filename="sales_2025-12-31_2026-01-02.${format}"`,
      );
    });

    test.each(
      half([
        'order=desc',
        'status=1,2',
        'fields=updated_at,status_label,amount,transaction_id',
        'fields=status_label',
        'transaction_id=3,5,7',
        'publisher_id=100',
        `clickid=${encodeURIComponent('é;"ü",')}`,
        `clickid=${encodeURIComponent("'")}`,
        'date_field=updated_at',
        'date_field=validation_date&order=desc',
      ]),
    )('supports %s like JSON', async (question) => {
      const rows = await jsonOf('admin', `type=sales&${question}`);
      expect(rows).not.toEqual([]);
      const file = await fileOf('admin', format, `type=sales&${question}`);
      expect(file.rows).toEqual(rows.map(withInstants));
      expect(Object.keys(file.types)).toEqual(Object.keys(rows[0] ?? {}));
    });

    test('without rows is a file with all columns', async () => {
      const { rows, types } = await fileOf(
        'affiliate',
        format,
        'type=sales&status=0&transaction_id=1',
      );
      expect(rows).toEqual([]);
      expect(Object.keys(types)).toEqual(RECORD_FIELDS.affiliate.map(({ name }) => name));
    });

    test.each(half(['asc', 'desc']))('in pages, %s, has every row once', async (order) => {
      const question = `type=sales&order=${order}`;
      const all: Row[] = [];
      const sizes: number[] = [];
      for (let cursor = ''; sizes.length < 20; ) {
        const { rows, headers } = await fileOf('admin', format, `${question}&limit=5${cursor}`);
        all.push(...rows);
        sizes.push(rows.length);
        const next = /cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1];
        if (next === undefined) break;
        cursor = `&cursor=${next}`;
      }
      expect(sizes).toEqual([5, 5, 5, 1]);
      expect(all).toEqual((await jsonOf('admin', question)).map(withInstants));
    });

    test('is not compressed again, and is refused to clients that accept only compression', async () => {
      const question = `type=sales&format=${format}`;
      const answer = await ask('admin', question, { 'accept-encoding': 'zstd, br, gzip' });
      expect(answer.headers.get('content-encoding')).toBeNull();
      await answer.arrayBuffer();
      const refused = await ask('admin', question, { 'accept-encoding': 'gzip, identity;q=0' });
      expect(refused.status).toBe(406);
    });
  });

  /** The row in CSV: every value is text, and null is empty. */
  const asTexts = (row: Row): Row =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, value === null ? '' : String(value)]),
    );

  test.each(kindsAndRoles)(
    'CSV of $kind for an $role is RFC 4180 and equals JSON',
    async ({ kind, role }) => {
      const text = await (await ask(role, `type=${kind}&format=csv`)).text();
      const rows: Row[] = parse(text, { columns: true, record_delimiter: '\r\n' });
      expect(rows).toEqual((await jsonOf(role, `type=${kind}`)).map(asTexts));
    },
  );

  test('CSV for spreadsheets has a byte order mark, semicolons, decimal commas and no formulas', async () => {
    const bytes = Buffer.from(await (await ask('admin', 'type=sales&csv=excel')).arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const rows: Record<string, string>[] = parse(bytes, {
      bom: true,
      columns: true,
      delimiter: ';',
      record_delimiter: '\r\n',
    });
    const clickids = rows.slice(0, TEXTS.length).map(({ clickid }) => clickid);
    expect(clickids).toEqual(
      TEXTS.map((text) => (/^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text)),
    );
    expect(rows[1]?.remu_publisher).toBe('1,000001');
    expect(rows[0]?.status_label).toBe('Refusé');
    const english = await (await ask('admin', 'type=sales&csv=excel-en')).text();
    const same: Record<string, string>[] = parse(english, { bom: true, columns: true });
    expect(same.map(({ clickid }) => clickid)).toEqual(rows.map(({ clickid }) => clickid));
    expect(same[1]?.remu_publisher).toBe('1.000001');
  });

  test('the parameter format takes precedence over the header Accept', async () => {
    const answer = await ask('admin', 'type=sales&format=ndjson', { accept: 'text/csv' });
    expect(answer.headers.get('content-type')).toContain('application/x-ndjson');
    await answer.text();
  });

  test.each([
    ['application/vnd.apache.parquet', 'application/vnd.apache.parquet'],
    ['application/vnd.apache.arrow.file', 'application/vnd.apache.arrow.file'],
    ['text/csv, application/json;q=0.5', 'text/csv'],
    ['image/png, */*;q=0.1', 'application/json'],
  ])('Accept: %s gets %s', async (accept, type) => {
    const answer = await ask('admin', 'type=sales', { accept });
    expect(answer.headers.get('content-type')?.split(';')[0]).toBe(type);
    await answer.arrayBuffer();
  });

  test.each(FORMAT_NAMES)(
    'the header Accept with the media type of %s selects that format',
    async (name) => {
      const { mediaType } = FORMATS[name];
      for (const accept of [mediaType, `${mediaType};q=0.5, image/png`]) {
        const answer = await ask('admin', 'type=sales&limit=1', { accept });
        expect(answer.headers.get('content-type'), accept).toBe(mediaType);
        await answer.arrayBuffer();
      }
    },
  );

  test('CSV of one field has a line for each record, even for null', async () => {
    for (const name of ['subid', 'coupon', 'status_label', 'total']) {
      const question = `type=sales&fields=${name}`;
      const [header, ...lines] = parse(
        await (await ask('admin', `${question}&format=csv`)).text(),
        {
          skipEmptyLines: true,
        },
      );
      expect(header).toEqual([name]);
      const values = (await jsonOf('admin', question)).map((row) => [String(row[name] ?? '')]);
      expect(lines).toEqual(values);
    }
  });

  test('an unknown media type is 406, and for an unknown format the right one is suggested', async () => {
    expect((await ask('admin', 'type=sales', { accept: 'image/png' })).status).toBe(406);
    const answer = await ask('admin', 'type=sales&format=parket');
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('parquet');
  });

  test('HEAD of a file has the headers of GET', async () => {
    const path = `/api/admin/transactions?${PERIOD}&type=sales&format=parquet&limit=5`;
    const headers = { authorization: `Bearer ${tokens.admin}` };
    const answer = await fetch(service.url + path, { method: 'HEAD', headers });
    expect(answer.status).toBe(200);
    const whole = await fetch(service.url + path, { headers });
    const { byteLength } = await whole.arrayBuffer();
    for (const name of ['content-type', 'content-length', 'etag', 'accept-ranges', 'link']) {
      expect(answer.headers.get(name), name).toBe(whole.headers.get(name));
    }
    expect(answer.headers.get('content-length')).toBe(String(byteLength));
    expect(answer.headers.get('link')).toContain('rel="next"');
  });
});
