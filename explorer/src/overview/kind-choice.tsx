/** Choice of the kind of transactions that the chart and the list show. */

import { KINDS } from '../../../src/contract/record/kinds.ts';
import { useAccess } from '../access/access-context.tsx';
import { useLocalization } from '../layout/localization-context.tsx';

export function KindChoice() {
  const { texts } = useLocalization();
  const { view, change } = useAccess();
  return (
    <fieldset className="segments">
      <legend className="hidden">{texts.ask.kind}</legend>
      {KINDS.map((kind) => (
        <label key={kind}>
          <input
            type="radio"
            name="kind"
            checked={view.kind === kind}
            onChange={() => change({ kind, measure: undefined })}
          />
          <span>{texts.kinds[kind]}</span>
        </label>
      ))}
    </fieldset>
  );
}
