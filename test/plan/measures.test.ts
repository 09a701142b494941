import { expect, test } from 'vitest';
import { measuresOf } from '../../src/contract/groups/measures.ts';
import { appliesTo } from '../../src/contract/record/fields.ts';
import { RECORD_FIELDS, ROLES } from '../../src/contract/record/records.ts';

// Performance sums a field even over kinds that do not have it. A measure must not add up such a sum.
test.each(ROLES)('a measure of %s adds up a field that each of its kinds has', (role) => {
  for (const { name, sums, kinds } of measuresOf(role)) {
    const summed = RECORD_FIELDS[role].find((field) => field.name === sums)?.field;
    const lacking = kinds.filter((kind) => summed !== undefined && !appliesTo(summed, kind));
    expect([name, lacking]).toEqual([name, []]);
  }
});
