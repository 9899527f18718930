import { coreErrors, defineOperation } from '../../../core/index.ts';
import { lockWorkspace } from '../../../core/unstable.ts';
import { draftRow } from '../draft-row.ts';
import { presentSequence } from '../present.ts';
import { checkDraft } from '../publish/check.ts';
import { createBody, maxSequences, sequenceDetail } from '../schema.ts';
import { sequenceHeads, sequenceRows } from '../tables.ts';
import { askingGraph, foreignGraph } from './fixture-rows.ts';

export const createSequence = defineOperation({
  id: 'sequences.create',
  summary: 'Create a sequence',
  description: `A draft: nothing runs before it is published. Nodes and edges may be incomplete until then. Runs begin at the node that no edge leads to. A workspace has at most ${maxSequences} sequences that are not archived.`,
  http: 'POST /v1/sequences',
  tool: 'create_sequence',
  searchWords: ['days', 'after', 'then', 'wait'],
  scopes: ['sequences:write'],
  idempotency: 'replay',
  input: { body: createBody },
  output: sequenceDetail,
  status: 201,
  errors: ['key_taken', 'limit_reached'],
  audit: { action: 'sequence.create', target: ({ id }) => ({ kind: 'sequence', id }) },
  fixture: async (kit) => ({
    body: { key: kit.unique('trial').toLowerCase(), name: 'Trial', ...askingGraph },
    foreign: await foreignGraph(kit),
    errors: {
      async key_taken(own) {
        const key = own.unique('taken').toLowerCase();
        await own.call('sequences.create', { key, name: 'Taken' });
        return { body: { key, name: 'Again' } };
      },
      limit_reached: 'unreachable here: shown in test/plugins/sequences-authoring.test.ts',
    },
  }),

  async handler(ctx, { body: { key: requestedKey, name, ...definition } }) {
    checkDraft(ctx, definition);
    // Two concurrent calls must not exceed the limit, and must not create two sequences with the same key.
    await lockWorkspace(ctx.trx);
    const counts = await Promise.all(
      (['draft', 'published', 'paused'] as const).map((status) =>
        sequenceHeads.count(ctx.trx, { status }, maxSequences),
      ),
    );
    if (counts.reduce((sum, one) => sum + one, 0) >= maxSequences)
      throw coreErrors.limit_reached({ limit: maxSequences, resources: 'sequences' });
    const id = ctx.newId('seq');
    const key = requestedKey ?? `untitled_${id.slice(-8).toLowerCase()}`;
    if ((await sequenceHeads.findBy(ctx.trx, { key })) !== undefined)
      throw coreErrors.key_taken({ key, resource: 'sequence', optional: true, change: `PATCH /v1/sequences/${key}` });
    const row = draftRow({ id, key, name, source: 'api', definition, now: ctx.now });
    await sequenceRows.insert(ctx.trx, row);
    const { nodes, edges, settings } = definition;
    return { ...presentSequence(row), nodes, edges, settings };
  },
});
