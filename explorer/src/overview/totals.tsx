/** Totals of each measure with their change; the selected one is the measure of the charts. */

import { useExplorer } from '../access/explorer-context.tsx';
import { Change } from '../comparison/change.tsx';
import { useLocalization } from '../layout/localization-context.tsx';
import type { ResultRow } from '../query/api-query.ts';
import { formatMeasure, type SummaryMeasure, sumOf } from './measures.ts';

interface TotalsProps {
  readonly measures: readonly SummaryMeasure[];
  readonly chosen: SummaryMeasure;
  /** Groups by time bucket and status; undefined while loading. */
  readonly now: readonly ResultRow[] | undefined;
  /** Whether the groups belong to the previous query. */
  readonly isStale: boolean;
  readonly before: readonly ResultRow[] | undefined;
  /** The part of the query that makes a comparison misleading. */
  readonly misleading: 'status' | 'date' | undefined;
}

export function Totals({ measures, chosen, now, isStale, before, misleading }: TotalsProps) {
  const { texts } = useLocalization();
  return (
    <fieldset
      className={isStale ? 'totals old' : 'totals'}
      aria-busy={isStale || now === undefined}
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
      {misleading !== undefined && (
        <p className="totals-note soft small">{texts.comparison.misleading[misleading]}</p>
      )}
    </fieldset>
  );
}

/** The width of a digit or a currency sign, as a part of the font size. */
const LETTER_WIDTH = 0.66;

/** The standard size, or a smaller one at which all digits fit the card. */
const fittingSize = ({ length }: string): string =>
  `min(var(--total-size), ${100 / (LETTER_WIDTH * length)}cqi)`;

interface TotalProps extends Pick<TotalsProps, 'now' | 'before'> {
  readonly measure: SummaryMeasure;
  readonly isChosen: boolean;
}

function Total({ measure, isChosen, now, before }: TotalProps) {
  const { texts, formats } = useLocalization();
  const { view, change } = useExplorer();
  const value = now === undefined ? '…' : formatMeasure(sumOf(now, measure), measure, formats);
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
        {measure.isRowCount && (
          <span className="total-note">
            {' '}
            · {texts.glance.each(texts.kinds[view.kind].toLowerCase())}
          </span>
        )}
      </span>
      <span className="total-value" style={{ fontSize: fittingSize(value) }}>
        {value}
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
  readonly groups: readonly ResultRow[];
  readonly measure: SummaryMeasure;
}

/** The validated and pending parts, because refused amounts are never paid. */
function Parts({ groups, measure }: PartsProps) {
  const { texts, formats } = useLocalization();
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
    texts.glance.ofWhich(formatMeasure(sumBy(VALIDATED), measure, formats)) +
    (pending === 0 ? '' : texts.glance.andPending(formatMeasure(pending, measure, formats)))
  );
}
