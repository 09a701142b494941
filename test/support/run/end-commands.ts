/** Runs in every file of tests: ends the commands that the file has left running, and closes what it left open. */

import { afterAll } from 'vitest';
import { endCommands } from '../programs/command.ts';
import { closeLeftovers } from './left-open.ts';

afterAll(async () => {
  await endCommands();
  await closeLeftovers();
});
