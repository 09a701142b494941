/** How a download goes or went, and what can be done about it. */

import { useReader } from '../layout/reader-context.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import type { DownloadState, Wanted } from './use-download.ts';

interface OutcomeProps {
  readonly state: DownloadState;
  cancel(): void;
  /** The very same, whatever is asked or chosen by now. */
  again(wanted: Wanted): void;
}

export function DownloadProgress({ state, cancel, again }: OutcomeProps) {
  const { texts, formats } = useReader();
  const { take } = texts;
  switch (state.is) {
    case 'idle':
    case 'choosing':
      return null;
    case 'running':
      return <Running state={state} cancel={cancel} />;
    case 'done':
      return <Said isGood text={take.done(formats.bytes(state.bytes), state.file)} />;
    case 'cancelled':
      return <Said text={take.cancelled} />;
    case 'broken':
    case 'unwritable':
      return (
        <div className="notice" role="alert">
          <p className="file">
            <strong>{take[state.is](state.wanted.file)}</strong>
          </p>
          <button type="button" onClick={() => again(state.wanted)}>
            {texts.again}
          </button>
        </div>
      );
    case 'refused': {
      const { error, wanted } = state;
      return <ErrorNotice error={error} about={wanted.file} again={() => again(wanted)} />;
    }
  }
}

interface RunningProps extends Pick<OutcomeProps, 'cancel'> {
  readonly state: DownloadState & { readonly is: 'running' };
}

function Running({ state, cancel }: RunningProps) {
  const { texts, formats } = useReader();
  const { take } = texts;
  const soFar = take.running(formats.bytes(state.bytes), formats.bytes(Math.round(state.speed)));
  return (
    <div className="going">
      <p className="small file">{state.file}</p>
      <progress aria-label={take.progress} value={state.part} />
      <p className="small soft">{soFar}</p>
      <button type="button" className="wide" onClick={cancel}>
        {take.cancel}
      </button>
    </div>
  );
}

interface SaidProps {
  readonly text: string;
  readonly isGood?: boolean;
}

const Said = ({ text, isGood = false }: SaidProps) => (
  <p className={isGood ? 'note good file' : 'note'} role="status">
    {text}
  </p>
);
