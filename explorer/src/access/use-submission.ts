/** React hook for a form that is sent once at a time, with its result or its error. */

import { type FormEvent, useState } from 'react';

interface Submission<Result> {
  /** Undefined until the form has been sent. */
  readonly result: Result | undefined;
  /** Undefined without an error. */
  readonly error: unknown;
  readonly isBusy: boolean;
  submit(event: FormEvent): Promise<void>;
  /** Discards the result, so that the form can be filled in again. */
  clear(): void;
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
  return { result, error, isBusy, submit, clear: () => setResult(undefined) };
}
