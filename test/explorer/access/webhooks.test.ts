import { mkdir } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lateness } from '../../../explorer/src/access/webhooks/webhook-state.ts';
import { openStage, type Stage, signIn, visit } from '../../support/programs/explorer.ts';
import { fileRow, ndjson } from '../../support/rows/file-rows.ts';
import { IS_FULL } from '../../support/run/test-extent.ts';
import { accessibilityFaults, OPEN_SHEET, themesOf } from '../../support/servers/accessibility.ts';
import { WebhookReceiver } from '../../support/servers/webhook-receiver.ts';

/** The folder of the screenshots. */
const PICTURES = 'artifacts/explorer';

const MANAGER = { role: 'admin', name: 'Manager', mayManageTokens: true } as const;

let stage: Stage;
let receiver: WebhookReceiver;

beforeAll(async () => {
  await mkdir(PICTURES, { recursive: true });
  receiver = await WebhookReceiver.start();
  stage = await openStage({ webhookNetworks: ['127.0.0.1'] });
});

afterAll(async () => {
  await stage.close();
  await receiver.close();
});

/** Expects that axe finds no fault. The full run checks both themes and takes pictures. */
async function expectAccessible(page: Page, state: string, part = OPEN_SHEET): Promise<void> {
  for (const colorScheme of themesOf(state)) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const faults = await accessibilityFaults(page, [], part);
    expect(faults, `${state} in ${colorScheme}`).toEqual([]);
    const path = `${PICTURES}/webhooks-${state}-${colorScheme}.png`;
    if (IS_FULL) await page.screenshot({ path, animations: 'disabled' });
  }
}

const importSale = async (id: number) =>
  await stage.service.importText(ndjson([fileRow({ transaction_id: id, publisher_id: 100 })]));

test('an administrator adds, tests, pauses, rotates, replays and removes a webhook on the page', async () => {
  const manager = await stage.service.token({ ...MANAGER, locale: 'en' });
  const permissions = ['clipboard-read', 'clipboard-write'];
  await visit(stage, { permissions }, async ({ page, asked, complaints }) => {
    await signIn(page, manager);
    await page.getByRole('button', { name: 'Access', exact: true }).click();
    await page.getByRole('radio', { name: 'Webhooks' }).check();
    const sheet = page.getByRole('dialog', { name: 'Webhooks' });
    const focused = async () => await page.locator(':focus').textContent();
    const press = async (name: string) =>
      await sheet.getByRole('button', { name, exact: true }).first().click();
    await sheet.getByLabel('URL').fill('https://10.0.0.1/');
    await sheet.getByLabel('Name').fill('Data team');
    await sheet.getByLabel('Publisher IDs').fill('100');
    await press('Add webhook');
    await sheet.getByText('This URL is not allowed.').waitFor();
    expect(await focused()).toBe('Add webhook');
    await expectAccessible(page, 'refused');
    await sheet.getByLabel('URL').fill(receiver.url);
    await page.keyboard.press('Enter');
    await press('Copy the secret');
    const secret = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(secret).toMatch(/^whsec_/);
    receiver.secret = secret;
    await expectAccessible(page, 'added');
    await sheet.getByText(/ · added .+ by you$|^added .+ by you/).waitFor();
    await press('Test');
    await sheet.getByText(/The receiver accepted a test message in \d+ ms\./).waitFor();
    expect(await focused()).toBe('Test');
    expect(receiver.messages.at(-1)?.type).toBe('webhook.test');
    await press('Pause');
    await sheet.getByText('Paused', { exact: true }).waitFor();
    await press('Resume');
    await sheet.getByText('Active', { exact: true }).waitFor();
    await press('New secret');
    await expectAccessible(page, 'rotating');
    // An answer waits for a change that is still running, whose outcome would replace the secret.
    const arrived = Promise.withResolvers<() => void>();
    receiver.respond = (response) => arrived.resolve(() => response.writeHead(204).end());
    await press('Test');
    const respond = await arrived.promise;
    receiver.respond = (response) => response.writeHead(204).end();
    await sheet.getByRole('button', { name: 'Create a new secret' }).press('Enter');
    expect(await sheet.getByText('Create a new secret for Data team?').count()).toBe(1);
    respond();
    await sheet.getByText(/The receiver accepted a test message in \d+ ms\./).waitFor();
    await press('Create a new secret');
    await sheet.getByText('New secret of Data team').waitFor();
    expect(await sheet.locator('.webhook .new-token').textContent()).not.toBe(secret);
    await press('Done');
    expect(await focused()).toBe('New secret');
    await press('Deliver again');
    await press('Remove');
    expect(await focused()).toBe('Cancel');
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('Remove');
    await press('Deliver again');
    await sheet.getByLabel('Since').fill('2001-01-01T12:00');
    await sheet.locator('.webhook-question').getByText('Deliver again', { exact: true }).click();
    await sheet.getByText('Deliveries cannot begin at this time.').waitFor();
    await press('Remove');
    await sheet.getByRole('button', { name: 'Cancel' }).press('Shift+Tab');
    await page.keyboard.press('Enter');
    await sheet.getByText('There is no webhook yet.').waitFor();
    expect(await focused()).toBe('Webhooks');
    expect(receiver.forged).toEqual([]);
    expect(asked.join()).not.toContain('whsec_');
    expect(complaints.filter((text) => !text.includes('status of 400'))).toEqual([]);
  });
});

