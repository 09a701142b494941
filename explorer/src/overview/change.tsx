/** Change of a sum against the period before, in percent. */

import { useLocalization } from '../layout/localization-context.tsx';

interface ChangeProps {
  readonly now: number;
  readonly before: number;
}

export function Change({ now, before }: ChangeProps) {
  const { texts } = useLocalization();
  if (before !== 0) return <Percent part={now / before - 1} />;
  return now === 0 ? null : texts.glance.noneBefore;
}

/** Rounds to a tenth of a percent. */
const TENTHS = 1000;

/** An arrow on the screen, a sign for screen readers. */
function Percent({ part }: { readonly part: number }) {
  const { formats } = useLocalization();
  const rounded = Math.round(part * TENTHS) / TENTHS;
  const arrow = rounded > 0 ? '▲ ' : '▼ ';
  return (
    <>
      <span className="nowrap" aria-hidden="true">
        {rounded === 0 ? '' : arrow}
        {formats.share(Math.abs(rounded))}
      </span>
      <span className="hidden">{formats.change(rounded)}</span>
    </>
  );
}
