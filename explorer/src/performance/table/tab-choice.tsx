/** Choice of what the performance table is grouped by. */

import { useId } from 'react';
import { useAccess } from '../../access/access-context.tsx';
import { useLocalization } from '../../layout/localization-context.tsx';
import { tabsOf } from './tabs.ts';

export function TabChoice() {
  const { texts } = useLocalization();
  const { service, view, change } = useAccess();
  const id = useId();
  return (
    <fieldset className="segments">
      <legend className="hidden">{texts.performance.groupedBy}</legend>
      {tabsOf(service.role).map(({ grouping }) => (
        <label key={grouping}>
          <input
            type="radio"
            name={id}
            checked={view.table === grouping}
            onChange={() => change({ table: grouping })}
          />
          <span>{texts.performance.tab[grouping]}</span>
        </label>
      ))}
    </fieldset>
  );
}
