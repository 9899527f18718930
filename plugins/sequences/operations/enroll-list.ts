import { defineOperation, idParameter, z } from '../../../core/index.ts';
import { versionFor } from '../enroll-contact.ts';
import { findSequence } from '../find-sequence.ts';
import { enrollListKind } from '../jobs/kinds.ts';
import { presentEnrollment } from '../present.ts';
import { enrollmentResource, keyOrId, runVariables } from '../schema.ts';
import { countConfirmed, disallowedConfirmedDomain } from '../store.ts';
import { type EnrollmentRow, enrollmentRows } from '../tables.ts';
import { someDraft, someList, someSequence } from './fixture-rows.ts';

const elsewhere = 'unreachable here: shown in test/plugins/sequences-enroll.test.ts' as const;

export const enrollList = defineOperation({
  id: 'sequences.enroll_list',
  summary: 'Enrol a list in a sequence',
  description:
    'Enrols the confirmed members of a list in the background, behind all other work; read the enrolment for its progress. Pausing or archiving the sequence cancels it: contacts that were enrolled stay enrolled.',
  http: 'POST /v1/sequences/{keyOrId}/enrollments',
  tool: { name: 'enroll_list_in_sequence', openWorld: true },
  scopes: ['sequences:trigger', 'flows:enroll'],
  idempotency: 'replay',
  input: {
    params: z.object({ keyOrId }),
    body: z.object({ listId: idParameter('lst'), variables: runVariables.default({}) }),
  },
  output: enrollmentResource,
  status: 202,
  errors: ['sequence_not_found', 'sequence_not_published', 'sequence_invalid', 'list_not_found', 'variables_invalid'],
  emits: ['sequence_run.enrolled'],
  leash: {
    recipients: (ctx, { body }) => countConfirmed(ctx.trx, body.listId),
    disallowedRecipient: (ctx, { body }, allowed) => disallowedConfirmedDomain(ctx.trx, body.listId, allowed),
  },
  audit: {
    action: 'sequence.enroll_list',
    target: ({ enrollmentId }) => ({ kind: 'sequence_enrollment', id: enrollmentId }),
  },
  fixture: async (kit) => ({
    params: { keyOrId: await someSequence(kit, kit.workspaceId) },
    body: { listId: await someList(kit, kit.workspaceId) },
    foreign: {
      params: { keyOrId: await someSequence(kit, kit.foreignWorkspaceId) },
      body: { listId: await someList(kit, kit.foreignWorkspaceId) },
    },
    errors: {
      sequence_not_published: async (own) => ({ params: { keyOrId: await someDraft(own, own.workspaceId) } }),
      sequence_invalid: elsewhere,
      variables_invalid: elsewhere,
    },
  }),

  async handler(ctx, { params, body: { listId, variables } }) {
    const sequence = await findSequence(ctx.trx, params.keyOrId);
    const { lists } = ctx.services;
    if ((await lists.find(ctx.trx, listId)) === undefined) throw lists.notFound(listId);
    const version = await versionFor(ctx, sequence);
    const row: EnrollmentRow = {
      id: ctx.newId('enr'),
      sequence_id: sequence.id,
      list_id: listId,
      version_id: version.id,
      status: 'running',
      variables: version.accept(variables),
      total: ctx.leash?.recipients ?? (await countConfirmed(ctx.trx, listId)),
      at_most: ctx.leash === undefined ? null : ctx.leash.recipients,
      enrolled: 0,
      already_enrolled: 0,
      error: null,
      after_contact: null,
      created_at: ctx.now,
      finished_at: null,
    };
    await enrollmentRows.insert(ctx.trx, row);
    ctx.enqueue({ kind: enrollListKind, payload: { enrollmentId: row.id }, key: row.id });
    ctx.note({ sequence: sequence.key, list: listId, total: row.total });
    return presentEnrollment(row, {});
  },
});
