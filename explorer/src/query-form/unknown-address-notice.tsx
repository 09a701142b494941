/** Says which parts of the address were not understood, so that nobody takes the answer for that to another question. */

import { useAccess } from '../access/access-context.tsx';
import { useReader } from '../layout/reader-context.tsx';
import { nameOf } from '../query/filters.ts';
import { useUnread } from '../query/use-view.ts';
import type { Texts } from '../texts/texts.ts';

interface UnreadNoticeProps {
  /** Takes the focus from the button, which goes. */
  next(): void;
}

export function UnknownAddressNotice({ next }: UnreadNoticeProps) {
  const { texts } = useReader();
  const { change } = useAccess();
  const unread = useUnread();
  if (unread.length === 0) return null;
  return (
    <div className="notice unread" role="alert">
      <p>
        <strong>{texts.ask.unread}</strong>
      </p>
      <ul>
        {unread.map(({ name, text }) => (
          <li key={`${name}=${text}`}>
            {wordFor(name, texts)} <q>{text}</q>
          </li>
        ))}
      </ul>
      <button
        type="button"
        onClick={() => {
          change({});
          next();
        }}
      >
        {texts.ask.forget}
      </button>
    </div>
  );
}

/** The name of what is no field, as it is written beside its place on the page. */
function wordFor(name: string, texts: Texts): string {
  const { kind, period, date, sortedBy, measure } = texts.ask;
  const known: Readonly<Record<string, string>> = {
    type: kind,
    period,
    date_field: date,
    order: sortedBy,
    measure,
    status: texts.fields.status_label,
  };
  return known[name] ?? nameOf(name, texts);
}
