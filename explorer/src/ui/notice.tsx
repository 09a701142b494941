/** Error notice with a retry button, or a button that removes the wrong filter. */

import { useContext } from 'react';
import { ExplorerContext } from '../access/explorer-context.tsx';
import { useLocalization } from '../layout/localization-context.tsx';
import { fieldLabel } from '../query/filters.ts';
import { type ErrorMessage, errorMessageOf } from '../service/error-messages.ts';
import { focusList } from '../service/retry-requests.ts';

interface NoticeProps {
  readonly message: ErrorMessage;
  /** For example the name of the file that failed. */
  readonly about?: string;
  readonly retry?: () => void;
}

export function Notice({ message, about, retry }: NoticeProps) {
  const { texts } = useLocalization();
  const { what, next, requestId, isTemporary, filter } = message;
  return (
    <div className="notice" role="alert">
      <p>
        <strong>{what}</strong> {next}
      </p>
      {about !== undefined && <p className="small file">{about}</p>}
      {requestId !== undefined && <p className="small soft">{texts.requestId(requestId)}</p>}
      {isTemporary && retry !== undefined && (
        <button type="button" onClick={retry}>
          {texts.again}
        </button>
      )}
      {filter !== undefined && <FilterRemover name={filter} />}
    </div>
  );
}

/** Renders nothing before sign-in, or if the query does not have the filter. */
function FilterRemover({ name }: { readonly name: string }) {
  const { texts } = useLocalization();
  const access = useContext(ExplorerContext);
  if (access === undefined || !Object.hasOwn(access.view.filters, name)) return null;
  const { [name]: _, ...others } = access.view.filters;
  return (
    <button
      type="button"
      onClick={() => {
        focusList();
        access.change({ filters: others });
      }}
    >
      {texts.ask.remove(fieldLabel(name, texts))}
    </button>
  );
}

/** Notice for an error object. */
export function ErrorNotice({
  error,
  ...others
}: Omit<NoticeProps, 'message'> & { readonly error: unknown }) {
  const { texts } = useLocalization();
  return <Notice message={errorMessageOf(error, texts)} {...others} />;
}
