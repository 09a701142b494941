/** Change against the former period: an arrow on the screen, a sign for screen readers. */

import { useLocalization } from '../layout/localization-context.tsx';
import { changeOf, MAX_GROWTH, pointsBetween } from './change-of.ts';

interface ChangeProps {
  readonly now: number;
  readonly before: number;
}

export function Change({ now, before }: ChangeProps) {
  const { texts, formats } = useLocalization();
  const change = changeOf(now, before);
  switch (change.type) {
    case 'none':
      return null;
    case 'new':
      return texts.comparison.isNew;
    case 'multiplied':
      return texts.comparison.multiplied(formats.count(MAX_GROWTH));
    case 'part':
      return (
        <Signed
          value={change.part}
          seen={formats.share(Math.abs(change.part))}
          spoken={formats.change(change.part)}
        />
      );
  }
}

/** Change of a ratio in percentage points: a percentage of a percentage is ambiguous. */
export function PointChange({ now, before }: ChangeProps) {
  const { texts, formats } = useLocalization();
  const value = pointsBetween(now, before);
  const { points } = texts.comparison;
  return (
    <Signed
      value={value}
      seen={points(formats.points(Math.abs(value)))}
      spoken={points(formats.signedPoints(value))}
    />
  );
}

interface SignedProps {
  readonly value: number;
  readonly seen: string;
  readonly spoken: string;
}

function Signed({ value, seen, spoken }: SignedProps) {
  const arrow = value > 0 ? '▲ ' : '▼ ';
  return (
    <>
      <span className="nowrap" aria-hidden="true">
        {value === 0 ? '' : arrow}
        {seen}
      </span>
      <span className="hidden">{spoken}</span>
    </>
  );
}
