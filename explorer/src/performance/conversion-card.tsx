/** Card with the funnel from impressions to sales, ratios such as the conversion rate, and their changes. */

import { useExplorer } from '../access/explorer-context.tsx';
import { Change, PointChange } from '../comparison/change.tsx';
import { useLocalization } from '../layout/localization-context.tsx';
import { type Figure, figuresOf, formatFigure } from './figures.ts';
import { funnelOf } from './funnel.ts';
import type { ComparedSums, Sums } from './sums.ts';
import type { PerformanceTotals } from './use-totals.ts';

export function ConversionCard({ totals }: { readonly totals: PerformanceTotals }) {
  const { texts } = useLocalization();
  const { service } = useExplorer();
  const { sums, compared, isStale } = totals;
  return (
    <section
      className={isStale ? 'conversion card old' : 'conversion card'}
      aria-label={texts.performance.funnel}
      aria-busy={isStale || sums === undefined}
    >
      <h2 className="label">{texts.performance.funnel}</h2>
      <Funnel sums={sums ?? {}} isLoading={sums === undefined} compared={compared} />
      <dl className="figures">
        {figuresOf(service.role).map((figure) => (
          <FigureItem
            key={figure.name}
            figure={figure}
            value={sums?.[figure.name]}
            compared={compared}
          />
        ))}
      </dl>
    </section>
  );
}

interface FunnelProps {
  readonly sums: Sums;
  readonly isLoading: boolean;
  readonly compared: ComparedSums | undefined;
}

function Funnel({ sums, isLoading, compared }: FunnelProps) {
  const { texts, formats } = useLocalization();
  return (
    <ol className="funnel">
      {funnelOf(sums).map(({ name, count, rate }) => (
        <li key={name}>
          <span className="label">{texts.kinds[name]}</span>
          <span className="funnel-count">{isLoading ? '…' : formats.count(count)}</span>
          <span className="soft small">
            {rate !== null && texts.performance.rates[name](formats.rate(rate))}
          </span>
          <span className="soft small">
            {compared && (
              <Change now={compared.now[name] ?? 0} before={compared.former[name] ?? 0} />
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}

interface FigureProps {
  readonly figure: Figure;
  readonly value: number | null | undefined;
  readonly compared: ComparedSums | undefined;
}

function FigureItem({ figure, value, compared }: FigureProps) {
  const { texts, formats } = useLocalization();
  const { label, hint } = texts.performance.figures[figure.name];
  return (
    <div>
      <dt className="label" title={hint}>
        {label}
      </dt>
      <dd className="figure-value">
        {value === undefined ? '…' : formatFigure(value, figure, formats)}
      </dd>
      <dd className="soft small">{compared && <FigureChange figure={figure} {...compared} />}</dd>
    </div>
  );
}

/** Shows no change if one of the periods lacks the ratio. */
function FigureChange({ figure, now, former }: ComparedSums & Pick<FigureProps, 'figure'>) {
  const [after, before] = [now[figure.name], former[figure.name]];
  if (typeof after !== 'number' || typeof before !== 'number') return null;
  switch (figure.change) {
    case 'none':
      return null;
    case 'points':
      return <PointChange now={after} before={before} />;
    case 'part':
      return <Change now={after} before={before} />;
  }
}
