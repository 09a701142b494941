/** Entry point of the client for Node.js, with downloads to files. */

import { type Client, type ClientOptions, clientWith } from '../client.ts';
import { downloadToFile, type FileDownloadOptions } from './file-download.ts';

export * from '../index.ts';
export type { FileDownloadOptions } from './file-download.ts';

/** Creates a client that downloads to files and resumes interrupted downloads. */
export const createClient = (options: ClientOptions): Client<string | URL, FileDownloadOptions> =>
  clientWith(options, downloadToFile, {});
