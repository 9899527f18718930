// The value of `jobs.subject` for a person: an id, or a hashed address. An erasure finds the jobs of the person by this value.
// Called by all writers of jobs, and by the erasure. Pure.
import { hash } from 'node:crypto';
import { normaliseAddress } from '../contract/values/addresses.ts';

const idFormat = /^[a-z]+_[0-9A-HJKMNP-TV-Z]{26}$/;

/** The latest result: the jobs of one call are mostly about the same person. */
let cached = { workspaceId: '', subject: '', value: '' };

/** An id stays as it is; an address, or any other text, becomes a hash that differs between workspaces. */
export function jobSubject(workspaceId: string, subject: string): string {
  if (cached.subject === subject && cached.workspaceId === workspaceId) return cached.value;
  if (idFormat.test(subject)) return subject;
  const name = subject.includes('@') ? normaliseAddress(subject) : subject;
  const value = `@${hash('sha256', `${workspaceId}\n${name}`, 'base64url').slice(0, 32)}`;
  cached = { workspaceId, subject, value };
  return value;
}
