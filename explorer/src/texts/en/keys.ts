/** The texts of keyboard shortcuts in English. */

import type { KeyAction, KeyScope } from '../../keys/keys.ts';

/** The labels of the keys of each part of the page. */
type ScopeLabels = {
  readonly [Scope in KeyScope]: {
    readonly title: string;
    readonly actions: { readonly [Action in KeyAction<Scope>]: string };
  };
};

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
