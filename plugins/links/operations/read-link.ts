import { defineOperation, idParameter, z } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { linkResource } from '../schema.ts';
import { linkRows } from '../tables.ts';
import { someLink } from './fixture-rows.ts';

export const readLink = defineOperation({
  id: 'links.read',
  summary: 'Read a short link',
  description: 'With the counts of its clicks. Archived links can be read, too. The password is never returned.',
  http: 'GET /v1/links/{linkId}',
  tool: 'get_short_link',
  scopes: ['links:read'],
  idempotency: 'read',
  input: { params: z.object({ linkId: idParameter('lnk') }) },
  output: linkResource,
  errors: ['link_not_found'],
  fixture: async (kit) => ({
    params: { linkId: await someLink(kit, kit.workspaceId) },
    foreign: { linkId: await someLink(kit, kit.foreignWorkspaceId) },
  }),

  async handler(ctx, { params: { linkId } }) {
    const row = await linkRows.find(ctx.trx, linkId);
    if (row === undefined) throw errors.link_not_found({ id: linkId });
    return ctx.services.links.present(ctx.trx, row, ctx.now);
  },
});
