/** English texts of the sign-in through an OpenID provider. */

import type { ProviderFailureKind } from '../../access/provider/provider-failure.ts';

interface Words {
  readonly what: string;
  readonly next: string;
}

export const provider = {
  submit: 'Sign in with your account',
  busy: 'Opening the sign-in page…',
  at: (host: string) => `You sign in at ${host}, and come back to this page.`,
  or: 'or',
  code: (code: string) => `The sign-in page says: ${code}.`,
  failures: {
    declined: { what: 'You did not sign in.', next: 'Try again, or use an access token.' },
    unavailable: {
      what: 'The sign-in page does not answer at the moment.',
      next: 'Try again in a moment, or use an access token.',
    },
    unreachable: {
      what: 'The service cannot be reached.',
      next: 'Check your connection, then sign in again.',
    },
    refused: {
      what: 'Signing in with your account failed.',
      next: 'Tell the operator of the service.',
    },
    interrupted: {
      what: 'This sign-in did not begin here, or it took too long.',
      next: 'Sign in again.',
    },
    noAccess: {
      what: 'Your account may not see transactions here.',
      next: 'Ask the operator of the service for access, or use another account.',
    },
  } satisfies Record<ProviderFailureKind, Words>,
} as const;
