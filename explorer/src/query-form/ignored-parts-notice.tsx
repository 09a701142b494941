/** Notice of the ignored parts of the address, with a button that removes them. */

import { useExplorer } from '../access/explorer-context.tsx';
import { useLocalization } from '../layout/localization-context.tsx';
import { filterLabel } from '../query/filters.ts';
import { useIgnoredParts } from '../query/use-view.ts';
import type { Texts } from '../texts/texts.ts';

interface IgnoredPartsNoticeProps {
  /** Focuses another control, because the button disappears. */
  focusNext(): void;
}

export function IgnoredPartsNotice({ focusNext }: IgnoredPartsNoticeProps) {
  const { texts } = useLocalization();
  const { service, change } = useExplorer();
  const unknown = useIgnoredParts(service.role);
  if (unknown.length === 0) return null;
  return (
    <div className="notice unread" role="alert">
      <p>
        <strong>{texts.ask.unread}</strong>
      </p>
      <ul>
        {unknown.map(({ name, text }) => (
          <li key={`${name}=${text}`}>
            {parameterLabel(name, texts)} <q>{text}</q>
          </li>
        ))}
      </ul>
      <button
        type="button"
        onClick={() => {
          change({});
          focusNext();
        }}
      >
        {texts.ask.forget}
      </button>
    </div>
  );
}

/** The label of a parameter. Parameters other than fields have their own texts. */
function parameterLabel(name: string, texts: Texts): string {
  const { kind, period, compare, date, sortedBy, measure } = texts.ask;
  const known: Readonly<Record<string, string>> = {
    type: kind,
    period,
    compare,
    date_field: date,
    order: sortedBy,
    list_sort: texts.list.sortBy,
    measure,
    granularity: texts.chart.granularity,
    table: texts.performance.groupedBy,
    sort: texts.performance.sortedBy,
    full: texts.performance.more,
    row: texts.fields.transaction_id,
  };
  return known[name] ?? filterLabel(name, texts);
}
