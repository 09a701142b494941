/** Earnings of all kinds: the sum, its change, and its parts by status. */

import { STATUS_LABELS } from '../../../src/contract/record/labels.ts';
import { STATUS_NAMES } from '../../../src/contract/record/statuses.ts';
import { Change } from '../comparison/change.tsx';
import { ComparedWith } from '../comparison/compared-with.tsx';
import { useLocalization } from '../layout/localization-context.tsx';
import { STATUS_ORDER } from '../query-form/filters/status-filter.tsx';
import { labelLocaleOf } from '../texts/languages.ts';
import { StatusIcon } from '../ui/status-icon.tsx';
import { remunerationBy } from './remuneration.ts';
import { type ComparedSums, isEmpty, type Sums } from './sums.ts';
import type { PerformanceTotals } from './use-totals.ts';

export function EarningsCard({ totals }: { readonly totals: PerformanceTotals }) {
  const { texts, formats } = useLocalization();
  const { sums, compared, comparison, isStale } = totals;
  const earned = sums?.earnings ?? undefined;
  return (
    <section
      className={isStale ? 'earnings card old' : 'earnings card'}
      aria-label={texts.performance.earnings}
      aria-busy={isStale || sums === undefined}
    >
      <h2 className="label">
        {texts.performance.earnings} <span className="soft">· {texts.performance.allKinds}</span>
      </h2>
      <p className="earnings-value">{earned === undefined ? '…' : formats.roundedAmount(earned)}</p>
      <p className="earnings-change">{compared && <EarningsChange {...compared} />}</p>
      <ComparedWith
        compared={comparison}
        isEmpty={compared && isEmpty(compared.former)}
        until={compared?.until}
      />
      <Split sums={sums} />
    </section>
  );
}

function EarningsChange({ now, former }: ComparedSums) {
  const { texts, formats } = useLocalization();
  const before = former.earnings ?? 0;
  return (
    <>
      <strong>
        <Change now={now.earnings ?? 0} before={before} />
      </strong>{' '}
      {before !== 0 && (
        <span className="soft small">{texts.performance.was(formats.roundedAmount(before))}</span>
      )}
    </>
  );
}

/** Refused amounts are shown too, but are not earned. */
function Split({ sums }: { readonly sums: Sums | undefined }) {
  const { texts, formats } = useLocalization();
  const labels = STATUS_LABELS[labelLocaleOf(formats.tag)];
  const parts = STATUS_ORDER.map((status) => ({
    status,
    value: sums === undefined ? 0 : remunerationBy(sums, STATUS_NAMES[status]),
  }));
  return (
    <>
      <div className="split" aria-hidden="true">
        {parts.map(({ status, value }) => (
          <span
            key={status}
            className={STATUS_NAMES[status]}
            style={{ flexGrow: Math.max(0, value) }}
          />
        ))}
      </div>
      <dl className="split-parts">
        {parts.map(({ status, value }) => (
          <div key={status}>
            <dt>
              <StatusIcon status={status} /> {labels[status]}
              {status === 0 && <span className="soft small"> {texts.performance.notEarned}</span>}
            </dt>
            <dd>{sums === undefined ? '…' : formats.roundedAmount(value)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
