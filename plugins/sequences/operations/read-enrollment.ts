import { defineOperation, type FixtureKit, idParameter, z } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { findHead } from '../find-sequence.ts';
import { presentEnrollment } from '../present.ts';
import { enrollmentResource, keyOrId } from '../schema.ts';
import { enrollmentRows } from '../tables.ts';
import { skippedOf } from '../tallies.ts';
import { someList, someSequence } from './fixture-rows.ts';

async function someEnrollment(kit: FixtureKit, workspaceId: string) {
  const key = await someSequence(kit, workspaceId);
  const listId = await someList(kit, workspaceId);
  const { enrollmentId } = await kit.call('sequences.enroll_list', { keyOrId: key, listId }, workspaceId);
  return { keyOrId: key, enrollmentId: String(enrollmentId) };
}

export const readEnrollment = defineOperation({
  id: 'sequences.enrollment_read',
  summary: 'Read the enrolment of a list',
  description: 'Its progress, while it runs and after. Kept as long as runs are.',
  http: 'GET /v1/sequences/{keyOrId}/enrollments/{enrollmentId}',
  tool: 'read_sequence_enrollment',
  scopes: ['sequences:read'],
  idempotency: 'read',
  input: { params: z.object({ keyOrId, enrollmentId: idParameter('enr') }) },
  output: enrollmentResource,
  errors: ['sequence_not_found', 'enrollment_not_found'],
  fixture: async (kit) => ({
    params: await someEnrollment(kit, kit.workspaceId),
    foreign: await someEnrollment(kit, kit.foreignWorkspaceId),
    errors: {
      enrollment_not_found: async (own) => ({
        params: {
          keyOrId: await someSequence(own, own.workspaceId),
          enrollmentId: 'enr_01ARZ3NDEKTSV4RRFFQ69G5FAV',
        },
      }),
    },
  }),

  async handler(ctx, { params: { keyOrId: key, enrollmentId: id } }) {
    const { id: sequence_id } = await findHead(ctx.trx, key);
    const row = await enrollmentRows.findBy(ctx.trx, { id, sequence_id });
    if (row === undefined) throw errors.enrollment_not_found({ id });
    return presentEnrollment(row, await skippedOf(ctx.trx, sequence_id, id));
  },
});
