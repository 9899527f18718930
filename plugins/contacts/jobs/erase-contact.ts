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
import { repeatInTurns } from '../../../core/unstable.ts';

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

/** The time after which erasing is repeated: a transaction that was open during the deletion may commit rows about the contact later. */
const eraseAgainMs = 150_000;

/** Erases a second time, for rows that open transactions wrote. Ignores addresses, because they may belong to other contacts by then. */
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
    const eraseSome = async () => (await ctx.checkpoint((tx) => personalData.erase(tx, subjects))) === 'more';
    if (!(await repeatInTurns(ctx, eraseSome))) return;
    await personalData.sweep(
      { read: (work) => ctx.read(({ trx }) => work(trx)), write: ctx.checkpoint, signal: ctx.signal },
      subjects,
    );
    await ctx.complete();
  },
});
