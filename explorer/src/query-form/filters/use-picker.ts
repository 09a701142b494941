/** React hook for the state of a picker: whether it is open, and which option the arrow keys have made active. */

import { type KeyboardEvent, useState } from 'react';
import { MAX_OPTIONS, type PickerOption } from '../values/picker-options.ts';

export interface Picker {
  readonly isOpen: boolean;
  readonly active: number | undefined;
  open(): void;
  close(): void;
  /** Handles a key of the picker, and leaves other keys to the input. */
  press(event: KeyboardEvent): void;
}

/** Enter toggles the active option. Without one, Enter is left to the form, which applies what is typed. */
export function usePicker(
  options: readonly PickerOption[],
  toggle: (option: PickerOption) => void,
): Picker {
  const [isWanted, setWanted] = useState(false);
  const [chosen, setChosen] = useState<number>();
  const last = Math.min(options.length, MAX_OPTIONS) - 1;
  const isOpen = isWanted && last >= 0;
  const active = isOpen && chosen !== undefined ? Math.min(chosen, last) : undefined;
  const close = () => {
    setWanted(false);
    setChosen(undefined);
  };
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const option = active === undefined ? undefined : options[active];
    if (event.key === 'ArrowDown') {
      setWanted(true);
      setChosen(active === undefined ? 0 : Math.min(active + 1, last));
    } else if (event.key === 'ArrowUp' && isOpen) {
      setChosen(active === undefined || active === 0 ? undefined : active - 1);
    } else if (event.key === 'Escape' && isOpen) close();
    else if (event.key === 'Enter' && option !== undefined) toggle(option);
    else return;
    event.preventDefault();
  };
  const open = () => {
    setWanted(true);
    setChosen(undefined);
  };
  return { isOpen, active, open, close, press };
}
