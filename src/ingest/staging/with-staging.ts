/** Runs an import with staging tables and a folder for its temporary files, and removes both when it has ended. */

import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClusterNodes, stagingNodesOf } from '../../schema/cluster-nodes.ts';
import { fullDiskRefusal } from '../full-disk.ts';
import { dropStaging, type Staging, stagingOf } from './staging.ts';

interface StagingContext {
  readonly nodes: ClusterNodes;
  /** The folder in which the import gets its own. */
  readonly workDirectory: string;
}

export interface StagedImport {
  /** The servers, for statements that change staging tables only. */
  readonly nodes: ClusterNodes;
  readonly staging: Staging;
  /** For the temporary files of this import. */
  readonly workDirectory: string;
  /** Publishes the staged rows. If it fails, the staging tables are kept. */
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
    isPublishing = true;
    await publish(context.nodes);
    isPublishing = false;
  };
  try {
    return await run({ nodes, staging, workDirectory, publishing });
  } catch (error) {
    if (isPublishing) throw error;
    const place = { engine: nodes.engine, workDirectory: context.workDirectory };
    throw await fullDiskRefusal(error, place);
  } finally {
    // An error here must not hide the outcome; the next start removes what is left.
    await rm(workDirectory, { recursive: true, force: true }).catch(ignore);
    // If publishing failed, the staged rows are needed: the next process to open the database finishes it.
    if (!isPublishing) await dropStaging(nodes, staging).catch(ignore);
  }
}

const ignore = (): undefined => undefined;
