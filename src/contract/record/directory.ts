/** The directory: names of programs, publishers and supports, and the fields of an entry. */

import { FIELD_NAMED, type Field, type FieldName } from './fields.ts';
import { RECORD_FIELDS, type RecordField, type Role } from './records.ts';
import { propertiesOf } from './schemas.ts';

export const DIRECTORIES = ['programs', 'publishers', 'supports'] as const;

/** What an entry of the directory is about. */
export type DirectoryName = (typeof DIRECTORIES)[number];

/** The fields of an entry, in the order of files and records. */
// biome-ignore format: one field a line
export const DIRECTORY_FIELDS = [
  { name: 'id', type: 'integer', required: true, meaning: 'The identifier that transactions have' },
  { name: 'name', type: 'text', required: true, meaning: 'Name' },
  { name: 'url', type: 'text', meaning: 'URL of its web page, https:// or http://' },
  { name: 'status', type: 'text', meaning: 'Status, in the words of the platform' },
  { name: 'category', type: 'text', meaning: 'Category, in the words of the platform' },
] as const satisfies readonly Field[];

/** For each field with identifiers that have names: the directory of these names, and the field that shows them. */
export const NAMES_OF = {
  program_id: { of: 'programs', name: 'program_name', meaning: 'Name of the program' },
  publisher_id: {
    of: 'publishers',
    name: 'publisher_name',
    meaning: 'Name of the publisher. For affiliates: of the website',
  },
  support_id: { of: 'supports', name: 'support_name', meaning: 'Name of the support' },
} as const satisfies Readonly<
  Partial<Record<FieldName, { of: DirectoryName; name: string; meaning: string }>>
>;

type NamedField = keyof typeof NAMES_OF;

const isNamed = (field: string): field is NamedField => Object.hasOwn(NAMES_OF, field);

/**
 * For a field with identifiers, such as `program_id`: their directory, and the field with their names, such as
 * `program_name`. Undefined for other fields.
 */
export const nameFieldOf = (field: string): (typeof NAMES_OF)[NamedField] | undefined =>
  isNamed(field) ? NAMES_OF[field] : undefined;

/** Fields with names. Lists have them only if `fields` asks for them. A value is null if the directory has none. */
export const NAME_FIELDS: readonly RecordField[] = Object.entries(NAMES_OF).map(
  ([nameOf, { name, meaning }]) => ({
    name,
    field: {
      name,
      type: 'text',
      nameOf,
      meaning: `${meaning}. Only if the parameter \`fields\` names it; null if the directory has no name`,
    },
  }),
);

/** The fields that the parameter `fields` of a list can choose. */
export const choosableFields = (role: Role): readonly RecordField[] => [
  ...RECORD_FIELDS[role],
  ...NAME_FIELDS,
];

/** The directories that the API lists. */
export const LISTED_DIRECTORIES = [
  'programs',
  'publishers',
] as const satisfies readonly DirectoryName[];

export type ListedDirectory = (typeof LISTED_DIRECTORIES)[number];

/** The fields of an entry that the API lists. `id` is called `program_id` or `publisher_id`. */
export function directoryFields(of: ListedDirectory): readonly RecordField[] {
  const id = of === 'programs' ? 'program_id' : 'publisher_id';
  const [, ...others] = DIRECTORY_FIELDS;
  return [
    {
      name: id,
      field: { name: id, type: 'integer', required: true, meaning: FIELD_NAMED[id].meaning },
    },
    ...others.map(({ name, type, meaning }) => ({
      name,
      field: { name, type, meaning: `${meaning}. Null if the directory has none` },
    })),
  ];
}

/** The schema of an entry that the API lists. */
export function schemaOfEntry(of: ListedDirectory) {
  const fields = directoryFields(of);
  return {
    type: 'object',
    properties: propertiesOf(fields),
    required: fields.map(({ name }) => name),
    additionalProperties: false,
  };
}

export interface DirectoryEntry {
  readonly id: number;
  readonly name: string;
  readonly url: string | null;
  readonly status: string | null;
  readonly category: string | null;
}
