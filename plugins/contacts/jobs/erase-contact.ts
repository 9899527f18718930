// What is left to erase of a contact: round after round, each a transaction of its own, until nobody has more.
import type { DataSubject, JobRequest, Keyring } from '../../../core/index.ts';
import { defineJob, z } from '../../../core/index.ts';

export const eraseJobKind = 'contacts.erase';

const contextOf = (workspaceId: string): string => `contacts.erase:${workspaceId}`;

/** The person as a job may carry them: nobody reads an address out of a job. */
export const sealSubject = (keyring: Keyring, workspaceId: string, subject: DataSubject): string =>
  Buffer.from(keyring.seal(Buffer.from(JSON.stringify(subject)), contextOf(workspaceId))).toString('base64');

const openSubject = (keyring: Keyring, workspaceId: string, sealed: string): DataSubject =>
  JSON.parse(
    Buffer.from(keyring.open(Buffer.from(sealed, 'base64'), contextOf(workspaceId))).toString('utf8'),
  ) as DataSubject;

/** A transaction that was open while the contact was deleted may commit something about it later. */
const eraseAgainMs = 150_000;

/** A second erasure, for what open transactions still wrote. It leaves out addresses, which others may have by then. */
export const eraseAgain = (keyring: Keyring, workspaceId: string, contactId: string, now: number): JobRequest => ({
  kind: eraseJobKind,
  payload: { sealed: sealSubject(keyring, workspaceId, { personId: contactId, externalId: null, emails: [] }) },
  runAt: now + eraseAgainMs,
});

export const eraseContactJob = defineJob({
  kind: eraseJobKind,
  payload: z.object({ sealed: z.string() }),
  lane: 'normal',
  timeoutMs: 600_000,

  async handler(ctx, { sealed }) {
    const { personalData, keyring } = ctx.ports;
    const subject = openSubject(keyring, ctx.workspace.id, sealed);
    let left: 'done' | 'more' = 'more';
    while (left === 'more') {
      ctx.signal.throwIfAborted();
      left = await ctx.checkpoint((effects) => personalData.erase(effects, subject));
    }
    await personalData.sweep({ read: ctx.read, write: ctx.checkpoint, signal: ctx.signal }, subject);
    await ctx.complete();
  },
});
