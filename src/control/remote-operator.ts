/** Runs operations on an embedded database through the process that has it open. */

import { randomUUID } from 'node:crypto';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import type { AuditQuery } from '../audit/read-audit.ts';
import type { CreatedLink, CreatedToken, NewToken } from '../auth/new-token.ts';
import type { BackupCommand, BackupOptions } from '../backup/back-up.ts';
import type { DirectoryName } from '../contract/record/directory.ts';
import { socketPath, workDirectory } from '../database/open-database.ts';
import type { RetentionCommand } from '../database/retain.ts';
import { DAMAGED_PART } from '../engine/damaged-parts.ts';
import type { ErasureCommand } from '../erasure/selectors.ts';
import type { DirectoryImportRequest } from '../ingest/directory/import-directory.ts';
import { readJson } from '../read-json.ts';
import { STORED_ADDRESS_VISIBILITY } from '../schema/values/stored-address-visibility.ts';
import { FAILED_IMPORT } from '../store/last-import.ts';
import { UserError } from '../user-error.ts';
import type { AuditReadingOperator } from './audited-operator.ts';
import { followBackup } from './backup-events.ts';
import { followImport } from './import-events.ts';
import type { ImportCommand, ImportOptions } from './operator.ts';
import { answerFailure, notUnderstood, refusalOf, requestFailure } from './remote-refusals.ts';
import { ERASURE_GROUPS, ERASURE_REPORT, RETENTION_REPORT } from './removal-json.ts';
import { linesOf } from './response-lines.ts';
import { BLOCKED_SUBJECT_JSON, blockedSubject } from './subject-json.ts';
import { CREATED_LINK, CREATED_TOKEN, TOKEN_JSON, tokenRecord } from './token-json.ts';
import { RemoteWebhooks } from './webhooks/remote-webhooks.ts';

/** Milliseconds to wait for a process that is starting and does not listen yet. */
const STARTING_TIME = 3000;
const TRY_INTERVAL = 100;

const DATABASE = v.object({
  time_zone: v.string(),
  ip_addresses: v.optional(STORED_ADDRESS_VISIBILITY),
  last_import: v.optional(v.number()),
  origin: v.optional(v.number()),
  damaged: v.optional(v.array(DAMAGED_PART)),
});
const FAILED = v.object({ failed: v.optional(FAILED_IMPORT) });
const FOUND = v.object({ found: v.boolean() });

export class RemoteOperator implements AuditReadingOperator {
  readonly #directory: string;
  readonly workDirectory: string;
  readonly webhooks = new RemoteWebhooks(async (...request) => await this.#ask(...request));

  constructor(directory: string) {
    this.#directory = directory;
    this.workDirectory = workDirectory(directory);
  }

  async timeZone(): Promise<string> {
    const giveUp = Date.now() + STARTING_TIME;
    for (;;) {
      try {
        return (await this.#ask(DATABASE, 'GET', '/database')).time_zone;
      } catch (error) {
        if (!(error instanceof UserError) || Date.now() > giveUp) throw error;
        await sleep(TRY_INTERVAL);
      }
    }
  }

  async databaseState() {
    const state = await this.#ask(DATABASE, 'GET', '/database');
    return { ...state, addresses: state.ip_addresses, lastImport: state.last_import };
  }

  async failedImport() {
    return (await this.#ask(FAILED, 'GET', '/imports/failed')).failed;
  }

  async importFiles(command: ImportCommand, options: ImportOptions) {
    return await this.#runImport('/imports', command, options);
  }

  async importDirectory(command: DirectoryImportRequest, options: ImportOptions) {
    return await this.#runImport('/directory/imports', command, options);
  }

  async *directoryLines(of: DirectoryName) {
    yield* linesOf(await this.#send('GET', `/directory/${of}`));
  }

  /** Forwards an abort of the signal, but still waits for the outcome. */
  async #runImport(path: string, command: unknown, options: ImportOptions) {
    const id = randomUUID();
    const response = await this.#send('POST', `${path}/${id}`, command);
    const stop = () => void this.#ask(FOUND, 'DELETE', `/imports/${id}`).catch(() => undefined);
    options.signal?.addEventListener('abort', stop, { once: true });
    if (options.signal?.aborted) stop();
    try {
      return await followImport(response, options);
    } catch (error) {
      throw notUnderstood(error);
    } finally {
      options.signal?.removeEventListener('abort', stop);
    }
  }

  /** The other process stops the backup when the connection closes. */
  async backUp(command: BackupCommand, { signal, onProgress }: BackupOptions) {
    const response = await this.#send('POST', '/backups', command);
    const stop = () => response.destroy();
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await followBackup(response, onProgress);
    } catch (error) {
      signal.throwIfAborted();
      throw notUnderstood(error);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async previewErasure(command: ErasureCommand) {
    return await this.#ask(ERASURE_GROUPS, 'POST', '/erasures/preview', command);
  }

  async erase(command: ErasureCommand) {
    return await this.#ask(ERASURE_REPORT, 'POST', '/erasures', command);
  }

  async createToken(newToken: NewToken): Promise<CreatedToken> {
    return await this.#ask(CREATED_TOKEN, 'POST', '/tokens', newToken);
  }

  async createLink(newToken: NewToken): Promise<CreatedLink> {
    return await this.#ask(CREATED_LINK, 'POST', '/links', newToken);
  }

  async listTokens() {
    return (await this.#ask(v.array(TOKEN_JSON), 'GET', '/tokens')).map(tokenRecord);
  }

  async revokeToken(id: string) {
    const path = `/tokens/${encodeURIComponent(id)}/revocation`;
    return (await this.#ask(FOUND, 'POST', path, {})).found;
  }

  async listBlockedSubjects() {
    return (await this.#ask(v.array(BLOCKED_SUBJECT_JSON), 'GET', '/subjects')).map(blockedSubject);
  }

  async blockSubject(subject: string) {
    await this.#ask(v.object({}), 'POST', '/subjects/blocking', { subject });
  }

  async unblockSubject(subject: string) {
    return (await this.#ask(FOUND, 'POST', '/subjects/unblocking', { subject })).found;
  }

  async *auditLines(query: AuditQuery) {
    yield* linesOf(await this.#send('POST', '/audit', query));
  }

  async retain(command: RetentionCommand) {
    return await this.#ask(RETENTION_REPORT, 'POST', '/retention', command);
  }

  async close() {}

  async #ask<Answer>(
    schema: v.GenericSchema<unknown, Answer>,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Answer> {
    const response = await this.#send(method, path, body);
    try {
      return readJson(schema, await text(response));
    } catch (error) {
      throw answerFailure(`${method} ${path}`, error);
    }
  }

  /** The response; throws the error message of the other process if it refuses. */
  async #send(method: string, path: string, body?: unknown): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const request = httpRequest({
      socketPath: socketPath(this.#directory),
      method,
      path,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
    });
    request.on('response', resolve);
    request.on('error', (cause) =>
      reject(requestFailure(this.#directory, `${method} ${path}`, cause)),
    );
    request.end(body === undefined ? undefined : JSON.stringify(body));
    const response = await promise;
    if (response.statusCode === 200) return response;
    throw refusalOf(response.statusCode, await text(response));
  }
}
