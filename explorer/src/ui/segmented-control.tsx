/** Choice of one of a few options: radio buttons that look like segments of a bar. */

import { useId, useLayoutEffect, useRef } from 'react';

interface SegmentedControlProps<Option extends string> {
  /** The legend, for screen readers only. */
  readonly legend: string;
  readonly options: readonly Option[];
  readonly chosen: Option;
  readonly isSmall?: boolean;
  labelOf(option: Option): string;
  choose(option: Option): void;
}

export function SegmentedControl<Option extends string>(props: SegmentedControlProps<Option>) {
  const { legend, options, chosen, isSmall = false, labelOf, choose } = props;
  const name = useId();
  const bar = useRef<HTMLFieldSetElement>(null);
  useLayoutEffect(() => {
    if (bar.current !== null) showChosen(bar.current, options.indexOf(chosen));
  }, [options, chosen]);
  return (
    <fieldset ref={bar} className={isSmall ? 'segments small' : 'segments'}>
      <legend className="hidden">{legend}</legend>
      {options.map((option) => (
        <label key={option}>
          <input
            type="radio"
            name={name}
            checked={option === chosen}
            onChange={() => choose(option)}
          />
          <span>{labelOf(option)}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Scrolls the chosen option to the middle of a bar that is wider than the screen. Does not scroll the page. */
function showChosen(bar: HTMLFieldSetElement, place: number): void {
  const label = bar.querySelectorAll('label')[place];
  if (label !== undefined)
    bar.scrollLeft = label.offsetLeft - (bar.clientWidth - label.offsetWidth) / 2;
}
