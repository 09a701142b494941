/** Runs an import with staging tables and a folder for its temporary files, and removes both when it has ended. */

import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Engine, isExclusive } from '../../engine/engine.ts';
import { type ClusterNodes, stagingNodesOf } from '../../schema/cluster-nodes.ts';
import { fullDiskRefusal } from '../full-disk.ts';
import { type ImportState, importState } from './import-state.ts';
import { awaitMarkedImports } from './recover-others.ts';
import { dropStaging, type Staging, stagingOf } from './staging.ts';

interface StagingContext {
  readonly nodes: ClusterNodes;
  /** The folder in which the import creates a subfolder. */
  readonly workDirectory: string;
  readonly signal?: AbortSignal | undefined;
}

export interface StagedImport {
  /** The servers, for statements that change staging tables only. */
  readonly nodes: ClusterNodes;
  readonly staging: Staging;
  /** For the temporary files of this import. */
  readonly workDirectory: string;
  /** Publishes the staged rows. If it fails after they were marked as complete, the staging tables are kept. */
  readonly publishing: (publish: (nodes: ClusterNodes) => Promise<void>) => Promise<void>;
}

/** If a disk is full, the error names it. */
export async function withStaging<Result>(
  context: StagingContext,
  run: (staged: StagedImport) => Promise<Result>,
): Promise<Result> {
  const nodes = stagingNodesOf(context.nodes);
  const staging = stagingOf(randomBytes(8).toString('hex'));
  const workDirectory = join(context.workDirectory, staging.id);
  await mkdir(workDirectory, { recursive: true, mode: 0o700 });
  let isPublishing = false;
  const publishing: StagedImport['publishing'] = async (publish) => {
    // Imports of other processes may have been marked while this one was staged.
    await awaitMarkedImports(context.nodes, context.signal);
    isPublishing = true;
    try {
      await publish(context.nodes);
    } catch (cause) {
      const outcome = await outcomeOf(context.nodes.engine, staging);
      isPublishing = outcome !== 'unmarked';
      if (outcome === 'unmarked') throw cause;
      if (outcome !== 'done') throw failure(outcome, cause);
    }
    isPublishing = false;
  };
  try {
    return await run({ nodes, staging, workDirectory, publishing });
  } catch (error) {
    if (isPublishing) throw error;
    const place = { engine: nodes.engine, workDirectory: context.workDirectory };
    throw await fullDiskRefusal(error, place);
  } finally {
    // An error here must not hide the outcome. A later start or import removes what is left.
    await rm(workDirectory, { recursive: true, force: true }).catch(ignore);
    // If publishing failed after the mark, the staged rows are needed to finish it.
    if (!isPublishing) await dropStaging(nodes, staging).catch(ignore);
  }
}

const ignore = (): undefined => undefined;

/** The state of a publication that failed. If it was marked, all rows become visible. Otherwise none do. */
type Outcome = ImportState | 'unmarked' | 'unknown';

async function outcomeOf(engine: Engine, staging: Staging): Promise<Outcome> {
  try {
    const state = await importState(engine, staging);
    if (state !== undefined) return state;
  } catch {
    return 'unknown';
  }
  // On servers, the mark may be on a replica that did not answer, or be written later by a statement whose
  // connection was cut. A later import looks for the mark again.
  return isExclusive(engine) ? 'unmarked' : 'unknown';
}

const FAILURES = {
  publishing:
    'The import is complete, but some rows may not be visible yet. The next import first makes them visible; on a ClickHouse server, it may wait a minute for that.',
  unknown:
    'Either all rows of the import become visible, or none. Import again to be sure: importing the same rows twice changes nothing.',
} as const satisfies { readonly [outcome in Outcome]?: string };

function failure(outcome: keyof typeof FAILURES, cause: unknown): Error {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new Error(`${FAILURES[outcome]} ${message}`, { cause });
}
