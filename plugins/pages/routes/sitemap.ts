// The sitemap of a content host, with the pages of all plugins that contribute pages, and its robots.txt. Other hosts
// have neither, because search engines must not index them.
import {
  entityResponse,
  entityTag,
  type PublicRoute,
  type PublicRouteContext,
  type Workspace,
} from '../../../core/index.ts';
import { contentRoutes, contentUrl, escapeHtml } from '../../../core/unstable.ts';
import type { PageFormTextsByLanguage } from '../forms/texts.ts';
import type { SitemapEntry } from '../sitemap.ts';
import { notFoundPage } from './page-response.ts';

/** The maximum number of addresses in a sitemap: https://www.sitemaps.org/protocol.html */
const maxEntries = 50_000;
const limit = { perMinute: 60, burst: 30 };
const headers = { 'Cache-Control': 'public, max-age=60', 'X-Content-Type-Options': 'nosniff' };

async function entriesOf(ctx: PublicRouteContext, workspace: Workspace): Promise<SitemapEntry[]> {
  const sources = ctx.ports.contributions('pages.sitemap');
  return ctx.read(workspace.id, async ({ trx }) => {
    const entries: SitemapEntry[] = [];
    for (const source of sources.values()) entries.push(...(await source.entries(trx, maxEntries - entries.length)));
    return entries;
  });
}

/** Finds the workspace of the host or the path, for every request. */
const find = async (_: PublicRouteContext, __: object, workspace: Workspace | undefined) =>
  workspace === undefined ? undefined : { workspaceId: workspace.id, found: workspace };

export function sitemapRoutes(languages: PageFormTextsByLanguage): readonly PublicRoute[] {
  const missing = notFoundPage(languages);
  return [
    ...contentRoutes<Workspace>({
      http: 'GET /sitemap.xml',
      description: 'The addresses of published pages and posts, for search engines.',
      limit,
      find,
      async handler(ctx, request, { workspace }) {
        const { service } = ctx.ports;
        const lines = (await entriesOf(ctx, workspace)).map(({ path, changedAt }) => {
          const url = contentUrl(service, workspace, path) ?? `/p/${workspace.id}${path}`;
          return `<url><loc>${escapeHtml(url)}</loc><lastmod>${new Date(changedAt).toISOString()}</lastmod></url>`;
        });
        const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${lines.join('\n')}\n</urlset>\n`;
        return entityResponse(request, entityTag(xml), xml, 'application/xml; charset=utf-8', headers);
      },
      missing,
    }),
    ...contentRoutes<Workspace>({
      http: 'GET /robots.txt',
      description: 'What search engines may read of a content host.',
      limit,
      find,
      async handler(ctx, request, { workspace, ownHost }) {
        const sitemap = contentUrl(ctx.ports.service, workspace, '/sitemap.xml') ?? '/sitemap.xml';
        const text = ownHost ? `User-agent: *\nAllow: /\nSitemap: ${sitemap}\n` : 'User-agent: *\nDisallow: /\n';
        return entityResponse(request, entityTag(text), text, 'text/plain; charset=utf-8', headers);
      },
      missing,
    }),
  ];
}
