/** Attributes of an element that arrow keys scroll, such as a table wider than the screen. */

/** `titleId` is the id of the element with its title. */
export const scrollableByKeys = (titleId: string) => ({
  role: 'region',
  tabIndex: 0,
  'aria-labelledby': titleId,
});
