/** Errors when the process that has the database open does not answer, refuses a command, or runs another version. */

import * as v from 'valibot';
import { VERSION } from '../contract/version.ts';
import { readJson, UnexpectedJson } from '../read-json.ts';
import { UserError } from '../user-error.ts';

/** `next` is what the user should type next, as in a UserError. */
const REFUSAL = v.object({ message: v.string(), next: v.optional(v.string()) });

/** The statuses with which a server of another version refuses an unknown body or path. */
const OTHER_VERSION: ReadonlySet<number | undefined> = new Set([400, 404]);

const SAME_VERSION = `Restart the server, so that it runs version ${VERSION} like this command.`;

export function refusalOf(status: number | undefined, body: string): Error {
  let message = `it answered with status ${status}`;
  let next: string | undefined;
  try {
    ({ message, next } = readJson(REFUSAL, body));
  } catch (error) {
    if (!(error instanceof UnexpectedJson)) throw error;
  }
  if (next !== undefined) return new UserError(message, next);
  return OTHER_VERSION.has(status)
    ? new UserError(`The running server refuses this command: ${message}`, SAME_VERSION)
    : new Error(message);
}

/** Why a request got no answer: the process could not be reached, or it has closed the connection. */
export const requestFailure = (directory: string, request: string, cause: NodeJS.ErrnoException) =>
  cause.syscall === 'connect' ? unreachableProcess(directory, cause) : lostAnswer(request, cause);

const unreachableProcess = (directory: string, cause: Error): Error =>
  new UserError(
    `Another process has opened the database in ${directory} and does not answer.`,
    'Wait until it ends, or stop it. It may be in another container. Only `transactions serve` and `demo` share their database.',
    { cause },
  );

/** The server ended after it had accepted the request, so nobody knows whether it was carried out. */
const lostAnswer = (request: string, cause: unknown): Error =>
  new UserError(
    'The server ended before it reported the outcome: the command may have been carried out, or not.',
    `Start the server. ${AFTER_LOST_ANSWER[request] ?? 'Then run the command again: repeating it does no harm.'}`,
    { cause },
  );

const REVOKE_LOST_TOKEN =
  'If `transactions token list` shows the new token, revoke it, because nobody has it. Then run the command again.';

/** By method and path, for requests that create something. */
const AFTER_LOST_ANSWER: Readonly<Record<string, string>> = {
  'POST /tokens': REVOKE_LOST_TOKEN,
  'POST /links': REVOKE_LOST_TOKEN,
  'POST /webhooks':
    'If `transactions webhook list` shows the new webhook, remove it, because nobody has its secret. Then run the command again.',
  'POST /backups': 'Delete the incomplete backup. Then run the command again.',
};

/** A response that does not fit its schema comes from a server of another version. */
export const notUnderstood = (error: unknown): unknown =>
  error instanceof UnexpectedJson
    ? new UserError(
        `The running server sent an unexpected response: ${error.message}`,
        SAME_VERSION,
        { cause: error },
      )
    : error;

/** Why the answer to a request cannot be read: its end is missing, or it is of another version. */
export const answerFailure = (request: string, error: unknown): unknown =>
  isDisconnection(error) ? lostAnswer(request, error) : notUnderstood(error);

/** Whether the other process closed the connection before it had sent the whole answer. */
export const isDisconnection = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
