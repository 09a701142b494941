/** Select for a named period or a custom range of dates. */

import { useAccess } from '../access/access-context.tsx';
import { useLocalization } from '../layout/localization-context.tsx';
import { isPreset, PRESETS } from '../query/periods.ts';
import { ComparisonSelect } from './comparison-select.tsx';
import { DateFieldChoice } from './date-field-choice.tsx';
import { DateRange } from './date-range.tsx';

export function PeriodChoice() {
  const { texts, formats } = useLocalization();
  const { view, change, days, service } = useAccess();
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
      {!isNamed && <DateRange days={days} />}
      <ComparisonSelect />
      <DateFieldChoice />
      <span className="soft small">
        {isNamed && <span className="nowrap">{formats.period(days.start, days.end)} · </span>}
        {service.me.time_zone}
      </span>
    </div>
  );
}
