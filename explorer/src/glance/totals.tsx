/** What the question adds up to, and how that differs from the period before; each is what the charts can show. */

import { useAsker } from '../asker.tsx';
import { nameOf } from '../filters.ts';
import type { Period } from '../periods.ts';
import type { Values } from '../question.ts';
import { useReader } from '../reader.tsx';
import { type Measure, sumOf, written } from './measures.ts';

interface TotalsProps {
  readonly measures: readonly Measure[];
  readonly chosen: Measure;
  readonly now: readonly Values[] | undefined;
  readonly before: readonly Values[] | undefined;
  readonly earlier: Period;
}

export function Totals({ measures, chosen, now, before, earlier }: TotalsProps) {
  const { texts } = useReader();
  return (
    <fieldset className="totals">
      <legend className="hidden">{texts.glance.totals}</legend>
      {measures.map((measure) => (
        <Total
          key={measure.name}
          measure={measure}
          isChosen={measure === chosen}
          now={now}
          before={before}
          earlier={earlier}
        />
      ))}
    </fieldset>
  );
}

interface TotalProps extends Pick<TotalsProps, 'now' | 'before' | 'earlier'> {
  readonly measure: Measure;
  readonly isChosen: boolean;
}

function Total({ measure, isChosen, now, before, earlier }: TotalProps) {
  const { texts, formats } = useReader();
  const { change } = useAsker();
  return (
    <label className="total card">
      <input
        type="radio"
        name="measure"
        checked={isChosen}
        onChange={() => change({ measure: measure.name })}
      />
      <span className="label">{nameOf(measure.name, texts)}</span>
      <span className="total-value">
        {now === undefined ? '…' : written(sumOf(now, measure), measure, formats)}
      </span>
      <span className="soft small">
        {now !== undefined && before !== undefined && (
          <Change now={sumOf(now, measure)} before={sumOf(before, measure)} earlier={earlier} />
        )}
      </span>
    </label>
  );
}

interface ChangeProps {
  readonly now: number;
  readonly before: number;
  readonly earlier: Period;
}

function Change({ now, before, earlier }: ChangeProps) {
  const { texts, formats } = useReader();
  const period = formats.period(earlier.start, earlier.end);
  if (before === 0) return texts.glance.nothingBefore(period);
  const change = now / before - 1;
  const arrow = change > 0 ? '▲' : '▼';
  return (
    <>
      <span aria-hidden="true">{change === 0 ? '' : `${arrow} `}</span>
      {texts.glance.change(formats.change(change), period)}
    </>
  );
}
