/** JSON Schemas of objects and their members. */

/** An object whose members are all there, and no others. */
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
