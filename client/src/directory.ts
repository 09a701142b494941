/** Identifiers and names of programs and publishers. */

import type { Cancellable } from './lists/rows.ts';
import type { Program, Publisher, Role } from './model.ts';
import { requestJson } from './request-json.ts';
import type { Connection } from './transport/connection.ts';

export interface DirectoryQuery {
  /** Only entries whose name contains this text, regardless of case and accents. */
  readonly search?: string | undefined;
  /** The maximum number of entries. */
  readonly limit?: number | undefined;
}

export interface Directory {
  /** The programs that the token may see, sorted by identifier. */
  programs(query?: DirectoryQuery, options?: Cancellable): Promise<readonly Program[]>;
  /** The publishers, or websites, that the token may see, sorted by identifier. */
  publishers(query?: DirectoryQuery, options?: Cancellable): Promise<readonly Publisher[]>;
}

export function directoryOf(connection: Connection, role: Role): Directory {
  const read = async (of: keyof Directory, { search, limit }: DirectoryQuery, given: Cancellable) =>
    await requestJson(
      connection,
      { path: `/api/${role}/${of}`, parameters: { search, limit } },
      given,
    );
  // The types come from the OpenAPI document, and tests hold the service to it.
  return {
    programs: async (query = {}, options = {}) =>
      (await read('programs', query, options)) as readonly Program[],
    publishers: async (query = {}, options = {}) =>
      (await read('publishers', query, options)) as readonly Publisher[],
  };
}
