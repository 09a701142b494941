/** Why something did not work and what to do about it, in English. */

import type { ProblemCode } from '../../../src/contract/problems/problems.ts';

interface Words {
  readonly what: string;
  readonly next: string;
}

export const refusals = {
  unreachable: {
    what: 'The service cannot be reached.',
    next: 'See whether you are connected, then try again.',
  },
  cut: { what: 'The connection was cut.', next: 'Try again.' },
  foreign: {
    what: 'Something between you and the service answered in its place.',
    next: 'Try again in a moment, or tell whoever runs the service.',
  },
  noToken: {
    what: 'This is not an access token.',
    next: 'Copy all of it, without spaces or line breaks.',
  },
  unknown: { what: 'Something went wrong.', next: 'Load the page again.' },
  /** Of what the page does not expect. */
  other: (code: string) =>
    `Load the page again; if it persists, tell whoever runs the service: ${code}.`,
  wait: (seconds: number) =>
    seconds === 1 ? 'Wait a second, then try again.' : `Wait ${seconds} seconds, then try again.`,
  codes: {
    token_malformed: {
      what: 'This is not a whole access token.',
      next: 'Copy all of it and paste it again.',
    },
    token_invalid: {
      what: 'This access token is not known here.',
      next: 'See whether it was copied whole, or ask for a new one.',
    },
    token_expired: {
      what: 'Your access has expired.',
      next: 'Ask whoever runs the service for a new token.',
    },
    token_revoked: {
      what: 'Your access was withdrawn.',
      next: 'Ask whoever runs the service for a new token.',
    },
    publisher_forbidden: {
      what: 'This website is not one of yours.',
      next: 'Remove it from the filters.',
    },
    program_forbidden: {
      what: 'This program is not one of yours.',
      next: 'Remove it from the filters.',
    },
    invalid_parameters: {
      what: 'The service does not understand the question.',
      next: 'Change what it names:',
    },
    uri_too_long: {
      what: 'The question is too long.',
      next: 'Name fewer values in its filters.',
    },
    request_timeout: {
      what: 'The service waited too long for the question.',
      next: 'See whether your connection is good, then try again.',
    },
    headers_too_large: {
      what: 'This access token is too long for the service.',
      next: 'Ask whoever runs the service for another one.',
    },
    wrong_role: { what: 'Your access is of another kind now.', next: 'Sign out and in again.' },
    too_many_requests: {
      what: 'You have asked a lot in the last minute.',
      next: 'Wait a minute, then try again.',
    },
    too_many_downloads: {
      what: 'You have as many downloads running as you may have.',
      next: 'Wait until one has ended.',
    },
    no_room: {
      what: 'The service has no room for this file at the moment.',
      next: 'Choose CSV, NDJSON or JSON, or a shorter period.',
    },
    busy: { what: 'Many people are asking at the moment.', next: 'Try again in a few seconds.' },
    database_unavailable: {
      what: 'The database does not answer at the moment.',
      next: 'Try again in a few seconds.',
    },
    shutting_down: {
      what: 'The service is being restarted.',
      next: 'Try again in a few seconds.',
    },
    identity_provider_unavailable: {
      what: 'Signing in does not work at the moment.',
      next: 'Try again in a few seconds.',
    },
    internal_error: {
      what: 'The service failed.',
      next: 'Try again; if it persists, tell whoever runs it.',
    },
    token_missing: {
      what: 'The service was asked without an access token.',
      next: 'Sign in again.',
    },
    malformed_request: {
      what: 'The service could not read the question.',
      next: 'Load the page again; if it persists, tell whoever runs the service.',
    },
    not_found: {
      what: 'The service does not have what this page asks for.',
      next: 'Load the page again: it may be older than the service.',
    },
    method_not_allowed: {
      what: 'The service is not asked in this way.',
      next: 'Load the page again: it may be older than the service.',
    },
    not_acceptable: {
      what: 'The service has no answer in a form that your browser takes.',
      next: 'Try another browser, or tell whoever runs the service.',
    },
    content_too_large: {
      what: 'More was sent than the service takes.',
      next: 'Load the page again; if it persists, tell whoever runs the service.',
    },
  } satisfies Record<ProblemCode, Words>,
} as const;
