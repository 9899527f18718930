import { collectReferences, defineOperation, idParameter, type Reference, z } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { segmentsNaming } from '../named-filters.ts';
import { segmentRows, segments } from '../segments.ts';

export const deleteSegment = defineOperation({
  id: 'segments.delete',
  summary: 'Delete a segment',
  description:
    'Deletes the segment; its contacts stay. Refused while a published sequence, a broadcast that is not final or another segment names it.',
  http: 'DELETE /v1/segments/{segmentId}',
  tool: { name: 'delete_segment', destructive: true },
  scopes: ['lists:write'],
  liveOnly: true,
  retryOnConflict: true,
  idempotency: 'natural',
  input: { params: z.object({ segmentId: idParameter('sgm') }) },
  output: z.object({ segmentId: z.string(), deleted: z.literal(true) }),
  errors: ['segment_not_found', 'segment_in_use'],
  audit: { action: 'segment.delete', target: ({ segmentId }) => ({ kind: 'segment', id: segmentId }) },
  fixture: async (kit) => ({
    params: { segmentId: await segments.createExample(kit, kit.workspaceId) },
    foreign: { segmentId: await segments.createExample(kit, kit.foreignWorkspaceId) },
    errors: {
      segment_in_use: async () => {
        const segmentId = await segments.createExample(kit, kit.workspaceId);
        await kit.call('segments.create', { name: kit.unique('Upper'), filter: { segment: segmentId } });
        return { params: { segmentId } };
      },
    },
  }),

  async handler(ctx, { params: { segmentId } }) {
    // Every transaction that begins to use the segment also locks it, so no user is added meanwhile.
    const row = await segmentRows.lock(ctx.trx, segmentId);
    if (row === undefined) throw errors.segment_not_found({ id: segmentId });
    const outerSegments = (await segmentsNaming(ctx.trx, segmentId)).map(
      ({ name }): Reference => ({ kind: 'segment', name }),
    );
    const users = [...(await collectReferences(ctx, 'segments.references', segmentId)), ...outerSegments].slice(0, 20);
    if (users.length > 0) throw errors.segment_in_use({ id: segmentId, users });
    await segmentRows.remove(ctx.trx, segmentId);
    await ctx.services.segments.updateWatches(ctx);
    return { segmentId, deleted: true as const };
  },
});
