/** The first and the last day, written or picked: they count when the reader pauses, leaves them or presses Enter. */

import { useEffect, useId, useState } from 'react';
import { useAccess } from '../access/access-context.tsx';
import { type Reader, useReader } from '../layout/reader-context.tsx';
import { FIRST_DAY, isInBounds, LAST_DAY, type Period, periodFrom } from '../query/periods.ts';
import { useAfterPress } from './use-after-press.ts';
import { useDraft } from './use-draft.ts';

/** Milliseconds after which a date that is being written is taken for a whole one. */
const PAUSE = 600;

const ENDS = ['start', 'end'] as const;

const LABELS = { start: 'from', end: 'to' } as const;

export function DateRange({ days }: { readonly days: Period }) {
  const reader = useReader();
  const { change } = useAccess();
  const id = useId();
  const [written, setWritten] = useDraft(days, `${days.start} ${days.end}`);
  const [isWriting, setWriting] = useState(false);
  const settle = () => {
    setWriting(false);
    const period = periodFrom(written.start, written.end);
    if (period !== undefined) change({ period });
  };
  const left = useAfterPress(settle);
  useEffect(() => {
    if (!isWriting) return;
    const timer = setTimeout(settle, PAUSE);
    return () => clearTimeout(timer);
  });
  const fault = isWriting ? undefined : faultOf(written, reader);
  return (
    <span className="two-dates">
      {ENDS.map((end) => (
        <label key={end} className="inline">
          <span className="label">{reader.texts.ask[LABELS[end]]}</span>
          <input
            type="date"
            min={FIRST_DAY}
            max={LAST_DAY}
            value={written[end]}
            aria-invalid={fault?.of === end}
            aria-describedby={`${id}-fault`}
            onChange={({ target }) => {
              setWritten({ ...written, [end]: target.value });
              setWriting(true);
            }}
            onBlur={left.soon}
            onKeyDown={({ key }) => {
              if (key === 'Enter') settle();
            }}
          />
        </label>
      ))}
      <span id={`${id}-fault`} className="fault" role="alert">
        {fault?.text}
      </span>
    </span>
  );
}

interface Fault {
  readonly of: keyof Period;
  readonly text: string;
}

/** What is wrong with the days, and what would be right. */
function faultOf(written: Period, { texts, formats }: Reader): Fault | undefined {
  const wrong = ENDS.find((end) => !isInBounds(written[end]));
  if (wrong !== undefined) {
    return { of: wrong, text: texts.ask.bounds(formats.day(FIRST_DAY), formats.day(LAST_DAY)) };
  }
  return written.start > written.end ? { of: 'end', text: texts.ask.order } : undefined;
}
