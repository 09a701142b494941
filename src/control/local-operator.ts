/** Runs operations on a database that this process has opened. */

import { rm } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import type { NewToken, TokenStore } from '../auth/new-token.ts';
import { type BackupCommand, type BackupOptions, backUp } from '../backup/back-up.ts';
import { OneAtATime } from '../concurrency/one-at-a-time.ts';
import { Problem } from '../contract/problems/problems.ts';
import type { DirectoryName } from '../contract/record/directory.ts';
import type { Database } from '../database/open-database.ts';
import { type RetentionCommand, type RetentionOptions, retain } from '../database/retain.ts';
import { embeddedDamage } from '../engine/damaged-parts.ts';
import { eraseTransactions, previewErasure } from '../erasure/erase-transactions.ts';
import { removeCommandFiles } from '../erasure/remove-command-files.ts';
import { requireAllServers } from '../erasure/require-all-servers.ts';
import type { ErasureCommand } from '../erasure/selectors.ts';
import type { DirectoryImportRequest } from '../ingest/directory/import-directory.ts';
import { expireChanges } from '../ingest/expire-changes.ts';
import { finishFailedImport, recoverAbandonedImports } from '../ingest/staging/recover-others.ts';
import { type ClusterNodes, clusterNodesOf } from '../schema/cluster-nodes.ts';
import { storedAddressVisibility } from '../schema/values/stored-address-visibility.ts';
import { blockedSubjects, blockSubject, unblockSubject } from '../store/blocked-subjects.ts';
import { databaseTokens } from '../store/database-tokens.ts';
import { allEntries } from '../store/directory-entries.ts';
import { databaseOrigin, failedImport, lastImportEnd } from '../store/last-import.ts';
import { UserError } from '../user-error.ts';
import { LocalWebhooks } from '../webhooks/operations/local-webhooks.ts';
import type { ImportCommand, ImportOptions, Operator, OperatorEvents } from './operator.ts';

const LIST_TOKENS = 'List them: transactions token list';

export class LocalOperator implements Operator {
  readonly #database: Database;
  readonly workDirectory: string;
  readonly webhooks: LocalWebhooks;
  readonly #tokens: TokenStore;
  readonly #events: OperatorEvents;
  /** Imports, erasures and removals. */
  readonly #writes = new OneAtATime();

  constructor(
    database: Database,
    events: OperatorEvents = {},
    webhooks = new LocalWebhooks(database),
    // The service passes the store of its HTTP requests, because two stores could together exceed a limit of tokens.
    tokens = databaseTokens(database),
  ) {
    this.#database = database;
    this.#events = events;
    this.webhooks = webhooks;
    this.#tokens = tokens;
    this.workDirectory = database.workDirectory;
  }

  async timeZone() {
    return this.#database.timeZone;
  }

  /** Reads the state on each call, because on a server other processes may change it. */
  async databaseState() {
    const { engine } = this.#database;
    const [addresses, lastImport, origin] = await Promise.all([
      storedAddressVisibility(engine),
      lastImportEnd(engine),
      databaseOrigin(engine),
    ]);
    return { addresses, lastImport, origin, damaged: await embeddedDamage(engine) };
  }