// Only in the full run. In `npm test`, the cases below check when a webhook is late.
test.runIf(IS_FULL)(
  'a webhook that has stopped is announced until it is resumed, in French on a phone',
  async () => {
    const manager = await stage.service.token({ ...MANAGER, locale: 'fr' });
    const { webhooks } = stage.service.operator;
    const { secret } = await webhooks.add({
      url: receiver.url,
      role: 'affiliate',
      publisherIds: [100],
      programIds: [],
      types: ['sales'],
      locale: null,
      name: 'Entrepôt',
    });
    receiver.secret = secret;
    receiver.respond = (response) => response.writeHead(410).end();
    await importSale(1);
    await expect
      .poll(async () => (await webhooks.list())[0]?.progress.stopped)
      .toBe('receiver_gone');
    await visit(stage, { viewport: { width: 390, height: 844 } }, async ({ page }) => {
      await signIn(page, manager);
      const notice = page.getByRole('region', { name: 'Des webhooks sont arrêtés' });
      expect(await notice.textContent()).toContain('Entrepôt');
      await expectAccessible(page, 'announced', 'html');
      await page.getByRole('button', { name: 'Voir les webhooks' }).press('Enter');
      const sheet = page.getByRole('dialog', { name: 'Webhooks' });
      await sheet.getByText('Arrêté par le destinataire').waitFor();
      await expectAccessible(page, 'stopped');
      receiver.respond = (response) => response.writeHead(204).end();
      await sheet.getByRole('button', { name: 'Réactiver' }).click();
      await sheet.getByText('Actif', { exact: true }).waitFor();
      await notice.waitFor({ state: 'detached' });
      await page.keyboard.press('Escape');
      await sheet.waitFor({ state: 'detached' });
      expect(await page.locator(':focus').getAttribute('id')).toBe('list-title');
      await receiver.until(() => receiver.ids.includes(1));
    });
  },
);

test('with an access that expires, the page explains that it cannot add webhooks', async () => {
  const expiresAt = new Date('2099-01-31T12:00:00Z');
  const manager = await stage.service.token({ ...MANAGER, locale: 'en', expiresAt });
  await visit(stage, {}, async ({ page }) => {
    await signIn(page, manager);
    await page.getByRole('button', { name: 'Access', exact: true }).click();
    await page.getByRole('radio', { name: 'Webhooks' }).check();
    const sheet = page.getByRole('dialog', { name: 'Webhooks' });
    await sheet.getByText('your access, which ends on 31 Jan 2099, cannot add one').waitFor();
    expect(await sheet.getByLabel('URL').count()).toBe(0);
  });
});

test.each([
  [null, undefined],
  ['2026-01-01T11:59:30Z', undefined],
  ['2026-01-01T11:58:30Z', '1 minute'],
  ['2026-01-01T09:00:00Z', '3 hours'],
  ['2025-12-29T09:00:00Z', '3 days'],
])('a change that has waited since %s makes a webhook late by %s', (waiting_since, late) => {
  expect(lateness({ waiting_since }, { tag: 'en-GB' }, Date.parse('2026-01-01T12:00:00Z'))).toBe(
    late,
  );
});
