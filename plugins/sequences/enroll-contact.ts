// Enrols one contact by a call, into the published version. Sandbox keys may also enrol into the draft.
import { coreErrors, type OperationContext, personReference, type ReadContext, z } from '../../core/index.ts';
import { outsideDomain } from '../../core/unstable.ts';
import { unpublishedReason } from './code/waiting.ts';
import { enterSequence, maxEntriesADay } from './engine/enter-sequence.ts';
import { errors } from './errors.ts';
import { findSequence } from './find-sequence.ts';
import { showRun } from './present.ts';
import { checkVersion } from './publish/check.ts';
import { grantedScopes } from './publish/permissions.ts';
import { enrolledRun, runVariables } from './schema.ts';
import { runRows, type SequenceRow, sequenceHeads } from './tables.ts';
import { findOrCreateVersion, type LoadedVersion, registerInterests } from './versions.ts';

export const enrollBody = z.object({
  contact: z
    .strictObject(personReference)
    .describe(
      'The contact. All fields must identify the same contact; external_id takes precedence over email, and email over id.',
    ),
  variables: runVariables.default({}).describe('Checked against the contract in the settings; at most 16 KB as JSON.'),
});

interface EnrollInput {
  readonly body: z.output<typeof enrollBody>;
}

/** The parts of the declaration that both enrolling operations share. */
export const enrollDeclaration = {
  scopes: ['sequences:trigger', 'flows:enroll'],
  idempotency: 'replay',
  output: enrolledRun,
  status: 201,
  retryOnConflict: true,
  errors: [
    'sequence_not_found',
    'sequence_not_published',
    'sequence_invalid',
    'contact_required',
    'contact_not_found',
    'variables_invalid',
    'limit_reached',
    'state_conflict',
  ],
  emits: [
    'sequence_run.enrolled',
    'sequence_run.completed',
    'sequence_run.exited',
    'sequence_run.failed',
    'contact.created',
    'contact.updated',
  ],
  leash: {
    recipients: () => 1,
    disallowedRecipient: async (ctx: ReadContext, { body: { contact } }: EnrollInput, allowed: readonly string[]) =>
      outsideDomain(await ctx.services.contacts.addressesOf(ctx.trx, contact), allowed),
  },
  audit: {
    action: 'sequence_run.enroll',
    target: ({ runId }: { runId: string }) => ({ kind: 'sequence_run', id: runId }),
  },
} as const;

/** The version that a call may use. @throws sequence_not_published, sequence_invalid if a draft cannot run */
export async function versionFor(ctx: OperationContext, row: SequenceRow): Promise<LoadedVersion> {
  const { sequenceVersions } = ctx.services;
  if (row.status === 'published' && row.version_id !== null) return sequenceVersions.load(ctx.trx, row.version_id);
  if (row.status !== 'draft' || !ctx.sandbox) {
    const reason = await unpublishedReason(ctx, row);
    throw errors.sequence_not_published({
      key: row.key,
      status: row.status,
      ...(reason === undefined ? {} : { waits: reason }),
    });
  }
  await checkVersion(ctx, row.key, row.definition);
  // The lock prevents another transaction from removing the event interest of this version meanwhile.
  await sequenceHeads.findBy(ctx.trx, { id: row.id }, 'share');
  const { definition } = row;
  const stored = await findOrCreateVersion(ctx, {
    sequence_id: row.id,
    version: 0,
    definition,
    scopes: grantedScopes(ctx, definition),
  });
  const version = await sequenceVersions.load(ctx.trx, stored.id);
  await registerInterests(ctx.trx, version, [true]);
  return version;
}

/** @throws the errors in `enrolling.errors` */
export async function enrollContact(ctx: OperationContext, keyOrId: string, body: z.output<typeof enrollBody>) {
  const { contacts } = ctx.services;
  const sequence = await findSequence(ctx.trx, keyOrId);
  const version = await versionFor(ctx, sequence);
  const variables = version.accept(body.variables);
  const resolved = await contacts.resolve(ctx, body.contact, { create: true, rename: ctx.holds('contacts:write') });
  ctx.note({ ...contacts.notesOf(resolved), sequence: sequence.key });
  const contactList = await contacts.read(ctx.trx, [resolved.id]);
  const entry = (await enterSequence(ctx, { sequence, version, variables }, contactList)).get(resolved.id);
  if (entry?.kind === 'enrolled') return showRun(ctx, entry.run);
  if (entry?.kind !== 'already')
    throw coreErrors.limit_reached({ limit: maxEntriesADay, resources: 'entries of this contact in 24 hours' });
  // Read with a lock, because on MySQL a plain read does not see the run if the caller's transaction began before it.
  const run = entry.runId === undefined ? undefined : await runRows.findBy(ctx.trx, { id: entry.runId }, 'share');
  if (run === undefined)
    throw coreErrors.state_conflict({
      reason: 'The contact has been in this sequence before, and may enter only once. Its earlier run was deleted.',
    });
  return { ...(await showRun(ctx, run)), alreadyEnrolled: true as const };
}
