/** `transactions webhook add`, `list`, `test`, `pause`, `resume`, `rotate`, `replay` and `remove`. */

import colors from 'picocolors';
import { assertNever } from '../../contract/assert-never.ts';
import { suggestionFor } from '../../contract/query/suggestion.ts';
import { isKind, KINDS, type Kind } from '../../contract/record/kinds.ts';
import { UserError } from '../../user-error.ts';
import type { WebhookManager } from '../../webhooks/operations/webhook-operations.ts';
import { type AccessFlags, readAccess } from '../access-flags.ts';
import { withOperator } from '../commands/with-operator.ts';
import { readSince } from '../inputs/read-since.ts';
import type { Flags } from '../inputs/settings.ts';
import { printSecret } from '../output/print-all.ts';
import { printable, printableLine } from '../output/printable.ts';
import { textTable } from '../output/text-table.ts';
import type { WebhookAction } from './webhook-actions.ts';
import { webhookJson, webhookRow } from './webhook-text.ts';

interface WebhookFlags extends Flags {
  readonly json?: boolean;
}

interface AddFlags extends WebhookFlags, AccessFlags {
  readonly type: string;
}

const URL_EXAMPLE = 'https://example.com/webhook';
const EXAMPLES = {
  admin: `transactions webhook add ${URL_EXAMPLE} --role admin`,
  affiliate: `transactions webhook add ${URL_EXAMPLE} --role affiliate --publisher 345`,
} as const;

const SHOWN_ONCE = 'This is the only time that the secret is shown.';

export async function addWebhookCommand(url: string, flags: AddFlags): Promise<void> {
  const { locale = null, name = null, ...access } = readAccess(flags, EXAMPLES);
  const wanted = { url, ...access, types: readTypes(flags.type), locale, name };
  await withOperator(flags, async ({ webhooks }) => {
    const created = await webhooks.add(wanted);
    const { id, secret } = created;
    const json = { ...webhookJson(created), secret };
    await printSecret(flags.json ? JSON.stringify(json) : secret, secretOf(id));
    if (flags.json) return;
    console.error(
      `${colors.green(`Webhook ${id} gets the changes from now on`)}, while \`transactions serve\` runs.\n${SHOWN_ONCE} Try it with: transactions webhook test ${id}`,
    );
  });
}

export async function listWebhooksCommand(flags: WebhookFlags): Promise<void> {
  await withOperator(flags, async ({ webhooks }) => {
    const all = await webhooks.list();
    if (flags.json) return print(all.map(webhookJson));
    const table = all.map((one) => webhookRow(webhookJson(one)));
    console.log(
      table.length === 0
        ? `There is no webhook yet. Add one: ${EXAMPLES.affiliate}`
        : textTable(table),
    );
  });
}

export async function changeWebhookCommand(
  action: WebhookAction,
  id: string,
  flags: WebhookFlags,
): Promise<void> {
  await withOperator(flags, async ({ webhooks }) => {
    const { facts, text } = await changed(action, id, webhooks);
    const shown = flags.json ? JSON.stringify({ id, ...facts }) : text;
    if (action === 'rotate') return await printSecret(shown, secretOf(id));
    console.log(shown);
  });
}

export async function replayWebhookCommand(
  id: string,
  flags: WebhookFlags & { readonly since: string },
): Promise<void> {
  await withOperator(flags, async (operator) => {
    const { instant } = readSince(flags.since, await operator.timeZone());
    const since = new Date(instant * 1000);
    refuseUnknown(id, await operator.webhooks.replay(id, since));
    const shown = since.toISOString();
    if (flags.json) return print({ id, since: shown });
    console.log(
      `Webhook ${printableLine(id)} gets all changes since ${shown} again, and older ones that were not delivered yet.`,
    );
  });
}

interface Report {
  readonly facts: object;
  readonly text: string;
}

async function changed(
  action: WebhookAction,
  id: string,
  webhooks: WebhookManager,
): Promise<Report> {
  const shown = `Webhook ${printableLine(id)}`;
  switch (action) {
    case 'test':
      return await tested(id, webhooks);
    case 'pause':
      refuseUnknown(id, await webhooks.pause(id));
      return {
        facts: { paused: true },
        text: `${shown} is paused. Continue with: transactions webhook resume ${printableLine(id)}`,
      };
    case 'resume':
      refuseUnknown(id, await webhooks.resume(id));
      return { facts: { paused: false }, text: `${shown} continues where it stopped.` };
    case 'rotate':
      return await rotated(id, webhooks);
    case 'remove':
      refuseUnknown(id, await webhooks.remove(id));
      return { facts: { removed: true }, text: `${shown} is removed.` };
    default:
      return assertNever(action);
  }
}

async function tested(id: string, webhooks: WebhookManager): Promise<Report> {
  const result = await webhooks.test(id);
  if (result === undefined) throw unknownWebhook(id);
  const { isDelivered, error, milliseconds } = result;
  if (!isDelivered) {
    throw new UserError(
      `The message was not delivered: ${printable(error ?? 'unknown')}.`,
      `Correct the receiver, then type again: transactions webhook test ${printableLine(id)}`,
    );
  }
  return {
    facts: { delivered: true, milliseconds },
    text: `The receiver has accepted a message of the type webhook.test in ${milliseconds} ms.`,
  };
}

async function rotated(id: string, webhooks: WebhookManager): Promise<Report> {
  const secret = await webhooks.rotate(id);
  if (secret === undefined) throw unknownWebhook(id);
  const text = `${secret}\n${SHOWN_ONCE} The former secret is valid for 24 more hours.`;
  return { facts: { secret }, text };
}

const secretOf = (id: string) => ({
  name: `The secret of webhook ${id}`,
  next: `Print a new one: transactions webhook rotate ${id}`,
});

function refuseUnknown(id: string, isFound: boolean): void {
  if (!isFound) throw unknownWebhook(id);
}

const unknownWebhook = (id: string): UserError =>
  new UserError(`There is no webhook ${id}.`, 'List the webhooks: transactions webhook list');

function readTypes(text: string): readonly Kind[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !isKind(name));
  if (unknown === undefined) return KINDS.filter((kind) => names.includes(kind));
  throw new UserError(
    `--type must be one or more of ${KINDS.join(', ')}.${suggestionFor(unknown, KINDS)}`,
    `${EXAMPLES.affiliate} --type sales,leads`,
  );
}

const print = (facts: object): void => console.log(JSON.stringify(facts));
