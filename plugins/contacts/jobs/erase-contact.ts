// Erases the rows that the call did not erase: rounds over all plugins, each in its own transaction, until no plugin has rows
// left.
import {
  defineJob,
  type JobRequest,
  type Keyring,
  type PersonIdentifiersOnSide,
  type WorkspaceHandle,
  z,
} from '../../../core/index.ts';

export const eraseJobKind = 'contacts.erase';

const contextOf = (workspaceId: string): string => `contacts.erase:${workspaceId}`;

/** Seals the subjects for a job's payload, which must not contain a readable address. */
export const sealIdentifiers = (
  keyring: Keyring,
  workspaceId: string,
  subjects: readonly PersonIdentifiersOnSide[],
): string =>
  Buffer.from(keyring.seal(Buffer.from(JSON.stringify(subjects)), contextOf(workspaceId))).toString('base64');

const openSubjects = (keyring: Keyring, workspaceId: string, sealed: string): readonly PersonIdentifiersOnSide[] =>
  JSON.parse(
    Buffer.from(keyring.open(Buffer.from(sealed, 'base64'), contextOf(workspaceId))).toString('utf8'),
  ) as readonly PersonIdentifiersOnSide[];

/** A transaction that was open while the contact was deleted may commit rows about the contact afterwards. */
const eraseAgainMs = 150_000;

/** A second erasure, for rows that open transactions wrote. It ignores addresses, because other contacts may have them by then. */
export function eraseAgain(
  keyring: Keyring,
  { workspaceId, sandbox = false }: WorkspaceHandle,
  contactId: string,
  now: number,
): JobRequest {
  const subject = { sandbox, personId: contactId, externalId: null, emails: [] };
  return {
    kind: eraseJobKind,
    payload: { sealed: sealIdentifiers(keyring, workspaceId, [subject]) },
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
      left = await ctx.checkpoint((tx) => personalData.erase(tx, subjects));
    }
    await personalData.sweep(
      { read: (work) => ctx.read(({ trx }) => work(trx)), write: ctx.checkpoint, signal: ctx.signal },
      subjects,
    );
    await ctx.complete();
  },
});
