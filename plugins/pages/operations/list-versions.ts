import {
  decodeCursor,
  defineOperation,
  isoTime,
  listOf,
  pageQuery,
  toIsoTime,
  toPage,
  z,
} from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { keptVersions, pageParams } from '../schema.ts';
import { findHead } from '../store.ts';
import { versionHeads } from '../tables.ts';
import { publishedPage } from './fixture-rows.ts';

const versionResource = z
  .object({
    version: z.int(),
    title: z.string(),
    contentHash: z.string(),
    publishedAt: isoTime.describe('When it was published first.'),
    current: z
      .boolean()
      .describe('Whether visitors see this version. If the page is offline: whether they saw it last.'),
  })
  .meta({ id: 'PageVersion' });

export const listVersions = defineOperation({
  id: 'pages.versions',
  summary: "List a page's versions",
  description: `The last ${keptVersions} versions that were published, the newest first. Publishing an older one makes it the next version.`,
  http: 'GET /v1/pages/{idOrSlug}/versions',
  tool: 'list_page_versions',
  scopes: ['pages:read'],
  idempotency: 'read',
  input: { params: pageParams, query: z.object(pageQuery) },
  output: listOf(versionResource),
  errors: ['page_not_found', 'cursor_invalid'],
  fixture: async (kit) => ({
    params: { idOrSlug: await publishedPage(kit, kit.workspaceId) },
    foreign: { idOrSlug: await publishedPage(kit, kit.foreignWorkspaceId) },
  }),
  exampleRow: 'skipped: a version is a number, which says nothing of its side: shown in test/plugins/pages.test.ts',

  async handler(ctx, { params: { idOrSlug }, query: { limit, cursor } }) {
    const page = await findHead(ctx.trx, idOrSlug);
    if (page === undefined) throw errors.page_not_found({ id: idOrSlug });
    const list = `versions of ${page.id}`;
    const after = decodeCursor(list, cursor);
    const rows = await versionHeads.page(ctx.trx, { where: { page_id: page.id }, after, limit: limit + 1 });
    return toPage(list, rows, limit, versionHeads.position, ({ version, title, content_hash, created_at }) => ({
      ...{ version, title, contentHash: content_hash, publishedAt: toIsoTime(created_at) },
      current: version === page.version,
    }));
  },
});
