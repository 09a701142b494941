/** Progress or outcome of a download, with buttons to cancel and to retry. */

import { useLocalization } from '../layout/localization-context.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import type { DownloadRequest, DownloadState } from './use-download.ts';

interface DownloadProgressProps {
  readonly state: DownloadState;
  cancel(): void;
  /** Repeats the same download, even if the query has changed. */
  retry(request: DownloadRequest): void;
}

export function DownloadProgress({ state, cancel, retry }: DownloadProgressProps) {
  const { texts, formats } = useLocalization();
  const { download: take } = texts;
  switch (state.status) {
    case 'idle':
    case 'choosing':
      return null;
    case 'running':
      return <Running state={state} cancel={cancel} />;
    case 'done':
      return <Outcome isSuccess text={take.done(formats.bytes(state.bytes), state.file)} />;
    case 'cancelled':
      return <Outcome text={take.cancelled} />;
    case 'broken':
    case 'unwritable':
      return (
        <div className="notice" role="alert">
          <p className="file">
            <strong>{take[state.status](state.request.file)}</strong>
          </p>
          <button type="button" onClick={() => retry(state.request)}>
            {texts.again}
          </button>
        </div>
      );
    case 'refused': {
      const { error, request } = state;
      return <ErrorNotice error={error} about={request.file} retry={() => retry(request)} />;
    }
  }
}

interface RunningProps extends Pick<DownloadProgressProps, 'cancel'> {
  readonly state: DownloadState & { readonly status: 'running' };
}

function Running({ state, cancel }: RunningProps) {
  const { texts, formats } = useLocalization();
  const { download: take } = texts;
  const soFar = take.running(formats.bytes(state.bytes), formats.bytes(Math.round(state.speed)));
  return (
    <div className="download-progress">
      <p className="small file">{state.file}</p>
      <progress aria-label={take.progress} value={state.fraction} />
      <p className="small soft">{soFar}</p>
      <button type="button" className="wide" onClick={cancel}>
        {take.cancel}
      </button>
    </div>
  );
}

interface OutcomeProps {
  readonly text: string;
  readonly isSuccess?: boolean;
}

const Outcome = ({ text, isSuccess = false }: OutcomeProps) => (
  <p className={isSuccess ? 'note good file' : 'note'} role="status">
    {text}
  </p>
);
