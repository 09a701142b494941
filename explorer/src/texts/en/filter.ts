/** The texts of the filters and of the pickers of their values in English. */

export const filter = {
  is: 'is',
  isNot: 'is not',
  labelNot: (name: string) => `${name} is not`,
  edit: (value: string) => `Edit ${value}`,
  removeValue: (value: string) => `Remove ${value}`,
  values: (name: string) => `Values: ${name}`,
  more: (count: string) => `${count} more: type a part of the name`,
} as const;
