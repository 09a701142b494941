/** The programs whose earnings changed most, or those that earned most if nothing is compared. */

import { useExplorer } from '../../access/explorer-context.tsx';
import { useLocalization } from '../../layout/localization-context.tsx';
import { toggleFilter } from '../../overview/toggle-filter.ts';
import { resolveComparison } from '../../query/comparisons.ts';
import { useToday } from '../../query/today.ts';
import { isComparedRow, performanceQueryOf } from '../performance-query.ts';
import { FIRST_ROWS } from '../table/use-table.ts';
import { usePerformance } from '../use-performance.ts';
import { changesByProgram, type ProgramChange } from './changes-by-program.ts';
import { MoneyCard, MoneyItem } from './money-card.tsx';

const SHOWN = 5;

export function ProgramsCard({ isEnabled }: { readonly isEnabled: boolean }) {
  const { texts, formats } = useLocalization();
  const { service, view, days } = useExplorer();
  const today = useToday(service.me.time_zone);
  const compared = resolveComparison({ ...view, days, today });
  const isCompared = compared !== undefined && !compared.isCutAtHour;
  // The same query as that of the table in its default order, so that both share one response.
  const { data, error, isPlaceholderData } = usePerformance(
    {
      ...performanceQueryOf(view, days),
      group_by: 'program_id',
      names: 'true',
      sort: '-earnings',
      limit: String(FIRST_ROWS),
      ...(isCompared ? { compare: compared.compare } : {}),
    },
    isEnabled,
  );
  const { programs } = texts.performance;
  const hasChanges = isCompared && (data ?? []).every(isComparedRow);
  return (
    <MoneyCard
      title={hasChanges ? programs.changed : programs.top}
      isBusy={data === undefined && error === null}
      isStale={isPlaceholderData}
    >
      <ul>
        {hasChanges
          ? changesByProgram(data ?? [])
              .slice(0, SHOWN)
              .map((program) => (
                <ProgramItem
                  key={program.id}
                  program={program}
                  note={programs.now(formats.roundedAmount(program.now))}
                  value={formats.signedAmount(program.difference)}
                />
              ))
          : (data ?? [])
              .slice(0, SHOWN)
              .map((row) => (
                <ProgramItem
                  key={String(row.program_id)}
                  program={{ id: String(row.program_id), name: nameIn(row.program_name) }}
                  value={formats.roundedAmount(Number(row.earnings))}
                />
              ))}
        {data?.length === 0 && <li className="soft small money-empty">{texts.glance.empty}</li>}
      </ul>
    </MoneyCard>
  );
}

const nameIn = (name: unknown): string | undefined => (typeof name === 'string' ? name : undefined);

interface ProgramItemProps {
  readonly program: Pick<ProgramChange, 'id' | 'name'>;
  readonly note?: string;
  readonly value: string;
}

function ProgramItem({ program: { id, name = id }, note, value }: ProgramItemProps) {
  const { texts } = useLocalization();
  const { view, change } = useExplorer();
  return (
    <MoneyItem
      label={name}
      hint={texts.glance.only(name === id ? id : `${name} (${id})`)}
      note={note}
      value={value}
      select={() => change({ filters: toggleFilter(view.filters, 'program_id', id) })}
    />
  );
}
