import { expectTypeOf, test } from 'vitest';
import type { Row } from '../../src/contract/record/rows.ts';
import type { SPECIFIED, SPECIFIED_REQUIRED } from '../support/rows/specification.ts';

// The compiler checks these types, so running the tests proves nothing more.

type Role = keyof typeof SPECIFIED;

interface JsonTypes {
  readonly int: number;
  readonly float: number;
  readonly string: string;
}

type Nullable<Name> = Name extends (typeof SPECIFIED_REQUIRED)[number] ? never : null;

type SpecifiedRow<Reader extends Role> = {
  readonly [Line in (typeof SPECIFIED)[Reader][number] as Line[0]]:
    | (Line[0] extends 'status' ? '0' | '1' | '2' : JsonTypes[Line[1]])
    | Nullable<Line[0]>;
};

test('the type of an administrator’s row has the fields of the specification', () => {
  expectTypeOf<Row<'admin'>>().toEqualTypeOf<SpecifiedRow<'admin'>>();
});

test('the type of an affiliate’s row has the fields of the specification', () => {
  expectTypeOf<Row<'affiliate'>>().toEqualTypeOf<SpecifiedRow<'affiliate'>>();
});

test('a row is read-only', () => {
  expectTypeOf<Row<'admin'>>().not.toEqualTypeOf<{
    -readonly [Name in keyof Row<'admin'>]: Row<'admin'>[Name];
  }>();
});
