/** React hook for a form that is sent once at a time, with its result or its error. */

import { type FormEvent, type RefObject, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

interface Submission<Result> {
  /** Undefined until the form has been sent. */
  readonly result: Result | undefined;
  /** Undefined without an error. */
  readonly error: unknown;
  /** While the form is being sent. Its buttons then have `aria-disabled`: with `disabled` they would lose the focus. */
  readonly isBusy: boolean;
  /** Does nothing while the form is being sent. */
  submit(event: FormEvent): Promise<void>;
  readonly form: RefObject<HTMLFormElement | null>;
  /** Discards the result and calls `reset`, so that the form can be filled in again. Its first field gets the focus. */
  again(reset: () => void): void;
}

export function useSubmission<Result>(
  send: (event: FormEvent) => Promise<Result>,
  onSent: () => Promise<void>,
): Submission<Result> {
  const [result, setResult] = useState<Result>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      setResult(await send(event));
      await onSent();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  const form = useRef<HTMLFormElement>(null);
  // The form replaces the focused button.
  const again = (reset: () => void) => {
    flushSync(() => {
      reset();
      setResult(undefined);
    });
    form.current?.querySelector('input')?.focus();
  };
  return { result, error, isBusy, submit, form, again };
}
