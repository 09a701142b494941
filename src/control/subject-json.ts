/** Blocked subjects as JSON, on the control socket. */

import * as v from 'valibot';
import { readValue } from '../read-json.ts';
import type { BlockedSubject } from '../store/blocked-subjects.ts';

export const BLOCKED_SUBJECT_JSON = v.object({
  subject: v.string(),
  blocked_at: v.pipe(v.string(), v.isoTimestamp()),
});

type SubjectJson = v.InferOutput<typeof BLOCKED_SUBJECT_JSON>;

export const subjectJson = ({ subject, blockedAt }: BlockedSubject): SubjectJson => ({
  subject,
  blocked_at: blockedAt.toISOString(),
});

export const blockedSubject = ({ subject, blocked_at }: SubjectJson): BlockedSubject => ({
  subject,
  blockedAt: new Date(blocked_at),
});

const SUBJECT = v.strictObject({ subject: v.pipe(v.string(), v.minLength(1)) });

export const readSubject = (body: unknown): string => readValue(SUBJECT, body).subject;
