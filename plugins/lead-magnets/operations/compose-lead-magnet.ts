import { coreErrors, defineOperation, z } from '../../../core/index.ts';
import { startBuild } from '../building/start-build.ts';
import { briefOf } from '../create.ts';
import { errors } from '../errors.ts';
import { showLeadMagnet } from '../present.ts';
import { brief, composePrice, leadMagnetResource, params } from '../schema.ts';
import { checkNotBuilding } from '../states.ts';
import { leadMagnetRows } from '../tables.ts';
import { queuedOne, someDraft } from './fixture-rows.ts';

export const composeLeadMagnet = defineOperation({
  id: 'lead_magnets.compose',
  summary: 'Compose a lead magnet',
  description: `Starts writing the chapters from the brief and returns at once. The status is queued, or building if there already is a text. That text stays until the new text is ready (event lead_magnet.ready), and also if the build fails (lead_magnet.failed). It replaces all chapters; the title stays. Costs ${composePrice} credits, refunded if the build fails.`,
  http: 'POST /v1/lead-magnets/{id}/compose',
  tool: 'compose_lead_magnet',
  scopes: ['pages:write'],
  idempotency: 'replay',
  input: {
    params,
    body: z.object({
      brief: brief.optional().describe('Replaces the brief. Required if there is none yet.'),
      tone: z.string().trim().min(1).max(200).optional().describe('Such as calm and plain.'),
    }),
  },
  output: leadMagnetResource,
  status: 202,
  errors: ['lead_magnet_not_found', 'state_conflict', 'credits_exhausted'],
  emits: ['lead_magnet.ready', 'lead_magnet.failed', 'budget.reached'],
  audit: { action: 'lead_magnet.compose', target: ({ id }) => ({ kind: 'lead_magnet', id }) },
  fixture: async (kit) => ({
    params: { id: await someDraft(kit, kit.workspaceId) },
    body: { tone: 'warm and plain' },
    foreign: { id: await someDraft(kit, kit.foreignWorkspaceId) },
    errors: {
      state_conflict: async (own) => ({ params: { id: await queuedOne(own, own.workspaceId) } }),
      credits_exhausted: 'unreachable here: shown in test/plugins/lead-magnets.test.ts',
    },
  }),

  async handler(ctx, { params: { id }, body }) {
    const row = await leadMagnetRows.lock(ctx.trx, id);
    if (row === undefined) throw errors.lead_magnet_not_found({ id });
    checkNotBuilding(row);
    const usedBrief = briefOf(body.brief) ?? row.brief;
    if (usedBrief === null) {
      const message = 'There is no brief yet. Describe the subject and the readers.';
      const details = [{ path: 'brief', code: 'required', message }];
      throw coreErrors.validation_failed({ summary: `brief: ${message}` }, { details });
    }
    const started = await startBuild(ctx, row, { brief: usedBrief, tone: body.tone ?? null });
    const changes = { ...started, brief: usedBrief, updated_at: ctx.now };
    return showLeadMagnet(ctx, await leadMagnetRows.change(ctx.trx, row, changes));
  },
});
