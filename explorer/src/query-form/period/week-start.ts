/** The day that a week begins with, by language and region. */

/** Regions whose weeks begin on Sunday (CLDR, supplemental data `weekData`). Not every browser knows them. */
const SUNDAY_REGIONS =
  'AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN JM JP KE KH KR LA MH MM MO MT MX MZ NI NP PA PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW'.split(
    ' ',
  );

const SUNDAY = 0;
const MONDAY = 1;

/** As `Date.getDay()` counts. In French it is always Monday. */
export function weekStartOf(tag: string): typeof SUNDAY | typeof MONDAY {
  const { language, region = '' } = new Intl.Locale(tag).maximize();
  return language !== 'fr' && SUNDAY_REGIONS.includes(region) ? SUNDAY : MONDAY;
}
