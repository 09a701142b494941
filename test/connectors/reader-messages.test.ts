import { expect, test } from 'vitest';
import { type ReaderMessage, readEvent } from '../../src/connectors/reader-messages.ts';

const EVENTS: readonly ReaderMessage[] = [
  { event: 'progress', bytes: 1 },
  { event: 'done', files: [] },
  { event: 'done', files: [{ path: '/tmp/a', name: 'a', mapping: undefined }] },
  { event: 'failed', message: 'no', next: 'do' },
];

test.each(EVENTS)('%j is understood', (event) => {
  expect(readEvent(JSON.stringify(event))).toEqual(event);
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
  '{"event":"failed","message":"no"}',
])('what is no event is none: %s', (line) => {
  expect(readEvent(line)).toBeUndefined();
});
