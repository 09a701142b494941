/** Generates the reference page of mapping files. */

import {
  DIALECT_MEMBER_NAMES,
  DIALECT_MEMBERS,
  dialectChoices,
} from '../../ingest/dialect/stated-dialect.ts';
import { code, page, section, table } from './reference-markdown.ts';

const FIELD_FORMS = [
  ['`"created_at": "Date"`', 'The value of the column `Date`'],
  [
    '`"status": { "from": "State", "codes": { "approved": 1, "open": 2 } }`',
    'The value of the column `State`, translated. A value that `codes` does not list is a fault',
  ],
  [
    '`"validation_date": { "from": "Checked", "when_status": 1 }`',
    'The value of the column `Checked` if the transaction has the status 1, else null',
  ],
  ['`"type": { "value": "sales" }`', 'The same value in all rows'],
];

export const mappingPage = (): string =>
  page('Mappings', [
    'A mapping is a JSON file that `--mapping` names. It assigns columns to [fields](fields.md), for files and for [other databases](../how-to/import-from-a-database.md).',
    table(
      ['Member', 'Value', 'Meaning'],
      [
        ['`fields`', 'an object', 'A member for each field, see below. Other fields are null'],
        [
          '`time_zone`',
          'an IANA name',
          'The time zone of dates without an offset, if it is not that of the platform',
        ],
        [
          '`unused`',
          'a list',
          'Columns that no field uses: a note for people, which imports ignore',
        ],
        ...DIALECT_MEMBER_NAMES.map((name) => [
          code(name),
          dialectChoices(name)
            .map((choice) => code(JSON.stringify(choice).replace('|', '\\|')))
            .join(', '),
          `${DIALECT_MEMBERS[name].meaning} (flag \`--${name}\`)`,
        ]),
      ],
    ),
    section('Fields', table(['Member of `fields`', 'Meaning'], FIELD_FORMS)),
  ]);
