/** When the list was read, on which clock, and a way to read it anew. */

import { useAgain } from '../again.ts';
import { useAsker } from '../asker.tsx';
import { useReader } from '../reader.tsx';

interface FreshnessProps {
  /** In milliseconds; undefined as long as it is being read. */
  readonly readAt: number | undefined;
}

export function Freshness({ readAt }: FreshnessProps) {
  const { texts, formats } = useReader();
  const { service } = useAsker();
  const again = useAgain();
  const timeZone = service.me.time_zone;
  const time = (instant: number): string =>
    new Intl.DateTimeFormat(formats.tag, { timeStyle: 'short', timeZone }).format(instant);
  return (
    <p className="soft small freshness">
      <span>
        {texts.list.clock(timeZone)}
        {readAt !== undefined && `, ${texts.list.asOf(time(readAt))}`}
      </span>
      <button type="button" className="quiet small" onClick={again}>
        {texts.list.refresh}
      </button>
    </p>
  );
}
