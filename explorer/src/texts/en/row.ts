/** The texts of one transaction in English. */

export const row = {
  copyLink: 'Copy link',
  timeline: 'Timeline',
  events: {
    firstClick: 'First click',
    lastClick: 'Last click',
    created: 'Created',
    validated: 'Validated',
    refused: 'Refused (last change)',
    changed: 'Last change',
  },
  paid: (payment: string) => `Part of payment ${payment}`,
  notInList: 'Not among the loaded rows of the list, so there is no previous or next one.',
} as const;
