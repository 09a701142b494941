import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ACCESS_COMMANDS,
  type ConsumerFolder,
  consumerFolder,
} from '../support/programs/consumer-folder.ts';
import { commandsOf } from '../support/programs/page-commands.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';

const PAGE = 'docs/how-to/measure-performance.md';

let service: TestService;
let home: ConsumerFolder;

beforeAll(async () => {
  service = await startService();
  const rows = [
    { type: 'clics', subid: 'a', total: 50 },
    { type: 'clics', subid: 'b', total: 10 },
    { type: 'sales', subid: 'a', remu_publisher: 12.5 },
    { type: 'leads', subid: 'b', remu_publisher: 1 },
  ];
  await service.importText(ndjson(rows.map((row) => fileRow({ publisher_id: 7, ...row }))));
  const token = await service.token({ role: 'affiliate', publisherIds: [7] });
  home = await consumerFolder(service.url, token);
});

afterAll(async () => await Promise.all([home?.close(), service?.close()]));

test('the commands show totals, the sub id that converts best, and a table', async () => {
  const commands = await commandsOf(PAGE);
  expect(commands).toContain(ACCESS_COMMANDS);
  const { status, stdout, stderr } = await home.run(commands);
  expect(status, stderr).toBe(0);
  const [, totals = '', , , best = ''] = stdout.split('\n');
  expect(totals).toMatch(/^\{"impressions":0,"clics":60,.*"earnings":13\.5,/);
  expect(best).toMatch(/^\{"subid":"b",.*"conversion_rate":0\.1,/);
  expect(stdout).toMatch(/\nprogram_id,month,impressions,.*\r\n10,"2026-01",0,60,/);
});
