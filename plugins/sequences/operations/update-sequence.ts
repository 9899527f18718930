import { coreErrors, defineOperation, z } from '../../../core/index.ts';
import { checkValue, faultSummary } from '../../../core/unstable.ts';
import { sequenceSettings } from '../definition/schema.ts';
import { definitionColumns } from '../draft-row.ts';
import { lockSequence } from '../find-sequence.ts';
import { sequenceKindId } from '../kind-id.ts';
import { showSequence } from '../present.ts';
import { checkDraft } from '../publish/check.ts';
import { refuseCodeSequence } from '../publish/states.ts';
import { keyOrId, sequenceDetail, updateBody } from '../schema.ts';
import { sequenceRows, versionRows } from '../tables.ts';
import { hashOf } from '../versions.ts';
import { foreignGraph, someArchived, someDraft } from './fixture-rows.ts';

/** The settings as a part of the body, so that the paths of their faults begin with `settings`. */
const mergedSettings = z.object({ settings: sequenceSettings });

export const updateSequence = defineOperation({
  id: 'sequences.update',
  summary: 'Change a sequence',
  description:
    'Changes the working copy; the published version stays until the next publish, and a publish that waits for approval is withdrawn. Fields that are left out stay unchanged; nodes and edges are replaced as a whole, settings are merged.',
  http: 'PATCH /v1/sequences/{keyOrId}',
  tool: 'update_sequence',
  scopes: ['sequences:write'],
  idempotency: 'replay',
  input: { params: z.object({ keyOrId }), body: updateBody },
  output: sequenceDetail,
  errors: ['sequence_not_found', 'state_conflict'],
  emits: ['approval.decided'],
  audit: { action: 'sequence.update', target: ({ id }) => ({ kind: 'sequence', id }) },
  fixture: async (kit) => ({
    params: { keyOrId: await someDraft(kit, kit.workspaceId) },
    body: { name: 'Trial, second try', settings: { quietHours: { from: '21:00', to: '08:00' } } },
    foreign: { params: { keyOrId: await someDraft(kit, kit.foreignWorkspaceId) }, ...(await foreignGraph(kit)) },
    errors: {
      state_conflict: async (own) => ({ params: { keyOrId: await someArchived(own, own.workspaceId) } }),
    },
  }),

  async handler(ctx, { params, body }) {
    const row = await lockSequence(ctx.trx, params.keyOrId);
    refuseCodeSequence(row);
    if (row.status === 'archived')
      throw coreErrors.state_conflict({ reason: `The sequence ${row.key} is archived and cannot be changed.` });
    const { name = row.name, settings: changes, ...replacedFields } = body;
    const settingEntries = Object.entries({ ...row.definition.settings, ...changes }).filter(
      ([, value]) => value !== null,
    );
    const checked = checkValue(mergedSettings, { settings: Object.fromEntries(settingEntries) });
    if (!checked.ok)
      throw coreErrors.validation_failed({ summary: faultSummary(checked.faults) }, { details: checked.faults });
    const definition = {
      trigger: replacedFields.trigger ?? row.definition.trigger,
      nodes: replacedFields.nodes ?? row.definition.nodes,
      edges: replacedFields.edges ?? row.definition.edges,
      settings: checked.data.settings,
    };
    checkDraft(ctx, definition);
    const published = row.version_id === null ? undefined : await versionRows.find(ctx.trx, row.version_id);
    const updated = await sequenceRows.change(ctx.trx, row, {
      name,
      ...definitionColumns(definition),
      draft: published?.hash !== hashOf(definition),
      updated_at: ctx.now,
    });
    if (hashOf(row.definition) !== hashOf(definition)) await ctx.contentChanged(sequenceKindId, [row.id]);
    const { nodes, edges, settings } = definition;
    return { ...(await showSequence(ctx, updated)), nodes, edges, settings };
  },
});
