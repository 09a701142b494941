/** Marks a pointer that has not moved since the sign-in: what appears under it is not highlighted. */

import { useEffect } from 'react';

export function useRestingPointer(isNewSignIn: boolean): void {
  useEffect(() => {
    if (!isNewSignIn) return;
    const { dataset } = document.documentElement;
    dataset.pointer = 'resting';
    const wake = () => {
      delete dataset.pointer;
      removeEventListener('pointermove', wake);
    };
    addEventListener('pointermove', wake);
    return wake;
  }, [isNewSignIn]);
}
