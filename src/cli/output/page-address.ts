/** The address of the page, for links that commands print. */

import type { Settings } from '../inputs/settings.ts';

type AddressSettings = Pick<Settings, 'publicUrl' | 'host' | 'port' | 'basePath'>;

/** The public URL, or else that of a service on this machine, without the final slash. */
export const pageAddress = ({ publicUrl, host, port, basePath }: AddressSettings): string =>
  publicUrl ?? `http://${shownHost(host)}:${port}${basePath}`;

/** A service that listens on all addresses is reached at `localhost`. */
export function shownHost(host: string): string {
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return shown.includes(':') ? `[${shown}]` : shown;
}
