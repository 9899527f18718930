import { defineOperation, z } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { findSequence } from '../find-sequence.ts';
import { graphOf } from '../graph/index.ts';
import { withResourceNames } from '../graph/named-ids.ts';
import { showSequence } from '../present.ts';
import { keyOrId, sequenceDetail } from '../schema.ts';
import { versionRows } from '../tables.ts';
import { countsOf, wholeSequence } from '../tallies.ts';
import { someSequence } from './fixture-rows.ts';

export const readSequence = defineOperation({
  id: 'sequences.read',
  summary: 'Read a sequence',
  description:
    "Its working copy, or with version a published one. stats=true adds how often each node was reached on the caller's side, graph=mermaid or graph=svg a picture.",
  http: 'GET /v1/sequences/{keyOrId}',
  tool: 'read_sequence',
  scopes: ['sequences:read'],
  idempotency: 'read',
  input: {
    params: z.object({ keyOrId }),
    query: z.object({
      version: z.coerce.number().int().min(1).optional().describe('A published version. (Default: the working copy)'),
      stats: z.stringbool().default(false),
      graph: z.enum(['mermaid', 'svg']).optional(),
    }),
  },
  output: sequenceDetail,
  errors: ['sequence_not_found'],
  fixture: async (kit) => ({
    params: { keyOrId: await someSequence(kit, kit.workspaceId) },
    query: { graph: 'mermaid' },
    foreign: { keyOrId: await someSequence(kit, kit.foreignWorkspaceId) },
  }),

  async handler(ctx, { params, query: { version, stats, graph } }) {
    const row = await findSequence(ctx.trx, params.keyOrId);
    const where = { sequence_id: row.id, version: version ?? 0 };
    const published = version === undefined ? undefined : await versionRows.findBy(ctx.trx, where);
    if (version !== undefined && published === undefined)
      throw errors.sequence_not_found({ id: `${params.keyOrId}, version ${version}` });
    const definition = published?.definition ?? row.definition;
    const { trigger, nodes, edges, settings } = definition;
    const counts = stats ? await countsOf(ctx.trx, row.id) : undefined;
    const statsOf = (id: string) => {
      const { reached = 0, waiting = 0, reasons: skipped = {}, failed = 0 } = counts?.get(id) ?? {};
      return { reached, waiting, skipped, failed };
    };
    counts?.delete(wholeSequence);
    return {
      ...(await showSequence(ctx, row)),
      trigger,
      nodeCount: nodes.length,
      edgeCount: edges.length,
      nodes,
      edges,
      settings,
      ...(stats ? { stats: Object.fromEntries(nodes.map(({ id }) => [id, statsOf(id)])) } : {}),
      ...(graph === undefined
        ? {}
        : {
            graph: graphOf(
              await withResourceNames(ctx, definition),
              graph,
              counts === undefined ? {} : { stats: Object.fromEntries(counts) },
            ),
          }),
    };
  },
});
