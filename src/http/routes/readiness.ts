/** Whether the engine answers, asked once for however many want to know. */

import { setTimeout as delay } from 'node:timers/promises';
import type { Reader } from '../../engine/engine.ts';
import { raw, statementOf } from '../../plan/sql.ts';

const QUESTION = statementOf(raw('SELECT 1 AS answer'));

/** Milliseconds for which it is believed that the engine answers. */
const BELIEVED = 1000;

/**
 * Everyone may ask, without a token and without a limit, so many at once cost the engine no more
 * than one. A failure is for those alone who waited for it.
 */
export function readiness(reader: Reader): () => Promise<void> {
  let answer: Promise<void> | undefined;
  const forget = () => {
    answer = undefined;
  };
  const ask = async () => {
    await reader.rows(QUESTION);
    void delay(BELIEVED, undefined, { ref: false }).then(forget);
  };
  return async () => {
    answer ??= ask();
    await answer.catch((failure: unknown) => {
      forget();
      throw failure;
    });
  };
}
