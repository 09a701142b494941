/** What the colours of the chart stand for and add up to, as switches of the status. */

import { STATUS_LABELS } from '../../../src/contract/record/labels.ts';
import { STATUS_ORDER } from '../ask/status-filter.tsx';
import { useAsker } from '../asker.tsx';
import { nameOf } from '../filters.ts';
import { useReader } from '../reader.tsx';
import { StatusSign } from '../status-sign.tsx';
import { labelsOf } from '../texts/texts.ts';
import { type Measure, written } from './measures.ts';
import { pressedIn, pressing } from './narrow.ts';
import type { Point } from './points.ts';

interface LegendProps {
  readonly points: readonly Point[] | undefined;
  readonly measure: Measure;
}

export function Legend({ points, measure }: LegendProps) {
  const { texts, formats } = useReader();
  const { view, change } = useAsker();
  const pressed = pressedIn(view.filters, 'status');
  const sumAt = (place: number, of: readonly Point[]) =>
    of.reduce((sum, { parts }) => sum + (parts[place]?.value ?? 0), 0);
  return (
    <ul className="legend" aria-label={texts.glance.statuses}>
      {STATUS_ORDER.map((status, place) => {
        const label = STATUS_LABELS[labelsOf(formats.tag)][status];
        const isPressed = pressed.includes(String(status));
        return (
          <li key={status}>
            <button
              type="button"
              className="quiet"
              aria-pressed={isPressed}
              title={
                isPressed
                  ? texts.ask.remove(nameOf('status_label', texts))
                  : texts.glance.only(label)
              }
              onClick={() => change({ filters: pressing(view.filters, 'status', String(status)) })}
            >
              <StatusSign status={status} />
              {label}{' '}
              <strong>
                {points === undefined ? '…' : written(sumAt(place, points), measure, formats)}
              </strong>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
