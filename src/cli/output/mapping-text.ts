/** Formats a suggested mapping as the JSON of a mapping file. */

import type { MappedField } from '../../ingest/files/mapping.ts';
import type { FileSuggestion } from '../../ingest/suggestion/suggest-for-file.ts';

export function mappingText({ mapping, dialect, unused }: FileSuggestion): string {
  const fields = Object.entries(mapping.fields).map(([name, field]) => [name, fieldJson(field)]);
  const { delimiter, ...others } = dialect;
  const words = delimiter === '\t' ? { delimiter: 'tab' } : delimiter && { delimiter };
  const content = { fields: Object.fromEntries(fields), ...words, ...others, unused };
  return `${JSON.stringify(content, null, 2)}\n`;
}

function fieldJson(field: MappedField): unknown {
  if ('value' in field) return field;
  const { from, codes, whenStatus } = field;
  if (codes === undefined && whenStatus === undefined) return from;
  return {
    from,
    ...(codes && { codes }),
    ...(whenStatus && { when_status: Number(whenStatus) }),
  };
}
