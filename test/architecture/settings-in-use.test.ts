import { expect, test } from 'vitest';
import { SETTING_NAMES } from '../../src/cli/inputs/settings.ts';
import { filesUnder } from './source-files.ts';

const USERS = filesUnder('src').filter(({ path }) => path !== 'src/cli/inputs/settings.ts');

test.each(SETTING_NAMES)('the setting %s is used', (name) => {
  const use = new RegExp(`\\b${name}\\b`);
  expect(USERS.filter(({ text }) => use.test(text))).not.toEqual([]);
});
