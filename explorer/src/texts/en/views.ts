/** The texts of saved views in English. */

export const views = {
  open: 'Saved views',
  opened: (name: string) => `View: ${name}`,
  title: 'Saved views',
  intro:
    'A view keeps the period, the filters, the chart and the order of this page under a name. Views stay in this browser.',
  temporary:
    'You are not kept signed in on this device, so these views are deleted when you sign out.',
  name: 'Name',
  save: 'Save this view',
  none: 'No saved views yet.',
  current: 'Open now',
  makeDefault: (name: string) => `Open ${name} when the page opens`,
  byDefault: 'Default',
  rename: (name: string) => `Rename ${name}`,
  newName: (name: string) => `New name of ${name}`,
  remove: (name: string) => `Delete ${name}`,
  done: 'Rename',
  taken: 'Another view has this name.',
  replaces: 'Replaces the view with this name.',
  full: (most: number) => `You have ${most} views, and no more can be saved. Delete one first.`,
  unstored: 'The view was not saved. The storage of this browser is full or disabled.',
} as const;
