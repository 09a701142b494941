/** What is pending: by age, and from before a chosen month, as buttons that filter the list. */

import { useState } from 'react';
import { useExplorer } from '../../access/explorer-context.tsx';
import { useLocalization } from '../../layout/localization-context.tsx';
import type { Period } from '../../query/periods.ts';
import { useToday } from '../../query/today.ts';
import { filtersOfPerformance } from '../performance-query.ts';
import { MoneyCard, MoneyItem, type MoneyRows } from './money-card.tsx';
import { creationPeriodOfAge, firstDaysOfMonths, periodBefore } from './money-periods.ts';
import { type CountAndMoney, kindWithin, pendingBefore, pendingByAge } from './pending.ts';

const PENDING = '2';

/** Length of `YYYY-MM`. */
const MONTH = 7;

export function PendingCard({ rows, isStale }: MoneyRows) {
  const { texts, formats } = useLocalization();
  const { service, view, change } = useExplorer();
  const today = useToday(service.me.time_zone);
  const months = firstDaysOfMonths(today);
  // By default, pending from before last month. Most newer transactions are pending: their validation is not due yet.
  const [chosen, choose] = useState(months[1] ?? today);
  // The list is filtered like the amounts, and shows one kind.
  const show = (period: Period, amount: CountAndMoney) =>
    change({
      period,
      kind: kindWithin(amount, view.kind),
      dateField: 'created_at',
      filters: { ...filtersOfPerformance(view.filters), status: PENDING },
    });
  const { pending } = texts.performance;
  const item = (amount: CountAndMoney) => ({
    hint: pending.show,
    note: amount.count === 0 ? undefined : pending.count(amount.count, formats.count(amount.count)),
    value: formats.roundedAmount(amount.money),
  });
  const before = pendingBefore(rows ?? [], chosen.slice(0, MONTH));
  return (
    <MoneyCard
      title={pending.title}
      note={pending.since}
      isBusy={rows === undefined}
      isStale={isStale}
    >
      <ul>
        {pendingByAge(rows ?? []).map(({ age, ...amount }) => (
          <MoneyItem
            key={age}
            label={pending.age(age)}
            {...item(amount)}
            select={() => show(creationPeriodOfAge(age, today), amount)}
          />
        ))}
      </ul>
      <div className="pending-before">
        <label className="inline small">
          {pending.before}
          <select value={chosen} onChange={({ target }) => choose(target.value)}>
            {months.map((day) => (
              <option key={day} value={day}>
                {formats.month(day)}
              </option>
            ))}
          </select>
        </label>
        <ul>
          <MoneyItem
            label=""
            {...item(before)}
            select={() => show(periodBefore(chosen, today), before)}
          />
        </ul>
      </div>
    </MoneyCard>
  );
}
