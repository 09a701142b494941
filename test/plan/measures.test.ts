import { expect, test } from 'vitest';
import { measuresOf } from '../../src/contract/groups/measures.ts';
import { appliesTo } from '../../src/contract/record/fields.ts';
import { RECORDS, ROLES } from '../../src/contract/record/records.ts';

// The sums of performance include rows of kinds without the field, in groups of their own.
test.each(ROLES)('a measure of %s adds up a field of kinds that all have it', (role) => {
  for (const { name, sums, kinds } of measuresOf(role)) {
    const summed = RECORDS[role].find((field) => field.name === sums)?.field;
    const lacking = kinds.filter((kind) => summed !== undefined && !appliesTo(summed, kind));
    expect([name, lacking]).toEqual([name, []]);
  }
});
