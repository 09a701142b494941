/** Filter bar: the default filters, the applied ones, and a menu that adds others. */

import { useState } from 'react';
import { useExplorer } from '../../access/explorer-context.tsx';
import { useLocalization } from '../../layout/localization-context.tsx';
import { oppositeOf } from '../../query/filters.ts';
import { ADD, AddFilter } from './add-filter.tsx';
import { StatusFilter } from './status-filter.tsx';
import { TextFilter } from './text-filter.tsx';
import { isOptional, useFilters } from './use-filters.ts';
import { useFocusNext } from './use-focus-next.ts';

export function FilterBar() {
  const { texts } = useLocalization();
  const { filters } = useExplorer().view;
  const { shown, addable, isAny, isRemovable, ...change } = useFilters();
  const [bar, focusNext] = useFocusNext();
  const [resets, setResets] = useState(0);
  const remove = (name: string) => {
    change.remove(name);
    focusNext(isOptional(name) ? ADD : name);
  };
  return (
    <fieldset ref={bar} className="ask-row filters">
      <legend className="hidden">{texts.ask.filters}</legend>
      <StatusFilter value={filters.status ?? ''} set={(text) => change.set('status', text)} />
      {shown.map((name) => (
        <TextFilter
          // A reset also discards text that is not applied yet.
          key={`${name} ${resets}`}
          name={name}
          value={filters[name] ?? ''}
          negate={() => {
            change.negate(name);
            focusNext(oppositeOf(name));
          }}
          set={(text) => change.set(name, text)}
          remove={isRemovable(name) ? () => remove(name) : undefined}
        />
      ))}
      <AddFilter
        names={addable}
        add={(name) => {
          change.open(name);
          focusNext(name);
        }}
      />
      {isAny && (
        <button
          type="button"
          className="quiet"
          onClick={() => {
            change.reset();
            setResets(resets + 1);
            focusNext(ADD);
          }}
        >
          {texts.ask.reset}
        </button>
      )}
    </fieldset>
  );
}
