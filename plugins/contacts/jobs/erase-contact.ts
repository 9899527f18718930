// What is left to erase of a contact: round after round, each a transaction of its own, until nobody has more.
import type { JobRequest, Keyring, SidedSubject, WorkspaceHandle } from '../../../core/index.ts';
import { defineJob, z } from '../../../core/index.ts';

export const eraseJobKind = 'contacts.erase';

const contextOf = (workspaceId: string): string => `contacts.erase:${workspaceId}`;

/** The person as a job may carry them: an address is not legible in a job. */
export const sealSubjects = (keyring: Keyring, workspaceId: string, subjects: readonly SidedSubject[]): string =>
  Buffer.from(keyring.seal(Buffer.from(JSON.stringify(subjects)), contextOf(workspaceId))).toString('base64');

const openSubjects = (keyring: Keyring, workspaceId: string, sealed: string): readonly SidedSubject[] =>
  JSON.parse(
    Buffer.from(keyring.open(Buffer.from(sealed, 'base64'), contextOf(workspaceId))).toString('utf8'),
  ) as readonly SidedSubject[];

/** A transaction that was open while the contact was deleted may commit something about it later. */
const eraseAgainMs = 150_000;

/** A second erasure, for what open transactions still wrote. It leaves out addresses, which others may have by then. */
export function eraseAgain(
  keyring: Keyring,
  { workspaceId, sandbox = false }: WorkspaceHandle,
  contactId: string,
  now: number,
): JobRequest {
  const subject = { sandbox, personId: contactId, externalId: null, emails: [] };
  return {
    kind: eraseJobKind,
    payload: { sealed: sealSubjects(keyring, workspaceId, [subject]) },
    runAt: now + eraseAgainMs,
  };
}

export const eraseContactJob = defineJob({
  kind: eraseJobKind,
  payload: z.object({ sealed: z.string() }),
  lane: 'normal',
  timeoutMs: 600_000,

  async handler(ctx, { sealed }) {
    const { personalData, keyring } = ctx.ports;
    const subjects = openSubjects(keyring, ctx.workspace.id, sealed);
    let left: 'done' | 'more' = 'more';
    while (left === 'more') {
      ctx.signal.throwIfAborted();
      left = await ctx.checkpoint((effects) => personalData.erase(effects, subjects));
    }
    await personalData.sweep({ read: ctx.read, write: ctx.checkpoint, signal: ctx.signal }, subjects);
    await ctx.complete();
  },
});
