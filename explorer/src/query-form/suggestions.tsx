/** Autocomplete values of a filter, for the item after the last comma. */

import { useLocalization } from '../layout/localization-context.tsx';
import { isMultiValue } from '../query/filters.ts';
import type { Formats } from '../ui/formats.ts';
import type { NamedValue } from './values/named-values.ts';
import { VALUE_LABELS } from './values/normalize-input.ts';

interface SuggestionsProps {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly known: readonly NamedValue[];
}

export function Suggestions({ id, name, text, known }: SuggestionsProps) {
  const { formats } = useLocalization();
  const before = isMultiValue(name) ? text.slice(0, text.lastIndexOf(',') + 1) : '';
  const given = before.split(',');
  return (
    <datalist id={id}>
      {known
        .filter(({ value }) => !given.includes(value))
        .map(({ value, ...known }) => (
          <option
            key={value}
            value={before + value}
            label={VALUE_LABELS[name]?.(value, formats) ?? nameLabel(known, formats)}
          />
        ))}
    </datalist>
  );
}

/** The name of an identifier, and how many transactions have it. */
function nameLabel({ name, count }: Omit<NamedValue, 'value'>, formats: Formats) {
  return name === undefined || count === undefined ? name : `${name} (${formats.count(count)})`;
}
