/** English texts of the sign-in, and of the sheet in which administrators manage access tokens. */

import { LINK_MINUTES } from '../../../../src/contract/tokens/lifetime.ts';

export const signIn = {
  title: 'See your transactions',
  intro: 'Sign in with the access token that you were given.',
  token: 'Access token',
  show: 'Show',
  hide: 'Hide',
  submit: 'Sign in',
  busy: 'Signing in…',
  keep: 'Keep me signed in on this device',
  kept: 'Anyone who uses this browser can see your transactions until you sign out.',
  forgotten: 'The token is forgotten when you close the tabs of this page.',
  byLink: 'Signed in by a link',
  linkUsed:
    'You are signed in. The link cannot be used again, and closing the tabs of this page ends your access.',
  notKept: 'Not on this device',
  link: {
    title: 'Sign-in link',
    question: (who: string) => `You are signed in as ${who}. Use the link instead?`,
    consequence:
      'Using the link signs you out of this account. Use it only if you expected a link.',
    use: 'Use the link',
    stay: 'Stay signed in',
  },
} as const;

/** The sheet that manages tokens and webhooks. */
export const access = {
  tab: 'What to manage',
  tabs: { tokens: 'Tokens', webhooks: 'Webhooks' },
} as const;

export const tokens = {
  open: 'Access',
  title: 'Access tokens',
  create: 'New token',
  name: 'Name',
  nameExample: 'Agency',
  role: 'Role',
  publishers: 'Publisher IDs',
  publishersExample: '345, 346',
  programs: 'Program IDs',
  programsExample: 'All programs',
  ownPrograms: (ids: string) => `One or more of ${ids}`,
  expires: 'Valid for',
  lifetimes: {
    '7d': '7 days',
    '30d': '30 days',
    '90d': '90 days',
    '365d': 'A year',
    never: 'No time limit',
  },
  asLongAsYours: 'As long as yours',
  submit: 'Create token',
  submitLink: 'Create sign-in link',
  busy: 'Creating…',
  created: (name: string) => `Token created: ${name}`,
  unnamed: 'No name',
  once: 'Copy it now. It cannot be shown again.',
  copyToken: 'Copy the token',
  linkCreated: (name: string) => `Link created: ${name}`,
  linkOnce: `Send it now. It signs in the first person who opens it within ${LINK_MINUTES} minutes, and cannot be shown again.`,
  copyLink: 'Copy the link',
  unusedLink: 'Link, not used yet',
  another: 'Create another',
  existing: 'Tokens',
  you: 'Yours',
  manages: 'Manages tokens',
  ofPublishers: (ids: string) => `Publishers ${ids}`,
  ofPrograms: (ids: string) => `Programs ${ids}`,
  everything: 'Everything',
  createdOn: (when: string) => `Created ${when}`,
  createdBy: (whom: string) => `by ${whom}`,
  createdByYou: 'by you',
  validUntil: (when: string) => `valid until ${when}`,
  endless: 'no time limit',
  soon: 'Expires soon',
  expired: 'Expired',
  revoke: 'Revoke',
  revokeNamed: (name: string) => `Revoke ${name}`,
  sure: (name: string) => `Revoke ${name}? It stops working within 5 seconds.`,
  cancel: 'Cancel',
  byOperator: 'Only the operator can revoke it.',
} as const;
