/** The days that are asked about: by a name, or by the first and the last of them. */

import { useState } from 'react';
import { useAsker } from '../asker.tsx';
import { isPreset, type Period, PRESETS, periodFrom } from '../periods.ts';
import { useReader } from '../reader.tsx';

export function PeriodChoice() {
  const { texts, formats } = useReader();
  const { view, change, days, service } = useAsker();
  const isNamed = typeof view.period === 'string';
  return (
    <div className="period">
      <label className="inline">
        <span className="label">{texts.ask.period}</span>
        <select
          value={typeof view.period === 'string' ? view.period : 'custom'}
          onChange={({ target }) =>
            change({ period: isPreset(target.value) ? target.value : days })
          }
        >
          {PRESETS.map((preset) => (
            <option key={preset} value={preset}>
              {texts.periods[preset]}
            </option>
          ))}
          <option value="custom">{texts.ask.custom}</option>
        </select>
      </label>
      {isNamed ? (
        <span className="soft small nowrap">
          {formats.period(days.start, days.end)} · {service.me.time_zone}
        </span>
      ) : (
        <TwoDates key={`${days.start} ${days.end}`} days={days} />
      )}
    </div>
  );
}

function TwoDates({ days }: { readonly days: Period }) {
  const { texts } = useReader();
  const { change, service } = useAsker();
  const [{ start, end }, setDays] = useState(days);
  const isTurned = start > end;
  const set = (next: Period) => {
    setDays(next);
    const period = periodFrom(next.start, next.end);
    if (period !== undefined) change({ period });
  };
  return (
    <span className="two-dates">
      <label className="inline">
        <span className="label">{texts.ask.from}</span>
        <input
          type="date"
          value={start}
          onChange={(event) => set({ start: event.target.value, end })}
        />
      </label>
      <label className="inline">
        <span className="label">{texts.ask.to}</span>
        <input
          type="date"
          value={end}
          aria-invalid={isTurned}
          onChange={(event) => set({ start, end: event.target.value })}
        />
      </label>
      <span className="soft small">{service.me.time_zone}</span>
      {isTurned && (
        <span className="fault" role="alert">
          {texts.ask.order}
        </span>
      )}
    </span>
  );
}
