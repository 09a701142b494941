/** Maximum length of the names of access tokens and webhooks, in UTF-16 code units. */

export const MAX_NAME_LENGTH = 200;
