import { defineOperation, z } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { showCurrent } from '../following/lost-objects.ts';
import { creationParams, creationView } from '../schema.ts';
import { creationRows } from '../tables.ts';
import { someCreation } from './fixture-rows.ts';

export const readCreation = defineOperation({
  id: 'creations.read',
  summary: 'Read a creation',
  description:
    'A campaign. With detail=full, it has the strategy, and every item with the draft that was built for it; otherwise the items are counted by status.',
  http: 'GET /v1/creations/{creationId}',
  tool: 'read_creation',
  scopes: ['campaigns:read'],
  idempotency: 'read',
  input: {
    params: creationParams,
    query: z.object({ detail: z.enum(['summary', 'full']).default('summary') }),
  },
  output: creationView,
  errors: ['creation_not_found'],
  fixture: async (kit) => ({
    params: { creationId: await someCreation(kit, kit.workspaceId) },
    query: { detail: 'full' },
    foreign: { creationId: await someCreation(kit, kit.foreignWorkspaceId) },
  }),

  async handler(ctx, { params: { creationId: id }, query: { detail } }) {
    const row = await creationRows.find(ctx.trx, id);
    if (row === undefined) throw errors.creation_not_found({ id });
    return showCurrent(ctx, row, detail);
  },
});
