/** Query parameters of the operations on webhooks. */

import { arraySchema, wordSchema } from '../query/parameter-schemas.ts';
import { readBoolean, readSomeOf } from '../query/parameter-values.ts';
import type { Parameter, ValuesOf } from '../query/parameters.ts';
import { queryWithoutFaults, readParameters } from '../query/read-parameters.ts';
import { ACTIONS, KINDS } from '../record/kinds.ts';
import { TOKEN_PARAMETERS, wrongWebsites } from '../tokens/token-parameters.ts';
import { MAX_WEBHOOK_URL } from './webhook-limits.ts';

const { role, publisher_id, program_id, locale, name } = TOKEN_PARAMETERS;

/** Returns the text unchanged. It is checked when it is used. */
const asGiven = (text: string): string => text;

// biome-ignore format: one parameter a line
export const WEBHOOK_PARAMETERS = {
  url: { required: true, meaning: 'Where messages are posted. It must begin with https://, and its host must have a public address, unless the operator allows the host’s network', example: 'https://example.com/webhook', schema: { type: 'string', format: 'uri', maxLength: MAX_WEBHOOK_URL }, read: asGiven },
  role: { ...role, meaning: 'The role whose records are delivered' },
  publisher_id: { ...publisher_id, meaning: 'The websites whose changes are delivered, separated by commas. Required with role=affiliate, and not allowed with role=admin' },
  program_id: { ...program_id, meaning: 'Only changes of these programs, separated by commas. If the token of the request is limited to programs, this parameter is required and can name only those programs' },
  type: { meaning: `Only changes of these types, separated by commas. ${ACTIONS.join(',')} by default`, example: 'sales', schema: arraySchema(wordSchema(KINDS)), read: readSomeOf(KINDS) },
  locale: { ...locale, meaning: 'The language of the status labels, by default French' },
  name: { ...name, meaning: 'Who or what receives the messages', example: 'Data team' },
} as const satisfies Record<string, Parameter<unknown>>;

export const PAUSE_PARAMETERS = {
  paused: {
    required: true,
    meaning:
      'true: nothing is delivered until the webhook is resumed. false: the webhook is resumed, even if the service has stopped it, and begins with the message that failed',
    example: 'true',
    schema: { type: 'boolean' },
    read: readBoolean,
  },
} as const satisfies Record<string, Parameter<unknown>>;

export const REPLAY_PARAMETERS = {
  since: {
    required: true,
    meaning:
      "Delivers again what has changed since this time, and older changes that were not delivered yet. A time in the future is refused. Without an offset it is in the platform's time zone",
    example: '2026-03-01T14:00:00Z',
    schema: { type: 'string', maxLength: 40 },
    read: asGiven,
  },
} as const satisfies Record<string, Parameter<unknown>>;

/** The query of a new webhook. */
export type WebhookQuery = ValuesOf<typeof WEBHOOK_PARAMETERS>;

/** Parses the query string (without `?`) of a new webhook. Throws one Problem that names every fault. */
export function readWebhookQuery(queryString: string): WebhookQuery {
  const { values, faults } = readParameters(WEBHOOK_PARAMETERS, queryString, 'admin');
  return queryWithoutFaults(values, [...faults, ...wrongWebsites(values, faults)]);
}

export function readPause(queryString: string): boolean {
  const { values, faults } = readParameters(PAUSE_PARAMETERS, queryString, 'admin');
  return queryWithoutFaults(values, faults).paused;
}

/** The time as text. It is parsed later, with the time zone of the platform. */
export function readReplay(queryString: string): string {
  const { values, faults } = readParameters(REPLAY_PARAMETERS, queryString, 'admin');
  return queryWithoutFaults(values, faults).since;
}
