/** Entry point of the client for browsers and every other runtime with `fetch`. */

import { type Client, type ClientOptions, clientWith } from './client.ts';
import { type DownloadOptions, downloadToStream } from './download.ts';

export type { ChangesPage, FollowOptions } from './changes/follow.ts';
export type { CopiedTransaction, CopyStore } from './changes/sync.ts';
export type { Client, ClientOptions, Endpoints } from './client.ts';
export type { Directory, DirectoryQuery } from './directory.ts';
export type { DownloadOptions, Progress } from './download.ts';
export {
  ApiProblem,
  CannotResume,
  ClientError,
  ConnectionCut,
  FileInUse,
  InvalidToken,
  UnexpectedResponse,
  Unreachable,
} from './errors.ts';
export type { Cancellable, ListOptions, PagedListOptions } from './lists/rows.ts';
export type {
  AdminGroup,
  AdminPerformance,
  AdminTransaction,
  AffiliateGroup,
  AffiliatePerformance,
  AffiliateTransaction,
  Change,
  ChangesParameters,
  ChosenRow,
  DownloadParameters,
  Group,
  ListParameters,
  ManagedToken,
  ManagedWebhook,
  Me,
  NewManagedToken,
  NewSignInLink,
  NewTokenParameters,
  NewWebhookParameters,
  PageParameters,
  ParameterFault,
  PerformanceParameters,
  PerformanceRecord,
  ProblemCode,
  Program,
  Publisher,
  RemovedWebhook,
  RevokedToken,
  SignIn,
  SummaryParameters,
  WebhookTest,
  WebhookWithSecret,
} from './model.ts';
export type { PerformanceEndpoint } from './performance.ts';
export type { Tokens } from './tokens.ts';
export type { PageOptions, RowsPage, TagOptions, Transactions } from './transactions.ts';
export type { Fetch, ResponseStart } from './transport/connection.ts';
export type { Retry } from './transport/retry.ts';
export type { TokenSource } from './transport/token.ts';
export type { Webhooks } from './webhooks.ts';

/** Creates a client that downloads to writable streams. */
export const createClient = (
  options: ClientOptions,
): Client<WritableStream<Uint8Array>, DownloadOptions> => clientWith(options, downloadToStream, {});
