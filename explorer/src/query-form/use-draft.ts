/** What a reader writes, until what it is about is another one: clicks on what is seen and going back change it too. */

import { type Dispatch, type SetStateAction, useState } from 'react';

/** The text is the same for equal values. */
export function useDraft<Value>(
  value: Value,
  text: string,
): readonly [Value, Dispatch<SetStateAction<Value>>] {
  const [followed, setFollowed] = useState(text);
  const [written, setWritten] = useState(value);
  if (followed !== text) {
    setFollowed(text);
    setWritten(value);
  }
  return [written, setWritten];
}
