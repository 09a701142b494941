import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMappingFile } from '../../../src/cli/inputs/mapping-file.ts';
import { mappingText } from '../../../src/cli/output/mapping-text.ts';
import { suggestForFile } from '../../../src/ingest/suggestion/suggest-for-file.ts';
import { startImports, type TestImports } from '../../support/databases/imports.ts';
import { everyNth } from '../../support/run/sampled.ts';

let imports: TestImports;
let directory: string;

beforeAll(async () => {
  imports = await startImports();
  directory = await mkdtemp(join(tmpdir(), 'transactions-networks-'));
});

afterAll(async () => {
  await imports.close();
  await rm(directory, { recursive: true, force: true });
});

/** For each network: an export with its column names and invented rows, and the required fields it lacks. */
const NETWORKS = {
  awin: {
    text: `id,advertiser_id,publisher_id,site_name,sale_amount,commission,date,commission_status,validation_date,type,voucher_code,click_ref
101,1001,345,Example,"1,299.90",129.99,2026-01-15 14:03:21,1,2026-02-01 00:00:00,Sale,SAVE10,blog
102,1001,345,Example,20.00,2.00,2026-01-16 08:00:00,2,2026-02-02 00:00:00,Sale,,
103,1002,345,Example,5.50,0.55,2026-01-17 08:00:00,0,,Sale,,
`,
    missing: ['support_id', 'updated_at'],
    amounts: [1299.9, 20, 5.5],
  },
  cj: {
    text: `commissionId,advertiserId,websiteId,actionType,actionStatus,saleAmountPubCurrency,pubCommissionAmountPubCurrency,eventDate,postingDate,clickDate,shopperId,orderId
201,2001,345,sim_sale,closed,99.90,9.99,2026-01-15T14:03:21Z,2026-01-15T15:00:00Z,2026-01-15T10:00:00Z,blog,A-1
202,2001,345,item_sale,new,10.00,1.00,2026-01-16T14:03:21Z,2026-01-16T15:00:00Z,2026-01-16T10:00:00Z,,A-2
`,
    missing: ['support_id', 'validation_date'],
    amounts: [10, 99.9],
  },
  impact: {
    text: `Action Id,Campaign Id,Campaign Name,Media Partner Id,Status,Sale Amount,Payout,Action Date,Modification Date,Locking Date,Sub Id 1
8882.1234.1234567,3001,Example,345,APPROVED,$99.90,$9.99,01/15/2026 2:03 PM,,02/20/2026,blog
8882.1234.1234568,3001,Example,345,REVERSED,$10.00,$1.00,01/16/2026 2:03 PM,01/20/2026,02/21/2026,
`,
    missing: ['type', 'transaction_id', 'support_id', 'updated_at'],
    amounts: [10, 99.9],
  },
  effiliation: {
    text: `id_transaction;id_affilieur;id_programme;id_session;effi_id;type;montant;commission;etat;date;dateclic;datevalidation
401;41;4001;9;blog;Vente;1 299,90;129,99;Valide;15/01/2026;14/01/2026;20/01/2026
402;41;4001;9;;Vente;10,00;1,00;Refus;16/01/2026;14/01/2026;20/01/2026
403;41;4001;9;;Vente;5,00;0,50;Attente;17/01/2026;14/01/2026;
`,
    missing: ['publisher_id', 'support_id', 'updated_at'],
    amounts: [5, 10, 1299.9],
  },
  timeone: {
    text: `id;SubID;ActionDate;ValidationDate;ActionStatus;ActionType;ProgramCommission;ActionCommission;CartAmount;programid;partid
501;blog;2026-01-15 09:42:18;2026-02-02;2;3;1.500EUR;1.250;99.90;5001;345
502;;2026-01-16 09:42:18;;1;3;0.500EUR;0.250;10.00;5001;345
`,
    missing: ['support_id', 'updated_at'],
    amounts: [10, 99.9],
  },
};

const ASSUMED = {
  type: { value: 'sales' },
  publisher_id: { value: 345 },
  support_id: { value: 1 },
  validation_date: { from: 'postingDate', when_status: 1 },
} as const;

