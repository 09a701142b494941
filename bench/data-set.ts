/** Benchmark data generated in the engine: transactions of three months with every field of their kind. */

import { join } from 'node:path';
import { appliesTo, type FieldName, STORED_FIELDS } from '../src/contract/record/fields.ts';
import type { Kind } from '../src/contract/record/kinds.ts';
import { LocalOperator } from '../src/control/local-operator.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { plainStatement } from '../src/plan/sql.ts';
import { TRANSACTION_TABLES } from '../src/schema/transaction-tables.ts';

export interface DataSet {
  readonly url: string;
  readonly rows: number;
  /** The rows as CSV without a header, with `\N` for null. */
  readonly csv: string;
  readonly csvWithHeader: string;
  /** CSV with a header: the same rows with other identifiers, for a second import. */
  readonly otherCsv: string;
  readonly adminToken: string;
  readonly affiliateToken: string;
  /** The websites of the affiliate's token. */
  readonly websites: readonly number[];
  readonly programs: readonly number[];
}

const FIRST_DAY = '2026-01-01';
/** Average rows of a website and of a program, so that responses have about the same size in any data set. */
const ROWS_OF_WEBSITE = 333;
const ROWS_OF_PROGRAM = 20_000;

/** The number of websites of one affiliate. */
const WEBSITES = 2000;

/** Deletes old parts soon after a merge. By default they stay for eight minutes, which would fill the disk. */
const SOON_CLEARED =
  'old_parts_lifetime = 10, cleanup_delay_period = 5, max_cleanup_delay_period = 10';

/** All rows are spread evenly over these days. */
export const DAYS = 90;

const programsOf = (rows: number): number => Math.ceil(rows / ROWS_OF_PROGRAM);

/** Whether a row is paid: of impressions only every tenth row, and of other kinds every row. */
const IS_PAID = "(kind != 'impressions' OR number % 10 = 0)";

/** How the engine computes the columns of a row from its `number`, the time `at` and its `kind`. */
const expressionsOf = (rows: number) =>
  ({
    transaction_id: 'number + 1',
    program_id: `1 + cityHash64(number, 1) % ${programsOf(rows)}`,
    publisher_id: `1 + cityHash64(number, 2) % ${Math.ceil(rows / ROWS_OF_WEBSITE)}`,
    support_id: '1 + number % 7',
    invoice_id: "if(number % 3 = 0, NULL, concat('INV-', toString(number % 1000)))",
    payment_id: "if(number % 2 = 0, NULL, concat('PAY-', toString(number % 5000)))",
    remu_program: `if(${IS_PAID}, (cityHash64(number, 3) % 100000) / 1000, 0)`,
    remu_publisher: `if(${IS_PAID}, (cityHash64(number, 4) % 100000) / 1250, 0)`,
    ip_address:
      "concat('198.18.', toString(number % 256), '.', toString(cityHash64(number, 5) % 256))",
    pid: 'NULL',
    clickid:
      "if(kind = 'impressions', NULL, lower(hex(cityHash64(number, 6)) || hex(cityHash64(number, 7))))",
    subid: "if(number % 4 = 0, NULL, concat('campaign-', toString(number % 321)))",
    token: 'NULL',
    total: '1 + cityHash64(number, 9) % 1000',
    orderid: 'number + 5',
    userid: 'number % 77777',
    target: "'checkout'",
    amount: '(cityHash64(number, 8) % 1000000) / 100',
    coupon: "if(number % 10 = 0, concat('SUMMER', toString(number % 20)), NULL)",
    share: 'number % 3',
    share_label: "['Last click', 'First click', 'Split'][1 + number % 3]",
    first_click: 'at - 86400',
    last_click: 'at - 3600',
    first_referer:
      "concat('https://blog.example/articles/', toString(number % 5000), '?utm_source=news')",
    last_referer: "concat('https://search.example/?q=', toString(number % 977))",
    country: "['FR', 'DE', 'ES', 'IT', 'GB'][1 + number % 5]",
    device_type: "['mobile', 'desktop', 'tablet'][1 + number % 3]",
    device_os: "['iOS', 'Android', 'Windows', 'macOS'][1 + number % 4]",
    browser: "['Chrome', 'Safari', 'Firefox'][1 + number % 3]",
    referer: "concat('https://shop.example/product/', toString(number % 10000))",
    status: 'number % 3',
    validation_date: 'if(number % 3 = 1, at + 1728000, NULL)',
    created_at: 'at',
    updated_at: 'at + 1728000',
  }) satisfies Record<Exclude<FieldName, 'status_label'>, string>;

