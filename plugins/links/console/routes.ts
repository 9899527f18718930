// The routes of the page with links and their charts. Each route checks access first, then serves one workspace that the caller
// may see.
import { decodeCursor, type PublicRoute, toPage, z } from '../../../core/index.ts';
import {
  checkInput,
  createPageGate,
  fileGate,
  hiddenWithoutSignIn,
  jsonResponse,
  type PageGate,
  type PageOptions,
  pageRefusals,
  pageRoute,
  pageRoutes,
  queryOf,
  reachWorkspace,
  visibleWorkspaces,
} from '../../../core/unstable.ts';
import { errors } from '../errors.ts';
import { totalsOf } from '../present.ts';
import { cardKeys } from '../rollups/card.ts';
import { cardReader } from '../rollups/cards.ts';
import { linkConditions } from '../store.ts';
import { linkRows } from '../tables.ts';
import type { LinkDetails, LinkList, LinksWorkspaceList } from './wire.ts';

const name = 'links-console';
const maxWorkspaces = 100;
const pageSize = 50;

const workspace = z.string().min(1).max(100);
const listQuery = z.strictObject({
  workspace,
  search: z.string().max(100).optional(),
  cursor: z.string().max(500).optional(),
});
const detailsQuery = z.strictObject({ workspace, days: z.coerce.number().int().min(1).max(400).default(30) });

const listOfWorkspaces = (gate: PageGate) =>
  pageRoute(
    gate,
    { http: 'GET /links-console/workspaces', description: 'The workspaces whose links the caller may see.' },
    async (ctx, request, access) => {
      checkInput(z.strictObject({}), queryOf(request));
      const visible = await visibleWorkspaces(ctx, access, maxWorkspaces);
      const response: LinksWorkspaceList = {
        service: { name: ctx.ports.service.name },
        data: visible.map(({ id, name: called }) => ({ id, name: called })),
      };
      return jsonResponse(request, response);
    },
  );

const listOfLinks = (gate: PageGate) =>
  pageRoute(
    gate,
    { http: 'GET /links-console/links', description: 'The links of a workspace with their counts.' },
    async (ctx, request, access) => {
      const { search, cursor, ...query } = checkInput(listQuery, queryOf(request));
      const { id } = await reachWorkspace(ctx, access, query.workspace);
      const list = `links-console:${id}`;
      const answer = await ctx.read(id, async ({ trx }): Promise<LinkList> => {
        const handle = trx.bothSides('the console shows the links of both sides');
        const conditions = linkConditions({ includeArchived: true, search });
        const after = decodeCursor(list, cursor);
        const rows = await linkRows.page(handle, { conditions, after, limit: pageSize + 1 });
        const totals = await totalsOf(
          handle,
          rows.map((row) => row.id),
        );
        const { links } = ctx.services;
        return toPage(list, rows, pageSize, linkRows.position, (row) =>
          links.presentOne(row, totals.get(row.id), ctx.now),
        );
      });
      return jsonResponse(request, answer);
    },
  );

const linkDetails = (gate: PageGate) =>
  pageRoute(
    gate,
    { http: 'GET /links-console/links/{id}', description: 'A link with its cards.' },
    async (ctx, request, access) => {
      const { days, ...query } = checkInput(detailsQuery, queryOf(request));
      const place = await reachWorkspace(ctx, access, query.workspace);
      const id = request.params.id ?? '';
      const { now } = ctx;
      const answer = await ctx.read(place.id, async ({ trx }): Promise<LinkDetails> => {
        const row = await linkRows.find(trx.bothSides('the console shows the links of both sides'), id);
        if (row === undefined) throw errors.link_not_found({ id: id.slice(0, 100) });
        const side = trx.onSide(row.sandbox);
        const reader = await cardReader(side, { linkId: row.id, days, now }, false);
        const cards: LinkDetails['cards'][number][] = [];
        for (const key of cardKeys) cards.push({ key, rows: await reader.read(key) });
        const link = await ctx.services.links.present(side, row, now);
        return { link, abuseReason: row.abuse_reason, days, cards };
      });
      return jsonResponse(request, answer);
    },
  );

/** All routes of the page; empty if the page is not configured. */
export function consoleRoutes(options: PageOptions | undefined): PublicRoute[] {
  if (options === undefined) return [];
  const gate = createPageGate({
    options,
    refusals: pageRefusals(errors, 'links_console'),
    owner: 'linksPlugin console',
  });
  const page = {
    name,
    title: 'Links',
    paths: ['/'] as const,
    description: 'Short links and their clicks as a page.',
    load: async () => (await import('../assets.gen.ts')).assets,
  };
  const routes = [listOfWorkspaces, listOfLinks, linkDetails].map((route) => route(gate));
  const hidden = hiddenWithoutSignIn(options);
  return [...pageRoutes(page, gate, fileGate), ...routes].map((route) => ({ ...route, hidden }));
}
