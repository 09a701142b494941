/** First section of the page: cards of earnings, conversion, programs and payments, and the performance table. */

import { useExplorer } from '../access/explorer-context.tsx';
import { useLocalization } from '../layout/localization-context.tsx';
import { fieldLabel } from '../query/filters.ts';
import { ConversionCard } from './conversion-card.tsx';
import { EarningsCard } from './earnings-card.tsx';
import { MoneyCards } from './money/money-cards.tsx';
import { partsIgnoredByPerformance } from './performance-query.ts';
import { TablesCard } from './table/tables-card.tsx';
import { type PerformanceTotals, usePerformanceTotals } from './use-totals.ts';

export function PerformanceOverview() {
  const { texts } = useLocalization();
  const totals = usePerformanceTotals();
  // The notice above shows the error.
  if (totals.hasFailed) return null;
  return (
    <section className="performance" aria-label={texts.performance.title}>
      <IgnoredParts />
      <div className="performance-first">
        <EarningsCard totals={totals} />
        <ConversionCard totals={totals} />
      </div>
      <MoneyAndTables totals={totals} />
    </section>
  );
}

/** On phones: the earnings alone, so that the chart follows on the first screen. */
export function EarningsFirst() {
  const totals = usePerformanceTotals();
  if (totals.hasFailed) return null;
  return (
    <div className="performance">
      <IgnoredParts />
      <EarningsCard totals={totals} />
    </div>
  );
}

/** On phones: everything else about performance, below the chart. */
export function PerformanceDetails() {
  const { texts } = useLocalization();
  const totals = usePerformanceTotals();
  if (totals.hasFailed) return null;
  return (
    <section className="performance" aria-label={texts.performance.title}>
      <ConversionCard totals={totals} />
      <MoneyAndTables totals={totals} />
    </section>
  );
}

const MoneyAndTables = ({ totals: { sums } }: { readonly totals: PerformanceTotals }) => (
  <>
    <MoneyCards isEnabled={sums !== undefined} />
    <TablesCard isEnabled={sums !== undefined} />
  </>
);

/** Filters that narrow the list, but not these figures. */
function IgnoredParts() {
  const { texts } = useLocalization();
  const { view } = useExplorer();
  const names = partsIgnoredByPerformance(view).map((name) =>
    name === 'date_field'
      ? texts.ask.dateField
      : fieldLabel(name === 'status' ? 'status_label' : name, texts),
  );
  if (names.length === 0) return null;
  return <p className="note small">{texts.performance.ignores(names.join(', '))}</p>;
}