/** The statement that inserts the rows of a data set into the table `transactions`. */
function insertOf(rows: number, kind: Kind): string {
  const expressions: Readonly<Record<string, string>> = expressionsOf(rows);
  const names = STORED_FIELDS.filter((field) => appliesTo(field, kind)).map(({ name }) => name);
  return `INSERT INTO transactions (type, ${names.join(', ')})
WITH toDateTime('${FIRST_DAY} 00:00:00', 'UTC') + intDiv(number * ${DAYS * 86_400}, ${rows}) AS at, '${kind}' AS kind
SELECT kind, ${names.map((name) => expressions[name]).join(', ')}
FROM numbers(${rows})
SETTINGS max_insert_threads = 1, min_insert_block_size_rows = 65536, min_insert_block_size_bytes = 0, parallel_view_processing = 1`;
}

/** Creates a database with rows and tokens in a directory. By default, also writes the rows as CSV beside it. */
export async function makeDataSet(
  directory: string,
  rows: number,
  { withCsv = true, kind = 'sales' }: { withCsv?: boolean; kind?: Kind } = {},
): Promise<DataSet> {
  const url = `chdb:${join(directory, 'db')}`;
  const csv = join(directory, 'rows.csv');
  const csvWithHeader = join(directory, 'sales.csv');
  const otherCsv = join(directory, 'other-sales.csv');
  const database = await openDatabase({ url, timeZone: 'UTC' });
  const operator = new LocalOperator(database);
  try {
    for (const { table } of TRANSACTION_TABLES) {
      await database.engine.execute(
        plainStatement(`ALTER TABLE ${table} MODIFY SETTING ${SOON_CLEARED}`),
      );
    }
    await database.engine.execute(plainStatement(insertOf(rows, kind)));
    for (const { table } of TRANSACTION_TABLES) {
      await database.engine.execute(plainStatement(`OPTIMIZE TABLE ${table} FINAL`));
    }
    const files = [
      [csv, 'CSV', 'transactions'],
      [csvWithHeader, 'CSVWithNames', 'transactions'],
      [
        otherCsv,
        'CSVWithNames',
        `(SELECT * REPLACE (transaction_id + ${rows} AS transaction_id) FROM transactions)`,
      ],
    ] as const;
    for (const [file, format, source] of withCsv ? files : []) {
      await database.engine.execute(
        plainStatement(
          `INSERT INTO FUNCTION file('${file}', '${format}') SELECT type, ${STORED_FIELDS.map(({ name }) => name).join(', ')} FROM ${source} ORDER BY created_at`,
        ),
      );
    }
    const order = { publisherIds: [], programIds: [], locale: 'fr' } as const;
    const admin = await operator.createToken({ ...order, role: 'admin' });
    const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
    const websites = upTo(WEBSITES);
    const affiliate = await operator.createToken({
      ...order,
      role: 'affiliate',
      publisherIds: websites,
    });
    return {
      url,
      rows,
      csv,
      csvWithHeader,
      otherCsv,
      adminToken: admin.token,
      affiliateToken: affiliate.token,
      websites,
      programs: upTo(programsOf(rows)),
    };
  } finally {
    await operator.close();
  }
}

/** A day of the data set, counted from the first. */
export const dayOf = (at: number): string =>
  new Date(Date.parse(`${FIRST_DAY}T00:00:00Z`) + at * 86_400_000).toISOString().slice(0, 10);
