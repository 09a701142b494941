/** Reads JSON that comes from a file or from another process, and checks it against a schema. */

import * as v from 'valibot';

/** JSON that does not fit its schema; the message names the first value that is wrong. */
export class UnexpectedJson extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnexpectedJson';
  }
}

/** The value of a JSON text; throws an UnexpectedJson. */
export function readJson<Value>(schema: v.GenericSchema<unknown, Value>, text: string): Value {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new UnexpectedJson(cause instanceof Error ? cause.message : 'not JSON', { cause });
  }
  return readValue(schema, value);
}

/** A value that is parsed already; throws an UnexpectedJson. */
export function readValue<Value>(schema: v.GenericSchema<unknown, Value>, value: unknown): Value {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const [first] = result.issues;
  const path = v.getDotPath(first);
  throw new UnexpectedJson(path === null ? first.message : `"${path}": ${first.message}`);
}
