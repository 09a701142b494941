/** Hints for unknown parameters, such as names of other APIs. */

import { FILTER_PARAMETERS } from './filters/filters.ts';
import { didYouMean, nearestName } from './suggestion.ts';

/** Names of other APIs, and the parameters that mean the same here. */
const EQUIVALENTS: Readonly<Record<string, string>> = {
  from: 'start_date',
  since: 'start_date',
  start: 'start_date',
  date_from: 'start_date',
  to: 'end_date',
  until: 'end_date',
  end: 'end_date',
  date_to: 'end_date',
  website: 'publisher_id',
  website_id: 'publisher_id',
  site_id: 'publisher_id',
  affiliate_id: 'publisher_id',
  campaign_id: 'program_id',
  advertiser_id: 'program_id',
  per_page: 'limit',
  page_size: 'limit',
  size: 'limit',
  count: 'limit',
  columns: 'fields',
  select: 'fields',
  date_type: 'date_field',
  device: 'device_type',
  sort_by: 'sort',
  sortby: 'sort',
  order_by: 'sort',
  orderby: 'sort',
  ordering: 'sort',
  group: 'group_by',
  groupby: 'group_by',
  dimensions: 'group_by',
  breakdown: 'group_by',
  order_id: 'orderid',
  click_id: 'clickid',
  sub_id: 'subid',
};

/** How to read a list in pages. */
export const PAGES_HINT =
  ' Set limit to get pages, and follow the link rel="next" in the header Link of each page.';
const GROUPS = ' The paths …/transactions/summary and …/performance return groups.';
const FEED = ' The path …/transactions/changes returns what has changed.';
const POSITION =
  ' The feed has changes after a position: set after to the header Changes-After of a list, then follow the link rel="next".';
const FEED_FILTERS =
  ' The feed has only the filters program_id and publisher_id. Filter your copy instead.';
const LANGUAGE =
  ' The header Accept-Language chooses the language of labels, unless the token has one.';
const TOKEN =
  ' Send the token in the header Authorization: Bearer <ACCESS_TOKEN>, never in the URL.';

/** Hints for parameters that have no equivalent here. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  page: PAGES_HINT,
  offset: PAGES_HINT,
  skip: PAGES_HINT,
  group: GROUPS,
  groupby: GROUPS,
  group_by: GROUPS,
  updated_since: FEED,
  updated_after: FEED,
  modified_since: FEED,
  lang: LANGUAGE,
  language: LANGUAGE,
  locale: LANGUAGE,
  token: TOKEN,
  access_token: TOKEN,
  api_key: TOKEN,
  apikey: TOKEN,
};

/** How other APIs write that a field is not one of the values: `country!=FR`, `country[ne]=FR`, `not_country=FR`. */
const NEGATIONS = [
  /^([a-z_]+)!$/,
  /^[!_](?!_)([a-z_]+)$/,
  /^(?:not|exclude)[_.[]([a-z_]+)\]?$/,
  /^([a-z_]+?)(?:__?|\.|\[)(?:neq?|not(?:_?in)?|nin|excluded?)\]?$/,
];

/** The parameter, such as `exclude_country`, that a name with a negation means, if the endpoint has it. */
function exclusionMeant(name: string, known: readonly string[]): string | undefined {
  const field = NEGATIONS.map((form) => form.exec(name)?.[1]).find((part) => part !== undefined);
  const exclusion = field === undefined ? undefined : `exclude_${field}`;
  return known.find((other) => other === exclusion);
}

/** Hints that only some endpoints give: those that have this parameter. */
const REQUIRED_PARAMETER: ReadonlyMap<string, string> = new Map([
  [PAGES_HINT, 'limit'],
  [GROUPS, 'fields'],
  [FEED, 'fields'],
]);

/** Parameters with which people try to choose the beginning of the feed, as they do with lists. */
const POSITION_LIKE =
  /^(?:cursor|page|offset|skip|from|since|start|start_date|end_date|(?:updated|modified)_(?:since|after|at))$/;

/** The feed has no dates and no cursor, and fewer filters than lists. */
function hintInFeed(name: string): string | undefined {
  if (POSITION_LIKE.test(name)) return POSITION;
  return Object.hasOwn(FILTER_PARAMETERS, name) ? FEED_FILTERS : undefined;
}

const suggestionOf = (meant: string, known: readonly string[]): string =>
  known.includes(meant) ? didYouMean([meant]) : ` Only administrators have "${meant}".`;

/**
 * What to use instead of an unknown parameter: a space and a sentence, or an empty text. `ofAdmins` are the parameters
 * that administrators have at this endpoint.
 */
export function hintForUnknown(
  name: string,
  known: readonly string[],
  ofAdmins: readonly string[] = known,
): string {
  const lower = name.trim().toLowerCase().replaceAll('-', '_');
  const isOfFeed = known.includes('after') && !known.includes(lower);
  const inFeed = isOfFeed ? hintInFeed(lower) : undefined;
  if (inFeed !== undefined) return inFeed;
  const all = [...known, ...ofAdmins];
  const equivalent = Object.hasOwn(EQUIVALENTS, lower) ? EQUIVALENTS[lower] : undefined;
  if (equivalent !== undefined && all.includes(equivalent)) return suggestionOf(equivalent, known);
  const exclusion = exclusionMeant(lower, all);
  if (exclusion !== undefined) return suggestionOf(exclusion, known);
  const replacement = Object.hasOwn(REPLACEMENTS, lower) ? REPLACEMENTS[lower] : undefined;
  const needed = replacement === undefined ? undefined : REQUIRED_PARAMETER.get(replacement);
  if (replacement !== undefined && (needed === undefined || known.includes(needed))) {
    return replacement;
  }
  const nearest = nearestName(name, all);
  return nearest === undefined ? '' : suggestionOf(nearest, known);
}
