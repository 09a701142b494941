/** Runs in every file of tests: ends the commands that the file has left running. */

import { afterAll } from 'vitest';
import { endCommands } from '../programs/command.ts';

afterAll(endCommands);
