/** Limits of webhooks. */

/** UTF-16 code units. */
export const MAX_WEBHOOK_URL = 2000;

/** Webhooks of the service. They are limited, because all may have a message under way at the same time. */
export const MAX_WEBHOOKS = 1000;

/** Webhooks that one token has added. Without this limit, one token could take all of MAX_WEBHOOKS. */
export const MAX_WEBHOOKS_PER_CREATOR = 100;
