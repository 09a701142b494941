import { expect, test } from 'vitest';
import {
  type ReaderMessage,
  readMessage,
  readRequest,
} from '../../src/connectors/reader-messages.ts';
import { UnexpectedJson } from '../../src/read-json.ts';

const MESSAGES: readonly ReaderMessage[] = [
  { event: 'progress', bytes: 1 },
  { event: 'done', files: [] },
  { event: 'done', files: [{ path: '/tmp/a', name: 'a', mapping: undefined }] },
  { event: 'failed', message: 'no', next: 'do' },
];

test.each(MESSAGES)('the message %j is parsed', (message) => {
  expect(readMessage(JSON.stringify(message))).toEqual(message);
});

test.each([
  '',
  'a line of a library',
  'null',
  '[]',
  '"done"',
  '{"event":',
  '{"event":"else"}',
  '{"event":"progress"}',
  '{"event":"progress","bytes":"1"}',
  '{"event":"done"}',
  '{"event":"done","files":{}}',
  '{"event":"done","files":[null]}',
  '{"event":"done","files":[{"path":1,"name":"a"}]}',
  '{"event":"done","files":[{"path":"a","name":"a","mapping":{"fields":{"pid":1}}}]}',
  '{"event":"failed","message":"no"}',
])('a line that is not a message is ignored: %s', (line) => {
  expect(readMessage(line)).toBeUndefined();
});

const REQUEST = {
  address: {
    kind: 'postgres',
    host: 'db',
    port: 5432,
    database: 'shop',
    table: 'orders',
    user: 'reader',
    password: 'secret',
    name: 'postgres://db:5432/shop?table=orders',
  },
  mapping: { fields: { pid: { from: 'p', codes: { a: 'b' } }, type: { value: 'sales' } } },
  rows: 'transactions',
  typeGiven: false,
  since: { instant: 0, clock: '1970-01-01 00:00:00' },
  directory: '/tmp/read',
};

test('a request is parsed, and refused if a member is wrong or unknown', () => {
  expect(readRequest(JSON.stringify(REQUEST))).toEqual(REQUEST);
  const { address } = REQUEST;
  for (const wrong of [
    { ...REQUEST, typeGiven: 'no' },
    { ...REQUEST, directory: undefined },
    { ...REQUEST, limit: 10 },
    { ...REQUEST, address: { ...address, kind: 'oracle' } },
    { ...REQUEST, address: { ...address, port: '5432' } },
    { ...REQUEST, mapping: { fields: { unknown: { from: 'p' } } } },
    { ...REQUEST, mapping: { ...REQUEST.mapping, timeZone: "'" } },
  ]) {
    expect(() => readRequest(JSON.stringify(wrong))).toThrow(UnexpectedJson);
  }
});
