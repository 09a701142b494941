/** Filter bar: the default filters, and a menu that adds others. */

import { type RefObject, useEffect, useRef, useState } from 'react';
import { useAccess } from '../access/access-context.tsx';
import { useLocalization } from '../layout/localization-context.tsx';
import {
  DEFAULT_FILTERS,
  FILTER_NAMES,
  fieldLabel,
  oppositeOf,
  selectionsFor,
  textOf,
  valuesOf,
} from '../query/filters.ts';
import { DEFAULT_VIEW } from '../query/view.ts';
import { StatusFilter } from './status-filter.tsx';
import { TextFilter } from './text-filter.tsx';

const ADD = 'add';

const OPTIONAL_FILTERS = FILTER_NAMES.filter((name) => !DEFAULT_FILTERS.includes(name));

export function FilterBar() {
  const { texts } = useLocalization();
  const { service, view, change } = useAccess();
  const [bar, focusNext] = useFocusNext();
  const [opened, setOpened] = useState<readonly string[]>([]);
  const [resets, setResets] = useState(0);
  const isGiven = (name: string) => Object.hasOwn(view.filters, name);
  const isShown = (name: string) => opened.includes(name) || isGiven(name);
  /** Moves the values to the opposite filter: from "is" to "is not", or back. */
  const negate = (name: string) => {
    const { [name]: text = '', ...others } = view.filters;
    const opposite = oppositeOf(name);
    const values = [...valuesOf(opposite, others[opposite] ?? ''), ...valuesOf(name, text)];
    setOpened(opened.filter((other) => other !== name));
    change({ filters: { ...others, [opposite]: textOf(opposite, [...new Set(values)]) } });
    focusNext(opposite);
  };
  const set = (name: string, text: string) => {
    const { [name]: _, ...others } = view.filters;
    change({ filters: text === '' ? others : { ...others, [name]: text } });
  };
  const open = (name: string) => setOpened([...opened.filter((other) => other !== name), name]);
  const remove = (name: string) => {
    setOpened(opened.filter((other) => other !== name));
    set(name, '');
    focusNext(OPTIONAL_FILTERS.includes(name) ? ADD : name);
  };
  const shown = OPTIONAL_FILTERS.filter(isShown);
  // An exclusion takes the place of a default filter that selects nothing.
  const always = DEFAULT_FILTERS.filter(
    (name) => name !== 'status' && (isGiven(name) || !isGiven(oppositeOf(name))),
  );
  return (
    <fieldset ref={bar} className="ask-row filters">
      <legend className="hidden">{texts.ask.filters}</legend>
      <StatusFilter value={view.filters.status ?? ''} set={(text) => set('status', text)} />
      {[...always, ...shown].map((name) => (
        <TextFilter
          // A reset also discards text that is not applied yet.
          key={`${name} ${resets}`}
          name={name}
          value={view.filters[name] ?? ''}
          negate={() => negate(name)}
          set={(text) => {
            // An emptied filter stays open for the next value.
            if (OPTIONAL_FILTERS.includes(name)) open(name);
            set(name, text);
          }}
          remove={isGiven(name) || OPTIONAL_FILTERS.includes(name) ? () => remove(name) : undefined}
        />
      ))}
      <AddFilter
        names={selectionsFor(service.role).filter(
          (name) => OPTIONAL_FILTERS.includes(name) && !isShown(name),
        )}
        add={(name) => {
          open(name);
          focusNext(name);
        }}
      />
      {(Object.keys(view.filters).length > 0 || opened.length > 0) && (
        <button
          type="button"
          className="quiet"
          onClick={() => {
            setOpened([]);
            setResets(resets + 1);
            change({ filters: DEFAULT_VIEW.filters });
            focusNext(ADD);
          }}
        >
          {texts.ask.reset}
        </button>
      )}
    </fieldset>
  );
}

interface AddFilterProps {
  readonly names: readonly string[];
  add(name: string): void;
}

function AddFilter({ names, add }: AddFilterProps) {
  const { texts } = useLocalization();
  if (names.length === 0) return null;
  return (
    <select
      className="add"
      data-control={ADD}
      aria-label={texts.ask.add}
      value=""
      onChange={({ target }) => add(target.value)}
    >
      <option value="">+ {texts.ask.more}</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {fieldLabel(name, texts)}
        </option>
      ))}
    </select>
  );
}

/** Moves the focus to an added filter, and away from a removed one. */
function useFocusNext(): readonly [RefObject<HTMLFieldSetElement | null>, (name: string) => void] {
  const bar = useRef<HTMLFieldSetElement>(null);
  const next = useRef<string>(undefined);
  useEffect(() => {
    if (next.current === undefined) return;
    bar.current?.querySelector<HTMLElement>(`[data-control="${next.current}"]`)?.focus();
    next.current = undefined;
  });
  return [
    bar,
    (name) => {
      next.current = name;
    },
  ];
}
