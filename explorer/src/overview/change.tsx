/** How a sum differs from that of the period before. */

import { useReader } from '../layout/reader-context.tsx';

interface ChangeProps {
  readonly now: number;
  readonly before: number;
}

export function Change({ now, before }: ChangeProps) {
  const { texts } = useReader();
  if (before !== 0) return <Percent part={now / before - 1} />;
  return now === 0 ? null : texts.glance.noneBefore;
}

/** What is shown of a percent. */
const TENTHS = 1000;

/** An arrow for those who see it, a sign for those who hear it. */
function Percent({ part }: { readonly part: number }) {
  const { formats } = useReader();
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
