/** Two date inputs, applied after a pause in typing, on Enter or when they lose the focus. */

import { useEffect, useId, useState } from 'react';
import { FIRST_DAY, LAST_DAY } from '../../../../src/contract/query/calendar.ts';
import { useExplorer } from '../../access/explorer-context.tsx';
import { type Localization, useLocalization } from '../../layout/localization-context.tsx';
import { isInBounds, type Period, periodFrom } from '../../query/periods.ts';
import { useAfterPress } from '../use-after-press.ts';
import { useDraft } from '../use-draft.ts';

/** Milliseconds without typing until a date is applied. */
const DEBOUNCE = 600;

const ENDS = ['start', 'end'] as const;

const LABELS = { start: 'from', end: 'to' } as const;

interface DateRangeProps {
  readonly days: Period;
  /** Closes the date picker after Enter. */
  close(): void;
}

export function DateRange({ days, close }: DateRangeProps) {
  const localization = useLocalization();
  const { change } = useExplorer();
  const id = useId();
  const [draft, setDraft] = useDraft(days, `${days.start} ${days.end}`);
  const [isTyping, setTyping] = useState(false);
  const apply = () => {
    setTyping(false);
    const period = periodFrom(draft.start, draft.end);
    // Leaving an unchanged field must not turn a named period into dates.
    const isChanged = draft.start !== days.start || draft.end !== days.end;
    if (period !== undefined && isChanged) change({ period });
  };
  const afterPress = useAfterPress(apply);
  useEffect(() => {
    if (!isTyping) return;
    const timer = setTimeout(apply, DEBOUNCE);
    return () => clearTimeout(timer);
  });
  const fault = isTyping ? undefined : faultOf(draft, localization);
  return (
    <span className="two-dates">
      {ENDS.map((end) => (
        <label key={end} className="inline">
          <span className="label">{localization.texts.ask[LABELS[end]]}</span>
          <input
            type="date"
            min={FIRST_DAY}
            max={LAST_DAY}
            value={draft[end]}
            aria-invalid={fault?.of === end}
            aria-describedby={`${id}-fault`}
            onChange={({ target }) => {
              setDraft({ ...draft, [end]: target.value });
              setTyping(true);
            }}
            onBlur={afterPress.schedule}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              // Otherwise Enter would also click the button that gets the focus back when the dialog closes.
              event.preventDefault();
              apply();
              if (faultOf(draft, localization) === undefined) close();
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

/** The first error: which of the dates is wrong, and the message. */
function faultOf(draft: Period, { texts, formats }: Localization): Fault | undefined {
  const wrong = ENDS.find((end) => !isInBounds(draft[end]));
  if (wrong !== undefined) {
    return { of: wrong, text: texts.ask.bounds(formats.day(FIRST_DAY), formats.day(LAST_DAY)) };
  }
  return draft.start > draft.end ? { of: 'end', text: texts.ask.order } : undefined;
}
