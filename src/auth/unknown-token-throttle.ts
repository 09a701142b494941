/** Keeps whoever tries unknown tokens from holding up those whose tokens are known. */

import { Problem } from '../contract/problems/problems.ts';
import type { FindToken } from './token-record.ts';

/** Tokens that were found before are looked up at once; so many others at a time. */
const AT_ONCE = 2;
/** So many more wait for their turn; whoever comes then is told to come back. */
const WAITING = 200;
/** So many tokens are remembered as found; the one that was found first is forgotten first. */
const CAPACITY = 10_000;

/** The same lookup. A token is a secret that nobody guesses: this is about load, not about access. */
export function throttleUnknownTokens(find: FindToken): FindToken {
  const known = new Set<string>();
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (hash) => {
    if (known.has(hash)) return await find(hash);
    if (running < AT_ONCE) running += 1;
    else if (waiting.length < WAITING) await new Promise<void>((resolve) => waiting.push(resolve));
    else throw new Problem('busy');
    try {
      const record = await find(hash);
      if (record !== undefined) known.add(hash);
      const [first] = known;
      if (known.size > CAPACITY && first !== undefined) known.delete(first);
      return record;
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
