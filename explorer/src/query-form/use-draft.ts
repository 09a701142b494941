/** React state of an input that resets when its value changes elsewhere. */

import { type Dispatch, type SetStateAction, useState } from 'react';

/** `key` is equal for equal values. */
export function useDraft<Value>(
  value: Value,
  key: string,
): readonly [Value, Dispatch<SetStateAction<Value>>] {
  const [currentKey, setCurrentKey] = useState(key);
  const [draft, setDraft] = useState(value);
  if (currentKey !== key) {
    setCurrentKey(key);
    setDraft(value);
  }
  return [draft, setDraft];
}
