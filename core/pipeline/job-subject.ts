// The person that a job's row belongs to, in the form of its column: an erasure finds the jobs of a person by it.
// Called by all writers of jobs, and by the erasure. Pure.
import { hash } from 'node:crypto';
import { normaliseAddress } from '../contract/addresses.ts';

const idForm = /^[a-z]+_[0-9A-HJKMNP-TV-Z]{26}$/;

/** The latest subject and its column: the jobs of one call are mostly about the same person. */
let latest = { workspaceId: '', subject: '', column: '' };

/** An id stays as it is; an address, or any other text, becomes a hash that differs between workspaces. */
export function jobSubject(workspaceId: string, subject: string): string {
  if (latest.subject === subject && latest.workspaceId === workspaceId) return latest.column;
  if (idForm.test(subject)) return subject;
  const name = subject.includes('@') ? normaliseAddress(subject) : subject;
  const column = `@${hash('sha256', `${workspaceId}\n${name}`, 'base64url').slice(0, 32)}`;
  latest = { workspaceId, subject, column };
  return column;
}
