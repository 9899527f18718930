// Whose a job is, as its row says it: by this an erasure finds the jobs of a person. Called wherever jobs are written, and
// by the erasure. Pure.
import { hash } from 'node:crypto';
import { normaliseAddress } from '../contract/addresses.ts';

const idForm = /^[a-z]+_[0-9A-HJKMNP-TV-Z]{26}$/;

/** An id as it is; an address, or anything else, as a hash that is another one in every workspace. */
export function jobSubject(workspaceId: string, subject: string): string {
  if (idForm.test(subject)) return subject;
  const name = subject.includes('@') ? normaliseAddress(subject) : subject;
  return `@${hash('sha256', `${workspaceId}\n${name}`, 'base64url').slice(0, 32)}`;
}
