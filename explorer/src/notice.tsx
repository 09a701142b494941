/** What went wrong and what to do about it. */

import { useReader } from './reader.tsx';
import { type Refusal, refusalOf } from './refusals.ts';

interface NoticeProps extends Refusal {
  readonly again?: () => void;
}

export function Notice({ what, next, requestId, again }: NoticeProps) {
  const { texts } = useReader();
  return (
    <div className="notice" role="alert">
      <p>
        <strong>{what}</strong> {next}
      </p>
      {requestId !== undefined && <p className="small soft">{texts.requestId(requestId)}</p>}
      {again !== undefined && (
        <button type="button" onClick={again}>
          {texts.again}
        </button>
      )}
    </div>
  );
}

/** The same of an error, where there is one. */
export function ErrorNotice({
  error,
  again,
}: {
  readonly error: unknown;
  readonly again: () => void;
}) {
  const { texts } = useReader();
  return <Notice {...refusalOf(error, texts)} again={again} />;
}
