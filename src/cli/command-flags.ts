/** Adds flags of settings, and examples, to the commands of `transactions`. */

import { type Command, Option } from 'commander';
import { type SettingName, setting } from './inputs/settings.ts';

/** Adds the flags of settings to a command, from the table of settings. */
export function withSettings(command: Command, ...names: readonly SettingName[]): Command {
  for (const name of names) {
    const { flag, env, fallback, meaning } = setting(name);
    const shown = fallback ? `, else ${fallback}` : '';
    if (flag !== undefined) command.addOption(new Option(flag, `${meaning} (${env}${shown})`));
  }
  return command;
}

/** Adds examples below the options. */
export const withExamples = (command: Command, ...examples: readonly string[]): Command =>
  command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}\n`).join('')}`);

/** Collects the values of a flag that may be repeated. */
export const collect = (text: string, all: readonly string[] = []): readonly string[] => [
  ...all,
  text,
];
