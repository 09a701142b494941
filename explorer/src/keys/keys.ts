/** Keyboard shortcuts: one table for the handlers and for the sheet that lists them. */

/** The keys of each action in each part of the page, named as in `KeyboardEvent.key`. */
export const KEYS = {
  page: { search: ['/'], keys: ['?'] },
  search: { next: ['ArrowDown'], previous: ['ArrowUp'], open: ['Enter'], close: ['Escape'] },
  chart: {
    earlier: ['ArrowLeft'],
    later: ['ArrowRight'],
    first: ['Home'],
    last: ['End'],
    open: ['Enter'],
    close: ['Escape'],
  },
  list: {
    up: ['ArrowUp'],
    down: ['ArrowDown'],
    pageUp: ['PageUp'],
    pageDown: ['PageDown'],
    first: ['Home'],
    last: ['End'],
    open: ['Enter'],
  },
  row: { next: ['j', 'ArrowDown'], previous: ['k', 'ArrowUp'], close: ['Escape'] },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** A part of the page with its own keyboard shortcuts. */
export type KeyScope = keyof typeof KEYS;

export type KeyAction<Scope extends KeyScope> = keyof (typeof KEYS)[Scope];

interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

export const actionsOf = <Scope extends KeyScope>(scope: Scope): readonly KeyAction<Scope>[] =>
  Object.keys(KEYS[scope]) as KeyAction<Scope>[];

export const keysOf = <Scope extends KeyScope>(
  scope: Scope,
  action: KeyAction<Scope>,
): readonly string[] => {
  const keys: Readonly<Record<PropertyKey, readonly string[]>> = KEYS[scope];
  return keys[action] ?? [];
};

/** The action of a pressed key. Shortcuts of the browser and of the system have none. */
export function actionOf<Scope extends KeyScope>(
  scope: Scope,
  { key, ctrlKey, metaKey, altKey }: Press,
): KeyAction<Scope> | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  return actionsOf(scope).find((action) => keysOf(scope, action).includes(key));
}
