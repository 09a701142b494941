/** Operations on webhooks of a database that this process has opened. */

import { randomBytes } from 'node:crypto';
import type { Principal } from '../../auth/principal.ts';
import { OneAtATime } from '../../concurrency/one-at-a-time.ts';
import type { Engine } from '../../engine/engine.ts';
import { PublicationLog } from '../../reading/changes/publication-log.ts';
import { MessageSender } from '../message-sender.ts';
import { presentProgress } from '../progress.ts';
import { readNetworks } from '../sending/address-guard.ts';
import { testMessageBody } from '../sending/message-body.ts';
import type { SendSettings } from '../sending/post-message.ts';
import { rotatedSecret, webhookSecret } from '../sending/webhook-secret.ts';
import type { NewWebhook, Webhook } from '../webhook.ts';
import { addWebhook, hasChange, removeWebhook, storeChange } from '../webhook-definitions.ts';
import { type StoredWebhook, storedWebhooks } from '../webhook-table.ts';
import { checkUrl } from './check-url.ts';
import { refuseWebhookBeyondLimit } from './refuse-webhook-beyond-limit.ts';
import { positionSince, replayStart } from './replay-position.ts';
import { continued, takenOver } from './take-over.ts';
import type { CreatedWebhook, TestResult, WebhookManager } from './webhook-operations.ts';

export interface LocalWebhooksDeps {
  readonly engine: Engine;
  readonly keys: { readonly cursors: Buffer };
  /** Addresses and ranges that are allowed although they are not public. */
  readonly webhookNetworks: readonly string[];
}

export class LocalWebhooks implements WebhookManager {
  readonly #engine: Engine;
  readonly #key: Buffer;
  readonly #send: SendSettings;
  readonly #publications: PublicationLog;
  readonly #tests = new Map<string, Promise<TestResult | undefined>>();
  /** Runs one change at a time, so that two changes of this process never start from the same definition. */
  readonly #writes = new OneAtATime();
  #onChanged: () => Promise<void> = async () => undefined;

  constructor({ engine, keys, webhookNetworks }: LocalWebhooksDeps) {
    this.#engine = engine;
    this.#key = keys.cursors;
    this.#send = { allowed: readNetworks(webhookNetworks) };
    this.#publications = new PublicationLog(engine);
  }

  /** Sets the function that tells the deliveries of this process about a change. */
  whenChanged(onChanged: () => Promise<void>): void {
    this.#onChanged = onChanged;
  }

  async add(wanted: NewWebhook): Promise<CreatedWebhook> {
    checkUrl(wanted.url, this.#send.allowed);
    const added = await this.#writes.run(async () => await this.#addWithin(wanted));
    await this.#onChanged();
    return added;
  }

  async #addWithin(wanted: NewWebhook): Promise<CreatedWebhook> {
    refuseWebhookBeyondLimit(await storedWebhooks(this.#engine), wanted.createdBy);
    const { origin, newest: number } = await this.#publications.head();
    const webhook: Webhook = {
      ...wanted,
      createdAt: new Date().toISOString(),
      isPaused: false,
      generation: 0,
      start: { generation: 0, position: { origin, number } },
      secret: { rotation: 0, rotatedAt: null },
    };
    const id = `wh_${randomBytes(9).toString('hex')}`;
    await addWebhook(this.#engine, id, webhook);
    const secret = webhookSecret(this.#key, id, 0);
    return { id, webhook, progress: presentProgress(webhook, undefined), isRevoked: false, secret };
  }

  async list() {
    const { webhooks } = await storedWebhooks(this.#engine);
    return webhooks.map(({ id, webhook, progress, isRevoked }) => ({
      id,
      webhook,
      progress: presentProgress(webhook, progress),
      isRevoked,
    }));
  }

  async test(id: string): Promise<TestResult | undefined> {
    const underWay =
      this.#tests.get(id) ?? this.#sendTest(id).finally(() => this.#tests.delete(id));
    this.#tests.set(id, underWay);
    return await underWay;
  }

  /** `test` lets one run at a time for each webhook, so that nobody holds many connections to a slow receiver. */
  async #sendTest(id: string): Promise<TestResult | undefined> {
    const found = await this.#find(id);
    if (found === undefined) return undefined;
    const started = performance.now();
    const sender = new MessageSender(id, found.webhook, { key: this.#key, send: this.#send });
    const message = `msg_${randomBytes(24).toString('base64url')}`;
    const outcome = await sender.send({ id: message, body: testMessageBody(id, new Date()) });
    sender.close();
    const isDelivered = outcome.result === 'delivered';
    const error = outcome.result === 'gone' ? 'status 410' : null;
    return {
      isDelivered,
      error: outcome.result === 'failed' ? outcome.error : error,
      milliseconds: Math.round(performance.now() - started),
    };
  }

  async pause(id: string, by?: Principal) {
    return await this.#change(id, (found) => ({ ...takenOver(found, by), isPaused: true }));
  }

  async resume(id: string, by?: Principal) {
    return await this.#change(id, (found) => continued(found, by));
  }

  async rotate(id: string) {
    let rotation = 0;
    const isFound = await this.#change(id, ({ webhook }) => {
      const secret = rotatedSecret(webhook.secret, Date.now());
      rotation = secret.rotation;
      return { ...webhook, secret };
    });
    return isFound ? webhookSecret(this.#key, id, rotation) : undefined;
  }

  async replay(id: string, since: Date, by?: Principal) {
    if ((await this.#find(id)) === undefined) return false;
    const head = await this.#publications.presentHead();
    const wanted = await positionSince(id, since, head, this.#publications);
    return await this.#change(id, (found) => {
      const webhook = continued(found, by);
      const { position: reached } = presentProgress(found.webhook, found.progress);
      const start = replayStart(wanted, reached, found.webhook, head);
      return { ...webhook, start: { generation: webhook.generation, ...start } };
    });
  }

  async remove(id: string) {
    const isFound = await this.#writes.run(async () => {
      const { webhooks, unreadable } = await storedWebhooks(this.#engine);
      const found = [...webhooks, ...unreadable].some((one) => one.id === id);
      if (found) await removeWebhook(this.#engine, id);
      return found;
    });
    if (isFound) await this.#onChanged();
    return isFound;
  }

  async #find(id: string): Promise<StoredWebhook | undefined> {
    return (await storedWebhooks(this.#engine)).webhooks.find((one) => one.id === id);
  }

  /** Makes a change again if it is lost because another process has changed the webhook at the same time. */
  async #change(id: string, change: (found: StoredWebhook) => Webhook): Promise<boolean> {
    const version = await this.#writes.run(async () => {
      const found = await this.#find(id);
      return found && (await storeChange(this.#engine, found, change(found)));
    });
    if (version === undefined) return false;
    if (!(await hasChange(this.#engine, id, version))) return await this.#change(id, change);
    await this.#onChanged();
    return true;
  }
}
