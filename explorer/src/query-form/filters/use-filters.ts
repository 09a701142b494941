/** React hook for the filters that the filter bar shows, and for changes of them. */

import { useState } from 'react';
import { useExplorer } from '../../access/explorer-context.tsx';
import {
  DEFAULT_FILTERS,
  FILTER_NAMES,
  type Filters,
  oppositeOf,
  selectingFilters,
  textOf,
  valuesOf,
} from '../../query/filters.ts';
import { DEFAULT_VIEW } from '../../query/view.ts';

/** The filters that a user adds and removes. */
const OPTIONAL_FILTERS = FILTER_NAMES.filter((name) => !DEFAULT_FILTERS.includes(name));

export const isOptional = (name: string): boolean => OPTIONAL_FILTERS.includes(name);

export function useFilters() {
  const { service, view, change } = useExplorer();
  const { filters } = view;
  const [opened, setOpened] = useState<readonly string[]>([]);
  const isGiven = (name: string) => Object.hasOwn(filters, name);
  const isShown = (name: string) => opened.includes(name) || isGiven(name);
  const set = (name: string, text: string) => {
    const { [name]: _, ...others } = filters;
    change({ filters: text === '' ? others : { ...others, [name]: text } });
  };
  const hide = (name: string) => setOpened(opened.filter((other) => other !== name));
  const open = (name: string) => setOpened([...opened.filter((other) => other !== name), name]);
  // A default filter without values is hidden while the exclusion by the same field has some.
  const always = DEFAULT_FILTERS.filter(
    (name) => name !== 'status' && (isGiven(name) || !isGiven(oppositeOf(name))),
  );
  return {
    shown: [...always, ...OPTIONAL_FILTERS.filter(isShown)],
    addable: selectingFilters(service.role).filter((name) => isOptional(name) && !isShown(name)),
    isAny: Object.keys(filters).length > 0 || opened.length > 0,
    isRemovable: (name: string) => isGiven(name) || isOptional(name),
    open,
    set: (name: string, text: string) => {
      // An emptied filter stays open for the next value.
      if (isOptional(name)) open(name);
      set(name, text);
    },
    negate: (name: string) => {
      hide(name);
      change({ filters: negated(filters, name) });
    },
    remove: (name: string) => {
      hide(name);
      set(name, '');
    },
    reset: () => {
      setOpened([]);
      change({ filters: DEFAULT_VIEW.filters });
    },
  };
}

/** Moves the values to the opposite filter: from "is" to "is not", or back. */
function negated(filters: Filters, name: string): Filters {
  const { [name]: text = '', ...others } = filters;
  const opposite = oppositeOf(name);
  const values = [...valuesOf(opposite, others[opposite] ?? ''), ...valuesOf(name, text)];
  return { ...others, [opposite]: textOf(opposite, [...new Set(values)]) };
}
