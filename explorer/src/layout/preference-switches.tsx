/** Select boxes for language and theme. */

import { LANGUAGES, type Language } from '../texts/languages.ts';
import { useLocalization } from './localization-context.tsx';
import { readTheme, THEMES, usePreference } from './preferences.ts';

const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', fr: 'Français' };

const CODES = Object.keys(LANGUAGES) as readonly Language[];

export function PreferenceSwitches() {
  const { texts, language, choose } = useLocalization();
  const [theme, setTheme] = usePreference('theme');
  return (
    <div className="switches">
      <select
        aria-label={texts.language}
        value={language}
        onChange={(event) => {
          const code = CODES.find((known) => known === event.target.value);
          if (code !== undefined) choose(code);
        }}
      >
        {CODES.map((code) => (
          <option key={code} value={code} lang={code}>
            {LANGUAGE_NAMES[code]}
          </option>
        ))}
      </select>
      <select
        aria-label={texts.theme.label}
        value={readTheme(theme)}
        onChange={(event) => setTheme(event.target.value)}
      >
        {THEMES.map((name) => (
          <option key={name} value={name}>
            {texts.theme[name]}
          </option>
        ))}
      </select>
    </div>
  );
}
