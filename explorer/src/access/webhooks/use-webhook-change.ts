/** React hook that changes one webhook, and keeps the outcome. */

import { useRef, useState } from 'react';
import { useLocalization } from '../../layout/localization-context.tsx';
import { useExplorer } from '../explorer-context.tsx';

interface Outcome {
  /** The new secret. */
  readonly secret?: string;
  /** The outcome of a test, in words. */
  readonly tested?: string;
}

export interface WebhookEvents {
  onChanged(): Promise<void>;
  /** Called before `onChanged`, which removes the webhook from the page. */
  onRemoved(): void;
}

export function useWebhookChange(id: string, { onChanged, onRemoved }: WebhookEvents) {
  const { texts, formats } = useLocalization();
  const { webhooks } = useExplorer().service;
  const [outcome, setOutcome] = useState<Outcome>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const run = async (change: () => Promise<Outcome | undefined>) => {
    // A second change would replace the outcome of the first, such as a secret that is shown once.
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    setError(undefined);
    setOutcome(undefined);
    try {
      setOutcome(await change());
      await onChanged();
    } catch (failure) {
      setError(failure);
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  const tested = async (): Promise<Outcome> => {
    const { delivered, error: why, milliseconds } = await webhooks.test(id);
    const { arrived, failed } = texts.webhooks;
    return { tested: delivered ? arrived(formats.count(milliseconds)) : failed(why ?? '') };
  };
  const quiet = (change: () => Promise<unknown>) => async (): Promise<undefined> =>
    void (await change());
  return {
    outcome,
    error,
    isBusy,
    forget: () => {
      setOutcome(undefined);
      setError(undefined);
    },
    test: async () => await run(tested),
    pause: async () => await run(quiet(async () => await webhooks.pause(id))),
    resume: async () => await run(quiet(async () => await webhooks.resume(id))),
    rotate: async (_since: string) =>
      await run(async () => ({ secret: (await webhooks.rotate(id)).secret })),
    replay: async (since: string) => await run(quiet(async () => await webhooks.replay(id, since))),
    remove: async (_since: string) =>
      await run(
        quiet(async () => {
          await webhooks.remove(id);
          onRemoved();
        }),
      ),
  };
}