  async failedImport() {
    return await failedImport(this.#database.engine);
  }

  async importFiles(command: ImportCommand, options: ImportOptions) {
    const { signal, onRejected = async () => undefined } = options;
    const { files, type, round } = command;
    const request = { files, type, round, ...(command.rejects ? { onRejected } : {}) };
    const { timeZone, changesRetention, workDirectory } = this.#database;
    return await this.#inTurn(signal, async (nodes) => {
      // Not loaded by other commands, because readers of files and checks of rows take 100 ms to load.
      const { importFiles } = await import('../ingest/import-files.ts');
      const report = await importFiles(request, { ...options, nodes, timeZone, workDirectory });
      // A failure does not matter: the import is complete, and the next one tries again.
      await expireChanges(nodes, changesRetention).catch(() => undefined);
      this.#events.onImported?.();
      return report;
    });
  }

  async importDirectory(command: DirectoryImportRequest, { signal }: ImportOptions) {
    return await this.#inTurn(signal, async (nodes) => {
      const { importDirectory } = await import('../ingest/directory/import-directory.ts');
      return await importDirectory(command, { nodes, workDirectory: this.workDirectory, signal });
    });
  }

  async *directoryLines(of: DirectoryName) {
    for await (const entry of allEntries(this.#database.engine, of)) yield JSON.stringify(entry);
  }

  /** Runs one import at a time. An abort also ends the wait of an import for its turn. */
  async #inTurn<Report>(
    signal: AbortSignal | undefined,
    work: (nodes: ClusterNodes) => Promise<Report>,
  ): Promise<Report> {
    const { engine, topology } = this.#database;
    const { promise: left, reject } = Promise.withResolvers<never>();
    const leave = () => reject(signal?.reason);
    signal?.addEventListener('abort', leave, { once: true });
    const run = this.#writes.run(async () => {
      const nodes = await clusterNodesOf(engine, topology, 'rows');
      await recoverAbandonedImports(nodes);
      signal?.removeEventListener('abort', leave);
      return await work(nodes);
    });
    return await Promise.race([run, left]);
  }

  async backUp(command: BackupCommand, options: BackupOptions) {
    const { engine, timeZone, topology } = this.#database;
    const nodes = await clusterNodesOf(engine, topology);
    const betweenImports = async <Result>(work: () => Promise<Result>) =>
      await this.#writes.run(async () => await finishFailedImport(nodes).then(work));
    return await backUp({ nodes, timeZone, betweenImports }, command, options);
  }

  async previewErasure(command: ErasureCommand) {
    const { engine, topology } = this.#database;
    return await previewErasure(await clusterNodesOf(engine, topology), command);
  }

  /** It cannot be aborted: once begun, it is completed. */
  async erase(command: ErasureCommand, { onBegin }: Parameters<Operator['erase']>[1] = {}) {
    const { engine, topology, directory, workDirectory } = this.#database;
    return await this.#writes.run(async () => {
      const started = performance.now();
      const nodes = await clusterNodesOf(engine, topology);
      requireAllServers(topology.cluster === undefined ? [] : engine.each(), nodes);
      await recoverAbandonedImports(nodes);
      await removeCommandFiles(workDirectory);
      const groups = await eraseTransactions(nodes, command, directory === undefined, onBegin);
      this.#events.onErased?.();
      return { groups, seconds: (performance.now() - started) / 1000 };
    });
  }

  async retain(command: RetentionCommand, options: RetentionOptions = {}) {
    const { engine, timeZone, topology } = this.#database;
    return await this.#writes.run(async () => {
      const nodes = await clusterNodesOf(engine, topology);
      if (!command.isDryRun) await finishFailedImport(nodes);
      return await retain(nodes, timeZone, command, options);
    });
  }

  async createToken(newToken: NewToken) {
    return await this.#tokens.createToken(newToken);
  }

  async createLink(newToken: NewToken) {
    try {
      return await this.#tokens.createLink(newToken);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'too_many_links') throw error;
      throw new UserError(`${error.message} ${error.hint}`, LIST_TOKENS, { cause: error });
    }
  }

  async listTokens() {
    return await this.#tokens.listTokens();
  }

  async revokeToken(id: string) {
    return await this.#tokens.revokeToken(id);
  }

  async listBlockedSubjects() {
    return await blockedSubjects(this.#database.engine);
  }

  async blockSubject(subject: string) {
    await blockSubject(this.#database.engine, subject, new Date());
  }

  async unblockSubject(subject: string) {
    return await unblockSubject(this.#database.engine, subject);
  }

  /** Calls `closeLog` when running operations have ended, before the database is closed. */
  async close(closeLog = async () => {}) {
    const { engine, directory, workDirectory } = this.#database;
    await this.#writes.idle();
    // The callers of these operations write their lines in microtasks.
    await turn();
    await closeLog();
    await engine.close();
    // The work directory of an embedded database is emptied when the database is next opened.
    if (directory === undefined) await rm(workDirectory, { recursive: true, force: true });
  }
}
