/** The last payments of an affiliate, and what is validated but not paid yet. */

import { useLocalization } from '../../layout/localization-context.tsx';
import { MoneyCard, MoneyItem, type MoneyRows } from './money-card.tsx';
import { paymentsIn, unpaidIn } from './pending.ts';

const SHOWN = 4;

export function PaymentsCard({ rows, isStale }: MoneyRows) {
  const { texts, formats } = useLocalization();
  const { payments } = texts.performance;
  const paid = paymentsIn(rows ?? []).slice(0, SHOWN);
  return (
    <MoneyCard title={payments.title} isBusy={rows === undefined} isStale={isStale}>
      <ul>
        <MoneyItem
          label={<strong>{payments.unpaid}</strong>}
          value={<strong>{formats.roundedAmount(unpaidIn(rows ?? []).money)}</strong>}
        />
        {paid.map(({ id, first, last, money }) => (
          <MoneyItem
            key={id}
            label={id}
            note={
              first === last
                ? formats.shortMonth(first)
                : payments.months(formats.shortMonth(first), formats.shortMonth(last))
            }
            value={formats.roundedAmount(money)}
          />
        ))}
        {paid.length === 0 && <li className="soft small money-empty">{payments.none}</li>}
      </ul>
    </MoneyCard>
  );
}
