import { expectTypeOf, test } from 'vitest';
import type {
  AdminTransaction,
  AffiliateTransaction,
  Row,
} from '../../src/contract/record/rows.ts';

// The compiler checks what stands here; running it proves nothing more.

type Text = string | null;
type Amount = number | null;

interface Admin {
  readonly transaction_id: number;
  readonly program_id: number;
  readonly publisher_id: number;
  readonly support_id: number;
  readonly invoice_id: Text;
  readonly payment_id: Text;
  readonly remu_program: Amount;
  readonly remu_publisher: Amount;
  readonly ip_address: Text;
  readonly pid: Text;
  readonly clickid: Text;
  readonly subid: Text;
  readonly token: Text;
  readonly total: Amount;
  readonly orderid: Amount;
  readonly userid: Amount;
  readonly target: Text;
  readonly amount: Amount;
  readonly coupon: Text;
  readonly share: Amount;
  readonly share_label: Text;
  readonly first_click: Text;
  readonly last_click: Text;
  readonly first_referer: Text;
  readonly last_referer: Text;
  readonly country: Text;
  readonly device_type: Text;
  readonly device_os: Text;
  readonly browser: Text;
  readonly referer: Text;
  readonly status: '0' | '1' | '2';
  readonly status_label: string;
  readonly validation_date: Text;
  readonly created_at: string;
  readonly updated_at: string;
}

interface Affiliate {
  readonly transaction_id: number;
  readonly program_id: number;
  readonly publisher_id: number;
  readonly support_id: number;
  readonly payment_id: Text;
  readonly remuneration: Amount;
  readonly total: Amount;
  readonly ip_address: Text;
  readonly clickid: Text;
  readonly subid: Text;
  readonly token: Text;
  readonly country: Text;
  readonly device_type: Text;
  readonly device_os: Text;
  readonly browser: Text;
  readonly status: '0' | '1' | '2';
  readonly status_label: string;
  readonly validation_date: Text;
  readonly created_at: string;
  readonly updated_at: string;
}

test('the type of an administrator’s row has the 35 fields with their values', () => {
  expectTypeOf<AdminTransaction>().toEqualTypeOf<Admin>();
  expectTypeOf<Row<'admin'>>().toEqualTypeOf<AdminTransaction>();
});

test('the type of an affiliate’s row has the 20 fields with their values', () => {
  expectTypeOf<AffiliateTransaction>().toEqualTypeOf<Affiliate>();
  expectTypeOf<Row<'affiliate'>>().toEqualTypeOf<AffiliateTransaction>();
});

test('nothing can be written to a row', () => {
  expectTypeOf<AdminTransaction>().toEqualTypeOf<Readonly<AdminTransaction>>();
  expectTypeOf<AdminTransaction>().not.toEqualTypeOf<{
    -readonly [Name in keyof AdminTransaction]: AdminTransaction[Name];
  }>();
});
