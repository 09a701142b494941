/** How a sum differs from that of the period before. */

import { useAsker } from '../asker.tsx';
import { type Period, periodOf } from '../periods.ts';
import { useReader } from '../reader.tsx';

interface ChangeProps {
  readonly now: number;
  readonly before: number;
  readonly earlier: Period;
}

export function Change({ now, before, earlier }: ChangeProps) {
  const { texts, formats } = useReader();
  const { days, service } = useAsker();
  const today = periodOf('today', service.me.time_zone).start;
  const isOpen = days.start <= today && today <= days.end;
  const { start, end } = earlier;
  const isOfOneYear = start !== end && start.slice(0, 4) === end.slice(0, 4);
  const first = isOfOneYear ? formats.shortDay(start) : formats.day(start);
  const last = formats.day(end);
  return (
    <>
      {before === 0 ? (
        texts.glance.nothingBefore(first, last)
      ) : (
        <>
          <Percent part={now / before - 1} /> {texts.glance.against(first, last)}
        </>
      )}
      {isOpen && <span className="nowrap"> · {texts.glance.todayIsOpen}</span>}
    </>
  );
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
