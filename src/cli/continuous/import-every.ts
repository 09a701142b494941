/** `transactions import URL --every 1m`: imports again and again what has changed in databases and buckets. */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { identityOf } from '../../connectors/source-address.ts';
import { isSourceUrl } from '../../connectors/source-url.ts';
import type { Operator } from '../../control/operator.ts';
import { UserError } from '../../user-error.ts';
import { type ImportFlags, importOnce, readImport } from '../commands/importing/import-command.ts';
import { withOperator } from '../commands/with-operator.ts';
import { sourceAddresses } from '../inputs/import-sources.ts';
import { settleTimeZone } from '../inputs/new-time-zone.ts';
import { createIfNew } from './create-if-new.ts';
import { ImportProgress, presentInstant } from './import-progress.ts';
import {
  type ImportIdentity,
  OTHER_DATABASE,
  readStateFile,
  requireWritableState,
  StateRefused,
  writeStateFile,
} from './import-state.ts';
import { readInterval } from './interval.ts';
import { failureText, otherDatabaseText, roundText } from './round-text.ts';
import { repeat, stopSignal } from './rounds.ts';

export interface EveryFlags extends ImportFlags {
  readonly every: string;
  readonly overlap: string;
  readonly state?: string;
}

/** Ends when the process is told to stop. Throws if the first round fails, or if the state is of another database. */
export async function importEvery(urls: readonly string[], flags: EveryFlags): Promise<void> {
  const every = readInterval(flags.every, '--every');
  const overlap = readInterval(flags.overlap, '--overlap');
  refuseFiles(urls, flags);
  await readImport(urls, flags);
  const state = await openState(urls, flags);
  await createIfNew(flags);
  const mapping = await mappingTextOf(flags);
  const progress = new ImportProgress(await state?.read(), state?.database);
  await repeat({
    every,
    signal: stopSignal(),
    round: async () => {
      const present = await mappingTextOf(flags);
      if (flags.mapping !== undefined && present !== null && present !== mapping)
        throw new MappingChanged(flags.mapping);
      const started = presentInstant();
      await importSince(urls, flags, async (operator) => {
        const { origin } = await operator.databaseState();
        if (progress.enter(origin)) {
          state?.refuse();
          console.error(otherDatabaseText());
        }
        const { readUntil } = progress;
        return readUntil === undefined ? flags.since : sinceOf(readUntil, overlap);
      });
      progress.advance(started);
      await state?.write(started());
    },
    onFailure: (error, delay) => {
      if (error instanceof StateRefused || error instanceof MappingChanged) throw error;
      console.error(failureText(error, progress.readUntil, delay));
    },
  });
}

/** The file with the mapping has changed since the start, so that earlier rows were imported with another one. */
class MappingChanged extends UserError {
  constructor(path: string) {
    super(
      `The mapping ${path} has changed. Rows that are imported already have values of the earlier one.`,
      'Start the command again, with another --state if you use one. It then imports everything with the new mapping.',
    );
  }
}

/** Null without a mapping, or if its file cannot be read. */
const mappingTextOf = async ({ mapping }: EveryFlags): Promise<string | null> =>
  mapping === undefined ? null : await readFile(mapping, 'utf8').catch(() => null);

/** Undefined without `--state`. Each start then imports again: everything, or what has changed since `--since`. */
async function openState(urls: readonly string[], flags: EveryFlags) {
  const { state } = flags;
  if (state === undefined) return undefined;
  await requireWritableState(state);
  const identity = await importIdentityOf(urls, flags);
  return {
    database: identity.database ?? undefined,
    refuse: () => {
      throw new StateRefused(state, OTHER_DATABASE);
    },
    read: async () => await readStateFile(state, identity),
    write: async (readUntil: Date) => await writeStateFile(state, identity, readUntil),
  };
}

async function importIdentityOf(
  urls: readonly string[],
  flags: EveryFlags,
): Promise<ImportIdentity> {
  const sources = (await sourceAddresses(urls, flags)).map(identityOf);
  const { type, round, delimiter, decimal, dates, encoding } = flags;
  const text = await mappingTextOf(flags);
  const reading = JSON.stringify([text, type, round, delimiter, decimal, dates, encoding]);
  const { origin = null } = await withOperator(
    flags,
    async (operator) => await operator.databaseState(),
    settleTimeZone,
  );
  return {
    sources,
    reading: createHash('sha256').update(reading).digest('hex'),
    database: origin,
  };
}

async function importSince(
  urls: readonly string[],
  flags: EveryFlags,
  sinceIn: (operator: Operator) => Promise<string | undefined>,
): Promise<void> {
  let since: string | undefined;
  const report = await importOnce(urls, flags, async (operator) => {
    since = await sinceIn(operator);
    return since;
  });
  console.log(roundText(report, since === undefined ? {} : { since }, flags));
  if (report.rejected === 0) return;
  throw new UserError(
    'Nothing was imported, because rows are wrong.',
    'Correct them in the source, or import from a database view that leaves them out.',
  );
}

/**
 * The time from which a round reads: `readUntil` minus the overlap. Otherwise changes could be missed, because
 * the clock of the source may differ, and a change may become visible after its date.
 */
const sinceOf = (readUntil: Date, overlap: number): string =>
  `${new Date(readUntil.getTime() - overlap).toISOString().slice(0, 19)}Z`;

function refuseFiles(urls: readonly string[], { rejects }: ImportFlags): void {
  if (!urls.every(isSourceUrl)) {
    throw new UserError(
      'Without --watch, --every imports only from databases and buckets.',
      'To import files that arrive in a directory: transactions import DIRECTORY --watch',
    );
  }
  if (rejects === undefined) return;
  throw new UserError(
    '--rejects cannot be used with --every: each round would replace the file.',
    'Leave it out: an import with wrong rows is repeated until the source is corrected.',
  );
}
