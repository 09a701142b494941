/** How many tokens and sign-in links there can be at a time. */

/** Unused links of all creators together. */
export const MAX_LINKS = 1000;

/** Unused links that one token has created. Without this limit, one token could take all of MAX_LINKS. */
export const MAX_LINKS_PER_CREATOR = 100;

/** Valid tokens and unused links that one token has created: a link becomes a token. */
export const MAX_TOKENS_PER_CREATOR = 10_000;
