/** What the question adds up to, and how that differs from the period before; each is what the charts can show. */

import { useId } from 'react';
import { useAccess } from '../access/access-context.tsx';
import { useReader } from '../layout/reader-context.tsx';
import type { Period } from '../query/periods.ts';
import type { Values } from '../query/question.ts';
import { Change } from './change.tsx';
import { Comparison } from './comparison.tsx';
import { type Measure, sumOf, written } from './measures.ts';

interface TotalsProps {
  readonly measures: readonly Measure[];
  readonly chosen: Measure;
  /** By status. */
  readonly now: readonly Values[] | undefined;
  /** Whether that is of the question before. */
  readonly isOld: boolean;
  readonly before: readonly Values[] | undefined;
  readonly earlier: Period;
}

export function Totals({ measures, chosen, now, isOld, before, earlier }: TotalsProps) {
  const { texts } = useReader();
  const id = useId();
  return (
    <fieldset
      className={isOld ? 'totals old' : 'totals'}
      aria-busy={isOld || now === undefined}
      aria-describedby={id}
    >
      <legend className="hidden">{texts.glance.totals}</legend>
      {measures.map((measure) => (
        <Total
          key={measure.name}
          measure={measure}
          isChosen={measure === chosen}
          now={now}
          before={before}
        />
      ))}
      <Comparison
        id={id}
        earlier={earlier}
        isEmpty={before && measures.every((measure) => sumOf(before, measure) === 0)}
      />
    </fieldset>
  );
}

interface TotalProps extends Pick<TotalsProps, 'now' | 'before'> {
  readonly measure: Measure;
  readonly isChosen: boolean;
}

function Total({ measure, isChosen, now, before }: TotalProps) {
  const { texts, formats } = useReader();
  const { view, change } = useAccess();
  return (
    <label className="total card">
      <input
        type="radio"
        name="measure"
        checked={isChosen}
        onChange={() => change({ measure: measure.name })}
      />
      <span className="label">
        {measure.title(texts)}
        {measure.isOfRows && (
          <span className="total-note">
            {' '}
            · {texts.glance.each(texts.kinds[view.kind].toLowerCase())}
          </span>
        )}
      </span>
      <span className="total-value">
        {now === undefined ? '…' : written(sumOf(now, measure), measure, formats)}
      </span>
      <span className="total-parts small">{now && <Parts groups={now} measure={measure} />}</span>
      <span className="total-change soft small">
        {now !== undefined && before !== undefined && (
          <Change now={sumOf(now, measure)} before={sumOf(before, measure)} />
        )}
      </span>
    </label>
  );
}

const VALIDATED = '1';
const PENDING = '2';

interface PartsProps {
  readonly groups: readonly Values[];
  readonly measure: Measure;
}

/** What of it counts, and what may still: nobody is to take what was refused for earnings. */
function Parts({ groups, measure }: PartsProps) {
  const { texts, formats } = useReader();
  const sumBy = (status: string) =>
    sumOf(
      groups.filter((group) => group.status === status),
      measure,
    );
  const pending = sumBy(PENDING);
  const others = groups.filter(({ status }) => status !== VALIDATED);
  if (sumOf(groups, measure) === 0) return null;
  if (sumOf(others, measure) === 0) return texts.glance.allValidated;
  return (
    texts.glance.ofWhich(written(sumBy(VALIDATED), measure, formats)) +
    (pending === 0 ? '' : texts.glance.andPending(written(pending, measure, formats)))
  );
}
