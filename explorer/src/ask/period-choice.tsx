/** The days that are asked about: by a name, or by the first and the last of them. */

import { useAsker } from '../asker.tsx';
import { isPreset, PRESETS } from '../periods.ts';
import { useReader } from '../reader.tsx';
import { DateChoice } from './date-choice.tsx';
import { TwoDates } from './two-dates.tsx';

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
      {!isNamed && <TwoDates days={days} />}
      <DateChoice />
      <span className="soft small">
        {isNamed && <span className="nowrap">{formats.period(days.start, days.end)} · </span>}
        {service.me.time_zone}
      </span>
    </div>
  );
}
