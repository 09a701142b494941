/** The named periods of the date picker. */

import { useExplorer } from '../../access/explorer-context.tsx';
import { useLocalization } from '../../layout/localization-context.tsx';
import { PRESETS, type Preset } from '../../query/periods.ts';

export function PresetList({ select }: { select(preset: Preset): void }) {
  const { texts } = useLocalization();
  const { view } = useExplorer();
  return (
    <ul className="presets" aria-label={texts.period.presets}>
      {PRESETS.map((preset) => (
        <li key={preset}>
          <button
            type="button"
            className="quiet"
            aria-pressed={view.period === preset}
            onClick={() => select(preset)}
          >
            {texts.periods[preset]}
          </button>
        </li>
      ))}
    </ul>
  );
}
