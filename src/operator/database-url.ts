/** Reads `DATABASE_URL`. */

import { suggestionFor } from '../contract/suggestion.ts';
import { OperatorError } from './operator-error.ts';

export interface DatabaseAddress {
  readonly kind: 'chdb';
  readonly directory: string;
}

const SCHEMES = ['chdb'];

export function readDatabaseUrl(url: string): DatabaseAddress {
  const [, scheme, rest] = /^([a-z]+):(.*)$/i.exec(url) ?? [];
  if (scheme?.toLowerCase() === 'chdb' && rest) {
    return { kind: 'chdb', directory: rest.replace(/^\/\/(?=\/)/, '') };
  }
  throw new OperatorError(
    `The database URL is not understood.${suggestionFor(scheme ?? '', SCHEMES)}`,
    'Name a directory for the embedded database: --database chdb:./data',
  );
}
