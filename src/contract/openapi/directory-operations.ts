/** The operations that list programs and publishers, for each role. */

import { DIRECTORY_PARAMETERS } from '../query/directory-parameters.ts';
import { TEXT_FORMATS } from '../query/formats.ts';
import { LISTED_DIRECTORIES, type ListedDirectory } from '../record/directory.ts';
import { ROLES, type Role } from '../record/records.ts';
import { EXAMPLE_ENTRIES } from './examples.ts';
import { entriesOf } from './openapi-schemas.ts';
import {
  AUTHENTICATED_HEADERS,
  contentOf,
  NOT_MODIFIED,
  type Operation,
  REPORT_PROBLEM_ORIGINS,
} from './operation.ts';

const WHICH = {
  admin: {
    programs:
      'All programs in the directory or in transactions. A token that is limited to programs gets only its own.',
    publishers:
      'All publishers in the directory or in transactions. A token that is limited to programs gets only the publishers with transactions of its programs.',
  },
  affiliate: {
    programs: 'The programs with transactions of the token’s websites.',
    publishers:
      'The websites of the token. A token that is limited to programs gets only the websites with transactions of its programs.',
  },
} as const satisfies Record<Role, Record<ListedDirectory, string>>;

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const operationOf = (role: Role, of: ListedDirectory): Operation => ({
  path: `/api/${role}/${of}`,
  id: `${role}${capitalized(of)}`,
  tag: 'Directory',
  summary: `Identifiers and names of ${of}, for the role ${role}`,
  description: `${WHICH[role][of]} Entries are sorted by identifier. The name is null if the directory has none.`,
  roles: [role],
  parameters: DIRECTORY_PARAMETERS,
  requestHeaders: ['Accept', 'Accept-Language', 'If-None-Match', 'Accept-Encoding', 'X-Request-Id'],
  responses: {
    200: {
      meaning: 'The entries, an empty list if there are none.',
      headers: [
        ...AUTHENTICATED_HEADERS,
        'ETag',
        'Content-Language',
        'Content-Disposition',
        'Content-Encoding',
        'Link',
      ],
      content: contentOf(TEXT_FORMATS, 'The entries', {
        schema: entriesOf(of),
        example: EXAMPLE_ENTRIES[of],
      }),
    },
    304: NOT_MODIFIED,
  },
  problems: REPORT_PROBLEM_ORIGINS,
});

export const DIRECTORY_OPERATIONS = LISTED_DIRECTORIES.flatMap((of) =>
  ROLES.map((role) => operationOf(role, of)),
);
