/** Reads the values of webhook requests, and turns refused operations into problems. */

import { assertNever } from '../../../contract/assert-never.ts';
import { Problem } from '../../../contract/problems/problems.ts';
import { INSTANT_HINT, instantOf } from '../../../contract/query/instant.ts';
import { invalid } from '../../../contract/query/read-parameters.ts';
import { ACTIONS, KINDS } from '../../../contract/record/kinds.ts';
import type { WebhookQuery } from '../../../contract/webhooks/webhook-parameters.ts';
import { WebhookRefused } from '../../../webhooks/operations/webhook-refused.ts';
import type { NewWebhook } from '../../../webhooks/webhook.ts';

export function newWebhookOf(query: WebhookQuery, createdBy: string): NewWebhook {
  const { url, role, publisher_id: publisherIds = [], program_id: programIds = [] } = query;
  const { type = ACTIONS, locale = null, name = null } = query;
  const types = KINDS.filter((kind) => type.includes(kind));
  return { url, role, publisherIds, programIds, types, locale, name, createdBy };
}

/** The start of a replay. Throws the problem `invalid_parameters` if the text is not an instant. */
export function replayInstantOf(since: string, timeZone: string): Date {
  try {
    return new Date(instantOf(since, timeZone).epochMilliseconds);
  } catch (cause) {
    const faults = [invalid('since', `Must be a date or time. ${INSTANT_HINT}`)];
    throw new Problem('invalid_parameters', { faults, cause });
  }
}

/** Turns a refusal into a problem with the text that the command line shows. */
export async function withProblem<Result>(operation: Promise<Result>): Promise<Result> {
  try {
    return await operation;
  } catch (error) {
    throw error instanceof WebhookRefused ? problemOf(error) : error;
  }
}

function problemOf(refused: WebhookRefused): Problem {
  const { part, message } = refused;
  switch (part) {
    case 'url':
    case 'since':
      return new Problem('invalid_parameters', {
        faults: [invalid(part, message)],
        cause: refused,
      });
    case 'count':
      return new Problem('too_many_webhooks', { hint: message, cause: refused });
    default:
      return assertNever(part);
  }
}
