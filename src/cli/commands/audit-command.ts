/** `transactions audit`: prints the audit log, or who could have received the rows of a person. */

import { AUDIT_EVENTS } from '../../audit/audit-events.ts';
import { PERSON_FIELDS, PERSON_KEYS, type Person } from '../../audit/person.ts';
import { type AuditQuery, PERSON_EVENTS } from '../../audit/read-audit.ts';
import { suggestionFor } from '../../contract/query/suggestion.ts';
import { readIdentifier } from '../../contract/record/identifier.ts';
import { openOperator } from '../../control/open-operator.ts';
import { UserError } from '../../user-error.ts';
import { databaseSettings } from '../inputs/database-settings.ts';
import { isAddress } from '../inputs/network-addresses.ts';
import { printZoneNotice } from '../inputs/new-time-zone.ts';
import { readSince } from '../inputs/read-since.ts';
import { type Flags, readSettings } from '../inputs/settings.ts';
import { AUDIT_FORMATS, type AuditFormat, auditText } from '../output/audit-text.ts';
import { printAll } from '../output/print-all.ts';

interface AuditFlags extends Flags {
  readonly since: string;
  readonly until?: string;
  readonly principal?: string;
  readonly event?: string;
  readonly person?: string;
  readonly format: string;
}

const EXAMPLE = 'transactions audit --since 2026-03-01 --person ip=198.51.100.7 --format json';

export async function auditCommand(flags: AuditFlags): Promise<void> {
  const format = readFormat(flags.format);
  const event = readEvent(flags.event);
  const person = flags.person === undefined ? undefined : readPerson(flags.person, event);
  const settings = await printZoneNotice(readSettings(flags, process.env));
  const operator = await openOperator(await databaseSettings(settings));
  try {
    const zone = await operator.timeZone();
    const instant = (text: string, flag: string) => readSince(text, zone, flag).instant * 1000;
    const { principal } = flags;
    const until = flags.until === undefined ? undefined : instant(flags.until, '--until');
    const query: AuditQuery = {
      since: instant(flags.since, '--since'),
      until,
      principal,
      event,
      person,
    };
    await printAll(auditText(operator.auditLines(query), format));
  } finally {
    await operator.close();
  }
}

function readFormat(text: string): AuditFormat {
  const format = AUDIT_FORMATS.find((known) => known === text);
  if (format !== undefined) return format;
  throw new UserError(
    `--format must be one of ${AUDIT_FORMATS.join(', ')}.${suggestionFor(text, AUDIT_FORMATS)}`,
    EXAMPLE,
  );
}

function readEvent(text: string | undefined): string | undefined {
  const names = Object.keys(AUDIT_EVENTS);
  if (text === undefined || names.includes(text)) return text;
  throw new UserError(
    `--event must be one of ${names.join(', ')}.${suggestionFor(text, names)}`,
    EXAMPLE,
  );
}

function readPerson(text: string, event: string | undefined): Person {
  if (event !== undefined && !PERSON_EVENTS.some((name) => name === event)) {
    throw new UserError(
      `--person searches only the events ${PERSON_EVENTS.join(' and ')}, so it cannot be used with --event ${event}.`,
      'Leave out --event, or leave out --person.',
    );
  }
  const [name, ...rest] = text.split('=');
  const value = rest.join('=');
  const key = PERSON_KEYS.find((known) => known === name);
  if (key === undefined || value === '') {
    throw new UserError(
      `--person must have the form field=value; the fields are ${PERSON_KEYS.join(', ')}.`,
      EXAMPLE,
    );
  }
  if (key === 'ip' && !isAddress(value)) {
    throw new UserError('ip must be an IPv4 or IPv6 address.', EXAMPLE);
  }
  const isNumber = PERSON_FIELDS[key].type === 'UInt64';
  if (!isNumber || readIdentifier(value) !== undefined) return { key, value };
  throw new UserError(`${key} must be a whole number.`, EXAMPLE);
}
