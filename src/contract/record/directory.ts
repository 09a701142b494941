/** The directory: names of programs, publishers and supports, and the fields of an entry. */

import type { Field } from './fields.ts';

export const DIRECTORIES = ['programs', 'publishers', 'supports'] as const;

/** What an entry of the directory is about. */
export type DirectoryName = (typeof DIRECTORIES)[number];

/** In the order of files and records. */
// biome-ignore format: one field a line
export const DIRECTORY_FIELDS = [
  { name: 'id', type: 'integer', required: true, meaning: 'The identifier that transactions have' },
  { name: 'name', type: 'text', required: true, meaning: 'Name' },
  { name: 'url', type: 'text', meaning: 'Address of its page, https:// or http://' },
  { name: 'status', type: 'text', meaning: 'Status, in the words of the platform' },
  { name: 'category', type: 'text', meaning: 'Category, in the words of the platform' },
] as const satisfies readonly Field[];

export interface DirectoryEntry {
  readonly id: number;
  readonly name: string;
  readonly url: string | null;
  readonly status: string | null;
  readonly category: string | null;
}
