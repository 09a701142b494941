/** Menu that adds a filter to the filter bar. */

import { useLocalization } from '../../layout/localization-context.tsx';
import { filterLabel } from '../../query/filters.ts';

/** The `data-control` of the menu. */
export const ADD = 'add';

interface AddFilterProps {
  readonly names: readonly string[];
  add(name: string): void;
}

export function AddFilter({ names, add }: AddFilterProps) {
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
          {filterLabel(name, texts)}
        </option>
      ))}
    </select>
  );
}
