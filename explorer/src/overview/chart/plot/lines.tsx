/** Grid lines of the chart with their values. */

import { useLocalization } from '../../../layout/localization-context.tsx';

interface LinesProps {
  readonly lines: readonly number[];
  /** The value at the top of the plot. */
  readonly top: number;
}

export function Lines({ lines, top }: LinesProps) {
  const { formats } = useLocalization();
  return (
    <ol className="lines" aria-hidden="true">
      {lines.map((line) => (
        <li key={line} style={{ bottom: `${(line / top) * 100}%` }}>
          <span>{formats.short(line)}</span>
        </li>
      ))}
    </ol>
  );
}
