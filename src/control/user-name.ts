/** The user of the operating system who runs this process. */

import { userInfo } from 'node:os';

/** A container may have one without a name. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? '');
  }
}
