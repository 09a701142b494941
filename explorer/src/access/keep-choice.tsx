/** Choice whether the token stays on the device when all tabs of the page are closed. */

import { useId } from 'react';
import { useLocalization } from '../layout/localization-context.tsx';

interface KeepChoiceProps {
  readonly isKept: boolean;
  setKept(isKept: boolean): void;
}

export function KeepChoice({ isKept, setKept }: KeepChoiceProps) {
  const { texts } = useLocalization();
  const id = useId();
  return (
    <div className="keep">
      <label className="inline">
        <input
          type="checkbox"
          checked={isKept}
          onChange={(event) => setKept(event.target.checked)}
          aria-describedby={id}
        />
        {texts.signIn.keep}
      </label>
      <p id={id} className="soft small">
        {isKept ? texts.signIn.kept : texts.signIn.forgotten}
      </p>
    </div>
  );
}
