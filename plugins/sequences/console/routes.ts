// The routes of the sequences page. Each route checks access first, then reads one workspace that the caller may see. All links are
// query strings of one path, so the page works behind any base path.
import { onSide, type PublicRoute, type ReadContext, type WorkspaceHandle, z } from '../../../core/index.ts';
import {
  checkInput,
  consolePages,
  consoleRefusals,
  createPageGate,
  emptyState,
  findLocation,
  hiddenWithoutSignIn,
  html,
  locationChoices,
  locationQuery,
  type PageGate,
  type PageOptions,
  pageRefusals,
  pageRoute,
  pageSide,
  plainResponse,
  queryOf,
  reachWorkspace,
} from '../../../core/unstable.ts';
import { errors } from '../errors.ts';
import { graphOf } from '../graph/index.ts';
import { withResourceNames } from '../graph/named-ids.ts';
import { stepsOf } from '../store.ts';
import { runRows, sequenceRows } from '../tables.ts';
import { countsOf } from '../tallies.ts';
import { searchForm, sequenceList } from './list.ts';
import { pictureStyle } from './parts.ts';
import { runView, sequenceView } from './views.ts';

const pageOf = consolePages(`${pictureStyle}form{display:grid;gap:.5rem}.pages{margin-top:.75rem}`);
const title = 'Sequences';

const id = z.string().min(1).max(100);
const pageQuery = z.strictObject({
  ...locationQuery,
  sequence: id.optional(),
  run: id.optional(),
  search: z.string().trim().max(100).default(''),
  after: z.string().max(500).optional(),
});
const graphQuery = z.strictObject({ ...locationQuery, workspace: id, sequence: id, run: id.optional() });

/** A run with its history and its definition. @throws run_not_found */
async function shownRun(ctx: ReadContext, runId: string) {
  const row = await runRows.find(ctx.trx, runId);
  if (row === undefined) throw errors.run_not_found({ id: runId });
  const { definition } = await ctx.services.sequenceVersions.load(ctx.trx, row.version_id);
  return { row, definition: await withResourceNames(ctx, definition), steps: await stepsOf(ctx.trx, runId) };
}

/** @throws sequence_not_found */
async function readSequence(handle: WorkspaceHandle, sequenceId: string) {
  const row = await sequenceRows.find(handle, sequenceId);
  if (row === undefined) throw errors.sequence_not_found({ id: sequenceId });
  return row;
}

/** A sequence with list names instead of ids in its definition, for display. */
async function shownSequence(ctx: ReadContext, sequenceId: string) {
  const row = await readSequence(ctx.trx, sequenceId);
  return { ...row, definition: await withResourceNames(ctx, row.definition) };
}

const page = (gate: PageGate) =>
  pageRoute(
    gate,
    { http: 'GET /sequences-console', description: 'Sequences, their counts and runs as a page.' },
    async (ctx, request, access) => {
      const { sequence, run, search, after, ...query } = checkInput(pageQuery, queryOf(request));
      const where = await findLocation(ctx, access, query);
      const frame = { title, service: ctx.ports.service.name, startPage: request.startPage };
      if (where === undefined) return pageOf({ ...frame, body: emptyState('There is no workspace yet.') });
      const shown = await ctx.read(where.workspace.id, async (whole) => {
        const ctx = onSide(whole, where.side === 'sandbox');
        if (run !== undefined) {
          const found = await shownRun(ctx, run);
          return runView(where, await readSequence(ctx.trx, found.row.sequence_id), found, ctx.services, ctx.trx);
        }
        if (sequence === undefined) return { body: await sequenceList(where, ctx.trx, { search, after }) };
        return sequenceView(where, await shownSequence(ctx, sequence), ctx);
      });
      return pageOf({ ...frame, side: html`${locationChoices(where)}${searchForm(where, search)}`, ...shown });
    },
    consoleRefusals(pageOf, title),
  );

const picture = (gate: PageGate) =>
  pageRoute(
    gate,
    {
      http: 'GET /sequences-console/graph.svg',
      description: 'A sequence with its counts, or the way of a run, as a picture.',
    },
    async (ctx, request, access) => {
      const { side: asked, sequence, run, ...query } = checkInput(graphQuery, queryOf(request));
      const workspace = await reachWorkspace(ctx, access, query.workspace);
      const svg = await ctx.read(workspace.id, async (whole) => {
        const ctx = onSide(whole, pageSide(asked, workspace) === 'sandbox');
        if (run !== undefined) {
          const { row, definition, steps } = await shownRun(ctx, run);
          const path = [...steps.map(({ node_id: nodeId }) => nodeId), ...(row.node_id === null ? [] : [row.node_id])];
          return graphOf(definition, 'svg', { path: path.filter((nodeId, index) => nodeId !== path[index - 1]) });
        }
        const { id: found, definition } = await shownSequence(ctx, sequence);
        return graphOf(definition, 'svg', { stats: Object.fromEntries(await countsOf(ctx.trx, found)) });
      });
      const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
      return plainResponse('image/svg+xml; charset=utf-8', svg, { 'Content-Security-Policy': policy });
    },
  );

/** All routes of the page; empty if the page is not configured. */
export function consoleRoutes(options: PageOptions | undefined): PublicRoute[] {
  if (options === undefined) return [];
  const gate = createPageGate({
    options,
    refusals: pageRefusals(errors, 'sequences_console'),
    owner: 'sequencesPlugin console',
  });
  const hidden = hiddenWithoutSignIn(options);
  return [page, picture].map((route) => ({ ...route(gate), hidden }));
}
