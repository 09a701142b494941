/** The client for Node.js, whose downloads go to files. */

import { type Client, type ClientOptions, clientWith } from '../client.ts';
import { downloadToFile, type FileDownloadOptions } from './file-download.ts';

export * from '../index.ts';
export type { FileDownloadOptions } from './file-download.ts';

/** A client whose downloads go to files, and are gone on with where one was left. */
export const createClient = (options: ClientOptions): Client<string | URL, FileDownloadOptions> =>
  clientWith(options, downloadToFile, {});
