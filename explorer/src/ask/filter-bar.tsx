/** Which of the transactions: the filters that everybody uses, and the others on demand. */

import { useState } from 'react';
import { useAsker } from '../asker.tsx';
import { FILTER_NAMES, nameOf, STANDING_FILTERS } from '../filters.ts';
import { useReader } from '../reader.tsx';
import { FIRST_VIEW } from '../view.ts';
import { StatusFilter } from './status-filter.tsx';
import { TextFilter } from './text-filter.tsx';

export function FilterBar() {
  const { texts } = useReader();
  const { view, change } = useAsker();
  const [opened, setOpened] = useState<readonly string[]>([]);
  const onDemand = FILTER_NAMES.filter((name) => !STANDING_FILTERS.includes(name));
  const isShown = (name: string) => opened.includes(name) || Object.hasOwn(view.filters, name);
  const set = (name: string, text: string) => {
    const { [name]: _, ...others } = view.filters;
    change({ filters: text === '' ? others : { ...others, [name]: text } });
  };
  const others = onDemand.filter((name) => !isShown(name));
  return (
    <fieldset className="ask-row filters">
      <legend className="hidden">{texts.ask.filters}</legend>
      <StatusFilter value={view.filters.status ?? ''} set={(text) => set('status', text)} />
      {[...STANDING_FILTERS.filter((name) => name !== 'status'), ...onDemand.filter(isShown)].map(
        (name) => (
          <TextFilter
            key={`${name}=${view.filters[name] ?? ''}`}
            name={name}
            value={view.filters[name] ?? ''}
            isOpened={opened.at(-1) === name && !Object.hasOwn(view.filters, name)}
            set={(text) => {
              setOpened(opened.filter((other) => other !== name || text !== ''));
              set(name, text);
            }}
          />
        ),
      )}
      {others.length > 0 && (
        <select
          className="add"
          aria-label={texts.ask.add}
          value=""
          onChange={({ target }) => setOpened([...opened, target.value])}
        >
          <option value="">+ {texts.ask.more}</option>
          {others.map((name) => (
            <option key={name} value={name}>
              {nameOf(name, texts)}
            </option>
          ))}
        </select>
      )}
      {Object.keys(view.filters).length > 0 && (
        <button
          type="button"
          className="quiet"
          onClick={() => {
            setOpened([]);
            change({ filters: FIRST_VIEW.filters });
          }}
        >
          {texts.ask.reset}
        </button>
      )}
    </fieldset>
  );
}
