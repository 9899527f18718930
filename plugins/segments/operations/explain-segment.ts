import { coreErrors, defineOperation, idParameter, z } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { explain, explainedPart } from '../explain.ts';
import { readFacts } from '../facts.ts';
import { listsIn, topicsIn } from '../filter-schema.ts';
import { resolveFilter } from '../named-filters.ts';
import { segmentRows, segments } from '../segments.ts';
import { contactOfSegment } from './fixture-rows.ts';

export const explainSegment = defineOperation({
  id: 'segments.explain',
  summary: 'Explain whether a contact is in a segment',
  description:
    "The filter's tree, each condition with the value that it met, whether it is true, and a sentence for people. Needs lists:read, too.",
  http: 'GET /v1/segments/{segmentId}/contacts/{contactId}',
  tool: 'explain_segment',
  searchWords: ['group', 'belong', 'reason', 'included', 'excluded'],
  scopes: ['contacts:read'],
  idempotency: 'read',
  input: { params: z.object({ segmentId: idParameter('sgm'), contactId: idParameter('con') }) },
  output: z
    .object({
      segmentId: z.string(),
      contactId: z.string(),
      inSegment: z.boolean(),
      sentence: z.string().describe('The whole filter for people.'),
      explanation: explainedPart,
    })
    .meta({ id: 'ExplainedSegment' }),
  errors: ['segment_not_found', 'contact_not_found', 'insufficient_scope'],
  fixture: async (kit) => ({
    params: {
      segmentId: await segments.createExample(kit, kit.workspaceId),
      contactId: await contactOfSegment(kit, kit.workspaceId),
    },
    foreign: {
      params: {
        segmentId: await segments.createExample(kit, kit.foreignWorkspaceId),
        contactId: await contactOfSegment(kit, kit.foreignWorkspaceId),
      },
    },
    errors: {
      insufficient_scope: 'unreachable here: shown in test/plugins/segments.test.ts',
      contact_not_found: async (own) => ({
        params: {
          segmentId: await segments.createExample(own, own.workspaceId),
          contactId: 'con_01ARZ3NDEKTSV4RRFFQ69G5FAV',
        },
      }),
    },
  }),

  async handler(ctx, { params: { segmentId, contactId } }) {
    if (!ctx.holds('lists:read')) throw coreErrors.insufficient_scope({ scopes: ['lists:read'] });
    const row = await segmentRows.find(ctx.trx, segmentId);
    if (row === undefined) throw errors.segment_not_found({ id: segmentId });
    await ctx.services.contacts.find(ctx.trx, { id: contactId });
    const { filter, named } = await resolveFilter(ctx.trx, row.filter);
    const facts = await readFacts(ctx, contactId, filter, named);
    if (facts === undefined) throw errors.segment_not_found({ id: segmentId });
    const names = new Map<string, string>();
    for (const id of listsIn(filter)) names.set(id, (await ctx.services.lists.find(ctx.trx, id))?.name ?? id);
    for (const key of topicsIn(filter)) names.set(key, (await ctx.services.topics.find(ctx.trx, key))?.name ?? key);
    for (const segment of await segmentRows.findIn(ctx.trx, 'id', [...named.keys()]))
      names.set(segment.id, segment.name);
    const explanation = explain(filter, { named, facts, names });
    const { isTrue: inSegment, sentence } = explanation;
    return { segmentId, contactId, inSegment, sentence, explanation };
  },
});
