import { defineOperation, idParameter, z } from '../../../core/index.ts';
import { type BroadcastRow, broadcastRows, broadcasts } from '../broadcasts.ts';
import { checkLimit } from '../draft.ts';
import { errors } from '../errors.ts';
import { resetExperiment } from '../experiments/schema.ts';
import { showBroadcast } from '../transitions.ts';
import { someDraft } from './fixture-rows.ts';

export const duplicateBroadcast = defineOperation({
  id: 'broadcasts.duplicate',
  summary: 'Duplicate a broadcast',
  description:
    'Makes a draft with the content, audience and experiment of a broadcast in any state, without its time and the limit on its audience.',
  http: 'POST /v1/broadcasts/{broadcastId}/duplicate',
  tool: 'duplicate_broadcast',
  scopes: ['broadcasts:write'],
  idempotency: 'replay',
  input: { params: z.object({ broadcastId: idParameter('brc') }) },
  output: broadcasts.item,
  status: 201,
  errors: ['broadcast_not_found', 'limit_reached'],
  audit: { action: 'broadcast.create', target: ({ broadcastId: id }) => ({ kind: 'broadcast', id }) },
  fixture: async (kit) => ({
    params: { broadcastId: await someDraft(kit, kit.workspaceId) },
    foreign: { broadcastId: await someDraft(kit, kit.foreignWorkspaceId) },
    errors: { limit_reached: 'unreachable here: shown in test/plugins/broadcasts.test.ts' },
  }),

  async handler(ctx, { params: { broadcastId: id } }) {
    const row = await broadcastRows.find(ctx.trx, id);
    if (row === undefined) throw errors.broadcast_not_found({ id });
    await checkLimit(ctx);
    const { name, template_key, variables, from, reply_to, topic_key, audience, timezone, pace, utm } = row;
    const copy = {
      ...broadcasts.initial(ctx),
      ...{ template_key, variables, from, reply_to, topic_key, audience, timezone, pace, utm },
      id: ctx.newId('brc'),
      name: `${[...name].slice(0, 193).join('')} (copy)`,
      send_at: null,
      holdout_percent: row.holdout_percent,
      experiment: resetExperiment(row.experiment),
      created_at: ctx.now,
      updated_at: ctx.now,
    };
    return showBroadcast(ctx, await broadcastRows.insert(ctx.trx, copy as BroadcastRow));
  },
});
