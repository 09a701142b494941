/** What went wrong and what to do about it. */

import { useContext } from 'react';
import { AccessContext } from '../access/access-context.tsx';
import { useReader } from '../layout/reader-context.tsx';
import { nameOf } from '../query/filters.ts';
import { type Refusal, refusalOf } from '../service/error-messages.ts';
import { focusList } from '../service/retry-requests.ts';

interface NoticeProps {
  readonly refusal: Refusal;
  /** The name of what it is about, where that is not the page. */
  readonly about?: string;
  readonly again?: () => void;
}

export function Notice({ refusal, about, again }: NoticeProps) {
  const { texts } = useReader();
  const { what, next, requestId, isPassing, filter } = refusal;
  return (
    <div className="notice" role="alert">
      <p>
        <strong>{what}</strong> {next}
      </p>
      {about !== undefined && <p className="small file">{about}</p>}
      {requestId !== undefined && <p className="small soft">{texts.requestId(requestId)}</p>}
      {isPassing && again !== undefined && (
        <button type="button" onClick={again}>
          {texts.again}
        </button>
      )}
      {filter !== undefined && <FilterRemover name={filter} />}
    </div>
  );
}

/** Nothing where no question stands behind the notice, or the filter is not in it. */
function FilterRemover({ name }: { readonly name: string }) {
  const { texts } = useReader();
  const asker = useContext(AccessContext);
  if (asker === undefined || !Object.hasOwn(asker.view.filters, name)) return null;
  const { [name]: _, ...others } = asker.view.filters;
  return (
    <button
      type="button"
      onClick={() => {
        focusList();
        asker.change({ filters: others });
      }}
    >
      {texts.ask.remove(nameOf(name, texts))}
    </button>
  );
}

/** The same of an error, where there is one. */
export function ErrorNotice({
  error,
  ...others
}: Omit<NoticeProps, 'refusal'> & { readonly error: unknown }) {
  const { texts } = useReader();
  return <Notice refusal={refusalOf(error, texts)} {...others} />;
}