const ascending = (one: number | null, other: number | null): number => Number(one) - Number(other);

async function suggestionFor(name: string, text: string) {
  const path = join(directory, `${name}.csv`);
  await writeFile(path, text);
  const expected = { rows: 'transactions', typeGiven: false } as const;
  return await suggestForFile({ path, name: `${name}.csv` }, expected, directory);
}

test.each(everyNth(Object.entries(NETWORKS), 2))(
  'the mapping suggested for an export of %s imports it after missing fields are added',
  async (name, { text, missing, amounts }) => {
    const suggestion = await suggestionFor(name, text);
    expect(suggestion.missing).toEqual(missing);
    const suggested = JSON.parse(mappingText(suggestion));
    const complete: Record<string, unknown> = { ...suggested.fields };
    for (const field of missing) {
      const assumed = Object.entries(ASSUMED).find(([known]) => known === field)?.[1];
      complete[field] = assumed ?? complete.created_at;
    }
    // The identifiers of impact.com are not integers, so their prefix is removed.
    const withId = missing.includes('transaction_id') ? text.replaceAll(/8882\.1234\./g, '') : text;
    if (withId !== text) complete.transaction_id = 'Action Id';
    const path = join(directory, `${name}.json`);
    await writeFile(path, JSON.stringify({ ...suggested, fields: complete }));
    const { mapping, dialect } = await readMappingFile(path, {
      rows: 'transactions',
      typeGiven: false,
    });
    await imports.clear();
    const report = await imports.importAll([withId], { given: { mapping, dialect } });
    expect(report.faults).toEqual([]);
    const rows = [
      ...(await imports.read('admin', 'sales')),
      ...(await imports.read('admin', 'leads')),
    ];
    expect(rows.map(({ amount }) => amount).toSorted(ascending)).toEqual(
      amounts.toSorted(ascending),
    );
  },
);

test('the suggestion for impact.com says why columns do not fit, with an example', async () => {
  const { doubts, unused, dialect } = await suggestionFor('impact', NETWORKS.impact.text);
  expect(doubts).toMatchInlineSnapshot(`
    [
      "transaction_id: the column "Action Id" has "8882.1234.1234567", which is no integer",
      "updated_at: the column "Modification Date" has empty cells, but every row needs a value",
    ]
  `);
  expect(unused).toEqual(['Action Id', 'Campaign Name', 'Modification Date']);
  expect(dialect).toEqual({ decimal: '.', dates: 'MM/DD/YYYY' });
});

test('a status whose number has no certain meaning is not guessed', async () => {
  const text = 'identifiant;statut\n1;0\n2;1\n';
  const { mapping, doubts } = await suggestionFor('numbers', text);
  expect(mapping.fields).toEqual({ transaction_id: { from: 'identifiant' } });
  expect(doubts).toEqual(['status: the column "statut" has "0", whose meaning is not known']);
});

test('a column of statuses and the only column of dates are recognised by their values', async () => {
  const text = 'Réf;Avancement;Quand\n1;En attente;15/01/2026\n2;Validée;16/01/2026\n';
  const { mapping, unused } = await suggestionFor('values', text);
  expect(mapping.fields).toEqual({
    status: { from: 'Avancement', codes: { 'En attente': '2', Validée: '1' } },
    created_at: { from: 'Quand' },
  });
  expect(unused).toEqual(['Réf']);
});

test('an interrupted suggestion ends before the whole file is converted', async () => {
  const path = join(directory, 'latin-1.csv');
  await writeFile(
    path,
    Buffer.from(`id;produit\n${'1;Théière à carreaux\n'.repeat(100_000)}`, 'latin1'),
  );
  const expected = { rows: 'transactions', typeGiven: false } as const;
  const interrupted = new AbortController();
  const copies = join(directory, 'interrupted');
  await mkdir(copies);
  const suggesting = suggestForFile({ path, name: 'x.csv' }, expected, copies, interrupted.signal);
  interrupted.abort(new Error('interrupted'));
  await expect(suggesting).rejects.toThrow('interrupted');
});
