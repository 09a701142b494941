/** The former period in words. */

import { useExplorer } from '../access/explorer-context.tsx';
import { useLocalization } from '../layout/localization-context.tsx';
import type { ResolvedComparison } from '../query/comparisons.ts';
import type { Period } from '../query/periods.ts';
import { useToday } from '../query/today.ts';
import type { LocaleFormats } from '../ui/formats.ts';

interface ComparedWithProps {
  readonly compared: ResolvedComparison | undefined;
  /** Whether the former period has no transactions; undefined until that is known. */
  readonly isEmpty: boolean | undefined;
  /** The hour that both periods are cut at, as `HH:00`. */
  readonly until: string | undefined;
}

export function ComparedWith({ compared, isEmpty, until }: ComparedWithProps) {
  const { texts, formats } = useLocalization();
  const { days, service } = useExplorer();
  const today = useToday(service.me.time_zone);
  const { against, nothingBefore, untilHour, todayIsOpen, daysToCome } = texts.comparison;
  const isOpen = days.start <= today && today <= days.end;
  const words = isEmpty === true ? nothingBefore : against;
  const sentence = compared && words(...firstAndLast(compared.former, formats));
  const parts = [
    sentence,
    isEmpty === false && until !== undefined ? untilHour(until) : undefined,
    days.end > today ? daysToCome : undefined,
    isOpen && until === undefined ? todayIsOpen : undefined,
  ];
  const isKnown = compared === undefined || isEmpty !== undefined;
  return (
    <p className="comparison soft small">
      {isKnown && parts.filter((part) => part !== undefined).join(' · ')}
    </p>
  );
}

/** The year is written once if both days have the same one. */
export function firstAndLast(
  { start, end }: Period,
  formats: LocaleFormats,
): readonly [string, string] {
  const isWithinYear = start !== end && start.slice(0, 4) === end.slice(0, 4);
  return [isWithinYear ? formats.shortDay(start) : formats.day(start), formats.day(end)];
}
