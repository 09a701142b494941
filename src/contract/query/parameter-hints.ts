/** Hints for parameters that other APIs have and this one does not. */

import { suggestionFor } from './suggestion.ts';

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
  sort: 'order',
  sort_by: 'order',
  order_by: 'order',
  per_page: 'limit',
  page_size: 'limit',
  device: 'device_type',
  group: 'group_by',
  groupby: 'group_by',
  dimensions: 'group_by',
  breakdown: 'group_by',
  order_id: 'orderid',
  click_id: 'clickid',
  sub_id: 'subid',
};

const PAGES =
  ' Set limit to get pages, and follow the link rel="next" in the header Link of each page.';
const LANGUAGE =
  ' The header Accept-Language chooses the language of labels, unless the token has one.';
const TOKEN =
  ' Send the token in the header Authorization: Bearer <ACCESS_TOKEN>, never in the URL.';

/** What replaces parameters that no parameter corresponds to. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  page: PAGES,
  offset: PAGES,
  skip: PAGES,
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

/** The exclusion that a negated name of a filter means. */
function exclusionMeant(name: string, known: readonly string[]): string | undefined {
  const field = NEGATIONS.map((form) => form.exec(name)?.[1]).find((part) => part !== undefined);
  const exclusion = field === undefined ? undefined : `exclude_${field}`;
  return known.find((other) => other === exclusion);
}

/** A sentence after a space that says what to use instead of an unknown parameter, or nothing. */
export function hintForUnknown(name: string, known: readonly string[]): string {
  const lower = name.trim().toLowerCase().replaceAll('-', '_');
  const equivalent = Object.hasOwn(EQUIVALENTS, lower) ? EQUIVALENTS[lower] : undefined;
  if (equivalent !== undefined && known.includes(equivalent))
    return ` Did you mean "${equivalent}"?`;
  const exclusion = exclusionMeant(lower, known);
  if (exclusion !== undefined) return ` Did you mean "${exclusion}"?`;
  const replacement = Object.hasOwn(REPLACEMENTS, lower) ? REPLACEMENTS[lower] : undefined;
  if (replacement === PAGES && !known.includes('limit')) return suggestionFor(name, known);
  return replacement ?? suggestionFor(name, known);
}
