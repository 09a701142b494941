/** Saved views: named queries of the address, as a list that is stored as JSON. */

export interface SavedView {
  readonly name: string;
  /** The query string of the address, with its `?`. */
  readonly search: string;
  /** Opens when the address has no query. At most one view is the default. */
  readonly isDefault: boolean;
}

export type SavedViews = readonly SavedView[];

export const MAX_NAME_LENGTH = 60;
export const MAX_VIEWS = 50;

/** The typed text as a name: trimmed and cut; empty if there are only spaces. */
export const viewName = (typed: string): string =>
  typed.trim().replaceAll(/\s+/g, ' ').slice(0, MAX_NAME_LENGTH);

/** Reads stored JSON. Anything other than views is ignored. */
export function readViews(value: unknown): SavedViews {
  if (!Array.isArray(value)) return [];
  return value.flatMap(readSavedView).slice(0, MAX_VIEWS);
}

function readSavedView(value: unknown): SavedViews {
  if (typeof value !== 'object' || value === null) return [];
  if (!('name' in value && 'search' in value && 'isDefault' in value)) return [];
  const { name, search, isDefault } = value;
  if (typeof name !== 'string' || typeof search !== 'string') return [];
  return [{ name, search, isDefault: isDefault === true }];
}

/** Whether a view with this name can be saved: it replaces one, or there are fewer than the most. */
export const hasRoom = (views: SavedViews, name: string): boolean =>
  views.length < MAX_VIEWS || views.some((view) => view.name === name);

/** Replaces the view with this name, or adds one if there is room, sorted by name. An empty name changes nothing. */
export function withView(views: SavedViews, name: string, search: string): SavedViews {
  const former = views.find((view) => view.name === name);
  const others = views.filter((view) => view !== former);
  if (name === '' || !hasRoom(views, name)) return views;
  return sorted([...others, { name, search, isDefault: former?.isDefault ?? false }]);
}

export const withoutView = (views: SavedViews, name: string): SavedViews =>
  views.filter((view) => view.name !== name);

/** A name that is empty or taken changes nothing. */
export function withRenamedView(views: SavedViews, from: string, to: string): SavedViews {
  if (to === '' || views.some((view) => view.name === to)) return views;
  return sorted(views.map((view) => (view.name === from ? { ...view, name: to } : view)));
}

/** Makes a view the default, or undoes that. */
export const toggledDefault = (views: SavedViews, name: string): SavedViews =>
  views.map((view) => ({ ...view, isDefault: view.name === name && !view.isDefault }));

export const defaultView = (views: SavedViews): SavedView | undefined =>
  views.find(({ isDefault }) => isDefault);

const sorted = (views: SavedViews): SavedViews =>
  views.toSorted((one, other) => one.name.localeCompare(other.name));
