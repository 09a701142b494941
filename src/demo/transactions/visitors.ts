/** Visitors of websites: device, country and IP address. */

import type { Random } from '../random/random.ts';
import { type Picker, pickerOf } from '../random/weighted-picker.ts';

interface Visitor {
  readonly country: string;
  readonly device_type: string;
  readonly device_os: string;
  readonly browser: string;
}

// biome-ignore format: one device a line, so that the table reads as one
const DEVICES = [
  { device_type: 'mobile', device_os: 'Android', browser: 'Chrome', weight: 27 },
  { device_type: 'mobile', device_os: 'iOS', browser: 'Safari', weight: 21 },
  { device_type: 'mobile', device_os: 'Android', browser: 'Samsung Internet', weight: 5 },
  { device_type: 'mobile', device_os: 'iOS', browser: 'Chrome', weight: 3 },
  { device_type: 'mobile', device_os: 'Android', browser: 'Firefox', weight: 1 },
  { device_type: 'desktop', device_os: 'Windows', browser: 'Chrome', weight: 18 },
  { device_type: 'desktop', device_os: 'Windows', browser: 'Edge', weight: 7 },
  { device_type: 'desktop', device_os: 'Windows', browser: 'Firefox', weight: 4 },
  { device_type: 'desktop', device_os: 'macOS', browser: 'Safari', weight: 4 },
  { device_type: 'desktop', device_os: 'macOS', browser: 'Chrome', weight: 3 },
  { device_type: 'desktop', device_os: 'Linux', browser: 'Firefox', weight: 1 },
  { device_type: 'tablet', device_os: 'iPadOS', browser: 'Safari', weight: 4 },
  { device_type: 'tablet', device_os: 'Android', browser: 'Chrome', weight: 2 },
] as const;

const COUNTRIES: Readonly<Record<string, number>> = {
  FR: 76,
  BE: 7,
  CH: 4.5,
  CA: 3.5,
  DE: 2.2,
  ES: 1.8,
  IT: 1.5,
  GB: 1.2,
  NL: 0.9,
  PT: 0.8,
  US: 0.6,
};

/** How often visitors buy with each type of device, relative to the others. */
const APPEAL = { mobile: 0.6, tablet: 0.85, desktop: 1.4 } as const;

const device = pickerOf(DEVICES, ({ weight }) => weight);
const deviceOfBuyer = pickerOf(DEVICES, ({ weight, device_type }) => weight * APPEAL[device_type]);
const country = pickerOf(Object.entries(COUNTRIES), ([, weight]) => weight);

export const visitorOf = (random: Random): Visitor => visitorWith(device, random);

/** A visitor who orders or registers. */
export const buyerOf = (random: Random): Visitor => visitorWith(deviceOfBuyer, random);

function visitorWith(devices: Picker<(typeof DEVICES)[number]>, random: Random): Visitor {
  const { device_type, device_os, browser } = devices(random);
  return { country: country(random)[0], device_type, device_os, browser };
}

const PARTS_OF_ADDRESS = 6;

/** An address from the ranges for benchmarks (RFC 2544) or documentation (RFC 3849), which are never assigned. */
export function addressOf(random: Random): string {
  const bits = random.word();
  if (random.chance(0.85)) {
    return `198.${18 + (bits & 1)}.${(bits >>> 8) & 255}.${(bits >>> 16) & 255}`;
  }
  // Without parts of 0, the canonical notation (RFC 5952) has nothing to shorten.
  const parts = Array.from({ length: PARTS_OF_ADDRESS }, () => random.integer(1, 0xffff));
  return `2001:db8:${parts.map((part) => part.toString(16)).join(':')}`;
}
