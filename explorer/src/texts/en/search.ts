/** The texts of one transaction, of the search box, of saved views and of keyboard shortcuts in English. */

import type { KeyAction, KeyScope } from '../../keys/keys.ts';

/** The labels of the keys of each part of the page. */
type ScopeLabels = {
  readonly [Scope in KeyScope]: {
    readonly title: string;
    readonly actions: { readonly [Action in KeyAction<Scope>]: string };
  };
};

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
  paid: (payment: string) => `In payment ${payment}`,
  notInList: 'Not among the loaded rows of the list, so there is no previous or next one.',
} as const;

export const search = {
  label: 'Search by ID or name',
  placeholder: 'Search IDs and names',
  results: 'Results',
  searching: 'Searching…',
  found: (count: number, text: string) => `${text} ${count === 1 ? 'result' : 'results'}`,
  nothing: (text: string) => `Nothing found for “${text}”.`,
  searched: (period: string, date: string) =>
    `Click and sub IDs must be complete. They were searched in all kinds, ${period} (date of ${date}). Transactions and names were searched without a period.`,
} as const;

export const views = {
  open: 'Saved views',
  opened: (name: string) => `View: ${name}`,
  title: 'Saved views',
  intro:
    'A view keeps the period, the filters, the chart and the order of this page under a name. Views stay in this browser.',
  temporary: 'You are not kept signed in on this device, so signing out deletes them.',
  name: 'Name',
  save: 'Save this view',
  none: 'No saved views yet.',
  current: 'Open now',
  makeDefault: (name: string) => `Open ${name} at the start`,
  byDefault: 'At the start',
  rename: (name: string) => `Rename ${name}`,
  newName: (name: string) => `New name of ${name}`,
  remove: (name: string) => `Delete ${name}`,
  done: 'Rename',
  taken: 'Another view has this name.',
  replaces: 'Replaces the view with this name.',
} as const;

export const keys = {
  open: 'Keyboard shortcuts',
  title: 'Keyboard shortcuts',
  names: {
    ArrowUp: '↑',
    ArrowDown: '↓',
    ArrowLeft: '←',
    ArrowRight: '→',
    PageUp: 'Page up',
    PageDown: 'Page down',
    Escape: 'Esc',
  },
  scopes: {
    page: {
      title: 'Anywhere',
      actions: { search: 'Search', keys: 'Show these shortcuts' },
    },
    search: {
      title: 'Search',
      actions: {
        next: 'Next result',
        previous: 'Previous result',
        open: 'Open the result',
        close: 'Close the results',
      },
    },
    chart: {
      title: 'Chart',
      actions: {
        earlier: 'One bar earlier (with Shift: select)',
        later: 'One bar later (with Shift: select)',
        first: 'First bar',
        last: 'Last bar',
        open: 'Zoom in',
        close: 'Cancel the selection',
      },
    },
    list: {
      title: 'List',
      actions: {
        up: 'One row up',
        down: 'One row down',
        pageUp: 'One screen up',
        pageDown: 'One screen down',
        first: 'First row',
        last: 'Last row',
        open: 'Open the transaction',
      },
    },
    row: {
      title: 'Transaction',
      actions: { next: 'Next transaction', previous: 'Previous transaction', close: 'Close' },
    },
  } satisfies ScopeLabels,
} as const;
