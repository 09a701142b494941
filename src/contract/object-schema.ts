/** JSON Schema of an object whose members are all there, and no others. */

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
