/** Buttons of one filter: one switches between "is" and "is not", and one removes the filter. */

import { useLocalization } from '../../layout/localization-context.tsx';
import { CrossIcon } from '../../ui/cross-icon.tsx';

interface NegateButtonProps {
  readonly label: string;
  readonly isNegated: boolean;
  negate(): void;
}

/** Shows "is" or "is not", and switches between them when pressed. */
export function NegateButton({ label, isNegated, negate }: NegateButtonProps) {
  const { texts } = useLocalization();
  return (
    <button type="button" className="quiet negate" onClick={negate}>
      <span className="hidden">{label} </span>
      {isNegated ? texts.filter.isNot : texts.filter.is}
    </button>
  );
}

interface RemoveButtonProps {
  readonly label: string;
  readonly isOff: boolean;
  remove(): void;
}

const INVISIBLE = { visibility: 'hidden' } as const;

/** Invisible rather than absent, so that the layout does not move. */
export function RemoveButton({ label, isOff, remove }: RemoveButtonProps) {
  const { texts } = useLocalization();
  return (
    <button
      type="button"
      className="quiet icon"
      style={isOff ? INVISIBLE : undefined}
      aria-label={texts.ask.remove(label)}
      onClick={remove}
    >
      <CrossIcon />
    </button>
  );
}
