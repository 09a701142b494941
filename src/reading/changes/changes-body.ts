/** Writes changes as JSON, around records that are JSON already. */

import type { Form } from '../../plan/form.ts';
import type { Change } from './change-page.ts';

export function changesBody(changes: readonly Change[], form: Form): Buffer {
  const [open, separator, close] = form === 'ndjson' ? ['', '\n', '\n'] : ['[', ',\n', '\n]\n'];
  if (changes.length === 0) return Buffer.from(form === 'ndjson' ? '' : '[]\n');
  const parts = changes.flatMap((change, at) => [
    Buffer.from(at === 0 ? open : separator),
    ...partsOf(change),
  ]);
  return Buffer.concat([...parts, Buffer.from(close)]);
}

function partsOf({ type, transactionId, keptFrom, record }: Change): readonly Buffer[] {
  if (keptFrom > 0) {
    const [year, month] = [Math.floor(keptFrom / 100), String(keptFrom % 100).padStart(2, '0')];
    const before = `${year}-${month}-01 00:00:00`;
    return [Buffer.from(JSON.stringify({ change: 'expired', type, created_before: before }))];
  }
  if (record === undefined) {
    return [Buffer.from(JSON.stringify({ change: 'gone', type, transaction_id: transactionId }))];
  }
  return [Buffer.from(`{"change":"put","type":"${type}","transaction":`), record, CLOSING];
}

const CLOSING = Buffer.from('}');
