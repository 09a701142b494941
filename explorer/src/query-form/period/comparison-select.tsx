/** Select for the former period. */

import { useId } from 'react';
import { useExplorer } from '../../access/explorer-context.tsx';
import { useLocalization } from '../../layout/localization-context.tsx';
import { COMPARISON_CHOICES } from '../../query/comparisons.ts';
import { DEFAULT_VIEW } from '../../query/view.ts';

export function ComparisonSelect() {
  const { texts } = useLocalization();
  const { view, change } = useExplorer();
  const id = useId();
  return (
    <span className="inline">
      <label className="label" htmlFor={id}>
        {texts.ask.compare}
      </label>
      <select
        id={id}
        value={view.compare}
        onChange={({ target }) =>
          change({
            compare:
              COMPARISON_CHOICES.find((choice) => choice === target.value) ?? DEFAULT_VIEW.compare,
          })
        }
      >
        {COMPARISON_CHOICES.map((choice) => (
          <option key={choice} value={choice}>
            {texts.comparison.choices[choice]}
          </option>
        ))}
      </select>
    </span>
  );
}
