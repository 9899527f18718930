import { coreErrors, defineOperation, idParameter, z } from '../../../core/index.ts';
import { type BroadcastRow, broadcastRows, broadcasts } from '../broadcasts.ts';
import { decidable, storeDecision } from '../experiments/decide.ts';
import { type Experiment, variantName } from '../experiments/schema.ts';
import { readSample } from '../experiments/store.ts';
import { requireVariant } from '../experiments/variants.ts';
import { enqueueAdvance, lockBroadcast, requireState, showBroadcast } from '../transitions.ts';
import { someDraft, someSampling } from './fixture-rows.ts';

/** @throws state_conflict if nothing is left to decide */
function undecidedExperiment(row: BroadcastRow): Experiment {
  const { experiment } = row;
  if (experiment === null) throw coreErrors.state_conflict({ reason: 'The broadcast has no experiment.' });
  requireState(row, decidable, 'decided');
  if (experiment.status !== 'sampling')
    throw coreErrors.state_conflict({ reason: 'The experiment is decided already.' });
  return experiment;
}

export const decideExperiment = defineOperation({
  id: 'broadcasts.decide',
  summary: 'Decide the experiment of a broadcast',
  description:
    'Ends the experiment by hand, before the rule decides: everybody outside of the sample gets this variant. The recipients of the sample keep their variants.',
  http: 'POST /v1/broadcasts/{broadcastId}/decide',
  tool: { name: 'decide_broadcast_experiment', openWorld: true },
  searchWords: ['winner', 'variant', 'choose'],
  scopes: ['broadcasts:send'],
  idempotency: 'replay',
  input: {
    params: z.object({ broadcastId: idParameter('brc') }),
    body: z.object({ variant: variantName.describe('The variant for everybody outside of the sample.') }),
  },
  output: broadcasts.item,
  errors: ['broadcast_not_found', 'state_conflict'],
  emits: ['broadcast.sent', 'broadcast.paused', 'send.queued', 'budget.reached'],
  audit: { action: 'broadcast.decide', target: ({ broadcastId: id }) => ({ kind: 'broadcast', id }) },
  fixture: async (kit) => ({
    params: { broadcastId: await someSampling(kit, kit.workspaceId) },
    body: { variant: 'B' },
    foreign: { params: { broadcastId: await someSampling(kit, kit.foreignWorkspaceId) } },
    errors: { state_conflict: async (own) => ({ params: { broadcastId: await someDraft(own, own.workspaceId) } }) },
  }),

  // Counts a large sample before the row is locked.
  async computeBefore({ read }, { params: { broadcastId: id } }) {
    return read(async ({ trx }) => {
      const row = await broadcastRows.find(trx, id);
      if (row?.experiment?.status !== 'sampling') return undefined;
      return { version: row.version, sample: await readSample(trx, id, row.experiment) };
    });
  },

  async handler(ctx, { params: { broadcastId: id }, body: { variant } }, counted) {
    const row = await lockBroadcast(ctx, id);
    const experiment = undecidedExperiment(row);
    requireVariant(row, variant);
    const sample = counted?.version === row.version ? counted.sample : await readSample(ctx.trx, id, experiment);
    const decided = await storeDecision(ctx, row, experiment, sample, variant);
    if (decided.status === 'sending') enqueueAdvance(ctx, id);
    ctx.note({ variant });
    return showBroadcast(ctx, decided);
  },
});
