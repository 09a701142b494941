/** Error messages in English: what failed and what to do next. */

import type { ProblemCode } from '../../../../src/contract/problems/problems.ts';
import { LINK_MINUTES } from '../../../../src/contract/tokens/lifetime.ts';

interface Words {
  readonly what: string;
  readonly next: string;
}

export const errors = {
  unreachable: {
    what: 'The service cannot be reached.',
    next: 'Check your connection, then try again.',
  },
  noAnswer: {
    what: 'The service does not answer.',
    next: 'Your device is online. Try again in a moment.',
  },
  cut: { what: 'The connection was cut.', next: 'Try again.' },
  foreign: {
    what: 'The response did not come from the service, but from a proxy or another server in between.',
    next: 'Try again in a moment. If it happens again, tell the operator of the service.',
  },
  noToken: {
    what: 'This is not an access token.',
    next: 'Copy the whole token, without spaces or line breaks.',
  },
  unknown: { what: 'Something went wrong.', next: 'Reload the page.' },
  /** For a problem that the page does not know. */
  other: (code: string) =>
    `Reload the page. If it happens again, tell the operator of the service: ${code}.`,
  wait: (seconds: number) =>
    seconds === 1 ? 'Wait a second, then try again.' : `Wait ${seconds} seconds, then try again.`,
  codes: {
    token_malformed: {
      what: 'This access token is incomplete.',
      next: 'Copy the whole token and paste it again.',
    },
    token_invalid: {
      what: 'This access token is unknown.',
      next: 'Check that you copied all of it, or ask for a new one.',
    },
    token_expired: {
      what: 'Your access has expired.',
      next: 'Ask the operator of the service for a new token.',
    },
    token_revoked: {
      what: 'Your access was revoked.',
      next: 'Ask the operator of the service for a new token.',
    },
    sign_in_link_invalid: {
      what: `This sign-in link is incomplete, was used already, or its ${LINK_MINUTES} minutes are over.`,
      next: 'Ask the person who sent it for a new one.',
    },
    publisher_forbidden: {
      what: 'This website is not one of yours.',
      next: 'Remove it from the filters.',
    },
    program_forbidden: {
      what: 'This program is not one of yours.',
      next: 'Remove it from the filters.',
    },
    token_management_forbidden: {
      what: 'Your access may not manage this.',
      next: 'Ask the operator of the service.',
    },
    token_too_wide: {
      what: 'This would give more rights than you have.',
      next: 'Choose only your own programs and, for a token, a shorter time under “Valid for”.',
    },
    token_not_found: {
      what: 'This token does not exist any more.',
      next: 'Reload the page.',
    },
    webhook_not_found: {
      what: 'This webhook does not exist any more.',
      next: 'Reload the page.',
    },
    too_many_webhooks: {
      what: 'There are too many webhooks.',
      next: 'Remove one that is no longer used.',
    },
    too_many_links: {
      what: 'There are too many unused sign-in links.',
      next: `Revoke one, or try again in ${LINK_MINUTES} minutes.`,
    },
    too_many_tokens: {
      what: 'Your access has created too many access tokens.',
      next: 'Revoke those that are no longer used.',
    },
    invalid_parameters: {
      what: 'Some values are not valid.',
      next: 'Correct these:',
    },
    uri_too_long: {
      what: 'The query is too long.',
      next: 'Use fewer values in the filters.',
    },
    precondition_failed: {
      what: 'The service does not have this file any more.',
      next: 'Download it again.',
    },
    range_not_satisfiable: {
      what: 'The file has no such part.',
      next: 'Download the whole file.',
    },
    upgrade_required: {
      what: 'A proxy in front of the service uses HTTP/1.0, which cannot send this safely.',
      next: 'Ask the operator to use HTTP/1.1 between the proxy and the service.',
    },
    changes_expired: {
      what: 'The service no longer keeps changes from that long ago.',
      next: 'Reload the page.',
    },
    transaction_not_found: {
      what: 'This transaction does not exist, or is not one of yours.',
      next: 'Check its type and identifier.',
    },
    request_timeout: {
      what: 'The request arrived too slowly.',
      next: 'Check your connection, then try again.',
    },
    headers_too_large: {
      what: 'The cookies of this domain, or your access token, are too long for the service.',
      next: 'Delete the cookies of this domain. If it happens again, tell the operator of the service.',
    },
    wrong_role: { what: 'Your role has changed.', next: 'Sign out and in again.' },
    too_many_requests: {
      what: 'You sent too many requests in the last minute.',
      next: 'Wait a minute, then try again.',
    },
    too_many_invalid_tokens: {
      what: 'Too many invalid access tokens came from your network.',
      next: 'Wait a minute, then sign in with a valid token.',
    },
    too_many_downloads: {
      what: 'You have reached the limit of downloads at the same time.',
      next: 'Wait until one is complete.',
    },
    disk_quota_exceeded: {
      what: 'Your other downloads take all the disk space that you may use.',
      next: 'Wait until they are complete, or choose CSV, NDJSON or JSON.',
    },
    no_room: {
      what: 'The service has no disk space for this file at the moment.',
      next: 'Choose CSV, NDJSON or JSON, or a shorter period.',
    },
    query_too_long: {
      what: 'The query took too long and was stopped.',
      next: 'Choose a shorter period or fewer groups.',
    },
    busy: { what: 'The service is overloaded at the moment.', next: 'Try again in a few seconds.' },
    database_unavailable: {
      what: 'The database is unavailable at the moment.',
      next: 'Try again in a few seconds.',
    },
    shutting_down: {
      what: 'The service is being restarted.',
      next: 'Try again in a few seconds.',
    },
    identity_provider_unavailable: {
      what: 'Signing in with your account is unavailable at the moment.',
      next: 'Try again in a few seconds.',
    },
    internal_error: {
      what: 'The service had an internal error.',
      next: 'Try again. If it happens again, tell the operator of the service.',
    },
    token_missing: {
      what: 'The request had no access token.',
      next: 'Sign in again.',
    },
    malformed_request: {
      what: 'The service could not read the request.',
      next: 'Reload the page. If it happens again, tell the operator of the service.',
    },
    origin_forbidden: {
      what: 'The service does not accept requests from this page.',
      next: 'Open the page at the address of the service.',
    },
    not_found: {
      what: 'The service does not know this address.',
      next: 'Reload the page. It may be older than the service.',
    },
    method_not_allowed: {
      what: 'The service does not support this kind of request.',
      next: 'Reload the page. It may be older than the service.',
    },
    not_acceptable: {
      what: 'The service cannot answer in a format that your browser accepts.',
      next: 'Try another browser, or tell the operator of the service.',
    },
    content_too_large: {
      what: 'The request was too large.',
      next: 'Reload the page. If it happens again, tell the operator of the service.',
    },
  } satisfies Record<ProblemCode, Words>,
} as const;
