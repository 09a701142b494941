/** Access tokens that the client's own token manages. */

import type { Cancellable } from './lists/rows.ts';
import type {
  ManagedToken,
  NewManagedToken,
  NewSignInLink,
  NewTokenParameters,
  RevokedToken,
} from './model.ts';
import { requestJson, requestRemoval } from './request-json.ts';
import type { Connection } from './transport/connection.ts';
import { NO_RETRIES } from './transport/retry.ts';

const PATH = '/api/admin/tokens';

/** Requires a token that the operator created with `--may-manage-tokens`. */
export interface Tokens {
  /** The tokens within the rights of the client's token, newest first, without their texts. */
  list(options?: Cancellable): Promise<readonly ManagedToken[]>;
  /** Creates a token. Its text cannot be read again. The client does not retry this request. */
  create(token: NewTokenParameters, options?: Cancellable): Promise<NewManagedToken>;
  /**
   * Creates a link. The first person who opens it gets the token. The link cannot be read again.
   * The client does not retry this request.
   */
  createLink(token: NewTokenParameters, options?: Cancellable): Promise<NewSignInLink>;
  /** Revokes a token, or a link and its token. Every server refuses them within 5 seconds. Reads the list first. */
  revoke(id: string, options?: Cancellable): Promise<RevokedToken>;
}

export function tokensOf(connection: Connection): Tokens {
  return {
    list: async (options = {}) =>
      await requestJson(connection, { path: PATH, parameters: {} }, options),
    create: async (token, options = {}) =>
      await requestJson(
        connection,
        { path: PATH, method: 'POST', parameters: token },
        options,
        NO_RETRIES,
      ),
    createLink: async (token, options = {}) =>
      await requestJson(
        connection,
        { path: '/api/admin/sign-in-links', method: 'POST', parameters: token },
        options,
        NO_RETRIES,
      ),
    revoke: async (id, options = {}) =>
      await requestRemoval<RevokedToken>(connection, {
        ...options,
        path: PATH,
        id,
        notFound: 'token_not_found',
        removed: { id, revoked: true },
      }),
  };
}
