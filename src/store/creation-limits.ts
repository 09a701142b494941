/**
 * Refuses new tokens and sign-in links beyond the limits for each creator, and links beyond the limit for all.
 *
 * For commands, only the limit of all links applies. Each process counts before it creates, so several
 * processes together may exceed a limit by as many as they create at the same moment.
 */

import { Problem } from '../contract/problems/problems.ts';
import {
  MAX_LINKS,
  MAX_LINKS_PER_CREATOR,
  MAX_TOKENS_PER_CREATOR,
} from '../contract/tokens/token-limits.ts';
import type { TokenTables } from './every-server.ts';
import { countUsableLinks } from './sign-in-links.ts';
import { countTokensOf } from './token-table.ts';

/** Throws the problem `too_many_tokens`. */
export async function refuseTokenBeyondLimit(
  place: TokenTables,
  creator: string | undefined,
): Promise<void> {
  if (creator === undefined) return;
  const links = await countUsableLinks(place, creator);
  const tokens = await countTokensOf(place.engine, creator);
  if (links.own + tokens < MAX_TOKENS_PER_CREATOR) return;
  const hint = `Each token can create ${MAX_TOKENS_PER_CREATOR}.`;
  throw new Problem('too_many_tokens', { hint });
}

/** Throws the problem `too_many_links`, or `too_many_tokens` for the token that the link would give. */
export async function refuseLinkBeyondLimit(
  place: TokenTables,
  creator: string | undefined,
): Promise<void> {
  const links = await countUsableLinks(place, creator);
  if (creator !== undefined && links.own >= MAX_LINKS_PER_CREATOR) {
    const hint = `Each token can have ${MAX_LINKS_PER_CREATOR} that nobody has used yet.`;
    throw new Problem('too_many_links', { hint });
  }
  if (links.all >= MAX_LINKS) {
    const hint = `At most ${MAX_LINKS} sign-in links can be unused at the same time.`;
    throw new Problem('too_many_links', { hint });
  }
  await refuseTokenBeyondLimit(place, creator);
}
