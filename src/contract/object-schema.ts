/** JSON Schemas of objects and their members. */

/** An object with exactly these members, all of them required. */
export const objectSchema = (
  description: string,
  properties: Readonly<Record<string, object>>,
) => ({
  type: 'object',
  description,
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/** A date and time with an offset (RFC 3339). */
export const instantSchema = (description: string) => ({
  type: 'string',
  format: 'date-time',
  description,
});
