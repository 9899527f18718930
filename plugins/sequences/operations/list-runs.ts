import { decodeCursor, defineOperation, idParameter, listOf, pageQuery, toPage, z } from '../../../core/index.ts';
import { findHead } from '../find-sequence.ts';
import { presentRun } from '../present.ts';
import { keyOrId, runStatus, runSummary } from '../schema.ts';
import { runRows } from '../tables.ts';
import { foreignContact, someRunOf, someSequence } from './fixture-rows.ts';

export const listRuns = defineOperation({
  id: 'sequences.runs',
  summary: 'List the runs of a sequence',
  description: "Newest first, on the caller's side, without their steps.",
  http: 'GET /v1/sequences/{keyOrId}/runs',
  tool: 'list_sequence_runs',
  scopes: ['sequences:read'],
  idempotency: 'read',
  input: {
    params: z.object({ keyOrId }),
    query: z.object({
      ...pageQuery,
      status: runStatus.optional().describe('Only runs of this status.'),
      contactId: idParameter('con').optional().describe('Prefix con_; only runs of this contact.'),
    }),
  },
  output: listOf(runSummary),
  errors: ['cursor_invalid', 'sequence_not_found'],
  fixture: async (kit) => ({
    params: { keyOrId: await someSequence(kit, kit.workspaceId) },
    foreign: {
      params: { keyOrId: await someSequence(kit, kit.foreignWorkspaceId) },
      query: { contactId: String((await foreignContact(kit)).contact.id) },
    },
  }),
  exampleRow: (kit, workspaceId, params) => someRunOf(kit, workspaceId, String(params['keyOrId'])),

  async handler(ctx, { params, query: { cursor, limit, status, contactId } }) {
    const { id, key } = await findHead(ctx.trx, params.keyOrId);
    const list = `sequences.runs:${id}`;
    const runs = await runRows.page(ctx.trx, {
      where: { sequence_id: id, status, contact_id: contactId },
      after: decodeCursor(list, cursor),
      limit: limit + 1,
    });
    const pageRuns = runs.slice(0, limit);
    const { contacts, sequenceVersions } = ctx.services;
    const people = await contacts.among(
      ctx.trx,
      pageRuns.flatMap(({ contact_id: contact }) => (contact === null ? [] : [contact])),
    );
    const versions = new Map<string, number>();
    for (const { version_id: version } of pageRuns)
      if (!versions.has(version)) versions.set(version, (await sequenceVersions.load(ctx.trx, version)).version);
    return toPage(list, runs, limit, runRows.position, (row) =>
      presentRun(row, { key, version: versions.get(row.version_id) ?? 0 }, people.get(row.contact_id ?? '')),
    );
  },
});
