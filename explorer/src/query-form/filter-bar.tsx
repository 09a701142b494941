/** Which of the transactions: the filters that everybody uses, and the others on demand. */

import { type RefObject, useEffect, useRef, useState } from 'react';
import { useAccess } from '../access/access-context.tsx';
import { useReader } from '../layout/reader-context.tsx';
import { FILTER_NAMES, nameOf, STANDING_FILTERS } from '../query/filters.ts';
import { FIRST_VIEW } from '../query/view.ts';
import { StatusFilter } from './status-filter.tsx';
import { TextFilter } from './text-filter.tsx';

const ADD = 'add';

const ON_DEMAND = FILTER_NAMES.filter((name) => !STANDING_FILTERS.includes(name));

export function FilterBar() {
  const { texts } = useReader();
  const { view, change } = useAccess();
  const [bar, focusNext] = useFocusNext();
  const [opened, setOpened] = useState<readonly string[]>([]);
  const [resets, setResets] = useState(0);
  const isGiven = (name: string) => Object.hasOwn(view.filters, name);
  const isShown = (name: string) => opened.includes(name) || isGiven(name);
  const set = (name: string, text: string) => {
    const { [name]: _, ...others } = view.filters;
    change({ filters: text === '' ? others : { ...others, [name]: text } });
  };
  const open = (name: string) => setOpened([...opened.filter((other) => other !== name), name]);
  const remove = (name: string) => {
    setOpened(opened.filter((other) => other !== name));
    set(name, '');
    focusNext(ON_DEMAND.includes(name) ? ADD : name);
  };
  const shown = ON_DEMAND.filter(isShown);
  const standing = STANDING_FILTERS.filter((name) => name !== 'status');
  return (
    <fieldset ref={bar} className="ask-row filters">
      <legend className="hidden">{texts.ask.filters}</legend>
      <StatusFilter value={view.filters.status ?? ''} set={(text) => set('status', text)} />
      {[...standing, ...shown].map((name) => (
        <TextFilter
          // What is written and not yet asked for goes too.
          key={`${name} ${resets}`}
          name={name}
          value={view.filters[name] ?? ''}
          set={(text) => {
            // One that is emptied stays for what is written next.
            if (ON_DEMAND.includes(name)) open(name);
            set(name, text);
          }}
          remove={isGiven(name) || ON_DEMAND.includes(name) ? () => remove(name) : undefined}
        />
      ))}
      <AddFilter
        names={ON_DEMAND.filter((name) => !isShown(name))}
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
            change({ filters: FIRST_VIEW.filters });
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
  const { texts } = useReader();
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
          {nameOf(name, texts)}
        </option>
      ))}
    </select>
  );
}

/** Whoever asks for a filter wants to write it, and what goes must not take the focus with it. */
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
