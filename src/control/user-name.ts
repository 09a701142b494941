/** The user of the operating system who runs this process. */

import { userInfo } from 'node:os';

/** The user's name, or the user id if there is no name, as in some containers. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? '');
  }
}
