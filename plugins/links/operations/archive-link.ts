import { defineOperation, idParameter, z } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { announce } from '../events.ts';
import { linkResource } from '../schema.ts';
import { linkRows } from '../tables.ts';
import { someLink } from './fixture-rows.ts';

export const archiveLink = defineOperation({
  id: 'links.archive',
  summary: 'Archive a short link',
  description:
    'Its visitors go to the landing page from now on: at once in this process, within a second in others. The slug stays taken. Archiving it again changes nothing.',
  http: 'DELETE /v1/links/{linkId}',
  tool: { name: 'archive_short_link', destructive: true },
  searchWords: ['switch off', 'disable'],
  scopes: ['links:write'],
  idempotency: 'natural',
  input: { params: z.object({ linkId: idParameter('lnk') }) },
  output: linkResource,
  errors: ['link_not_found'],
  emits: ['link.archived'],
  audit: { action: 'link.archive', target: ({ linkId }) => ({ kind: 'link', id: linkId }) },
  fixture: async (kit) => ({
    params: { linkId: await someLink(kit, kit.workspaceId) },
    foreign: { linkId: await someLink(kit, kit.foreignWorkspaceId) },
  }),

  async handler(ctx, { params: { linkId } }) {
    const row = await linkRows.lock(ctx.trx, linkId);
    if (row === undefined) throw errors.link_not_found({ id: linkId });
    if (row.archived_at !== null) return ctx.services.links.present(ctx.trx, row, ctx.now);
    const archived = await linkRows.change(ctx.trx, row, { archived_at: ctx.now, updated_at: ctx.now });
    ctx.afterCommit(() => ctx.services.linkTargets.forget(archived));
    return announce(ctx, 'link.archived', archived);
  },
});
