// The routes of the page of social posts. Each route checks access first, then reads one workspace that the caller may see.
import { onSide, type PublicRoute, z } from '../../../core/index.ts';
import {
  checkInput,
  consoleRefusals,
  createPageGate,
  emptyState,
  findLocation,
  hiddenWithoutSignIn,
  locationQuery,
  type PageGate,
  type PageOptions,
  pageRefusals,
  pageRoute,
  pageSide,
  plainResponse,
  queryOf,
  reachWorkspace,
  seeOther,
} from '../../../core/unstable.ts';
import { errors } from '../errors.ts';
import { isCapturing, simulatedFaults } from '../port/index.ts';
import { calendarView, spanOf } from './calendar.ts';
import { cardsView } from './cards.ts';
import { choices, linkTo } from './console-context.ts';
import { pageOf } from './document.ts';
import { consoleEvents, eventsView } from './events.ts';

const title = 'Social posts';
const maxFormBytes = 2_000;
/** The largest image on a card, in bytes. */
const maxImageBytes = 25_000_000;

const id = z.string().min(1).max(100);

const pageQuery = z.strictObject({
  ...locationQuery,
  view: z.enum(['month', 'week', 'cards', 'events']).default('month'),
  at: z.iso.date().optional(),
  post: id.optional(),
});
const mediaQuery = z.strictObject({ workspace: id, asset: id });
const faultQuery = z.strictObject({ ...locationQuery, workspace: id });
const fault = z.enum(simulatedFaults);

const page = (gate: PageGate) =>
  pageRoute(
    gate,
    { http: 'GET /social-console', description: 'What is planned on social networks, and posts as cards, as a page.' },
    async (ctx, request, access) => {
      const { view, at, post, ...query } = checkInput(pageQuery, queryOf(request));
      const location = await findLocation(ctx, access, query);
      const frame = { title, service: ctx.ports.service.name, startPage: request.startPage };
      if (location === undefined) return pageOf({ ...frame, body: emptyState('There is no workspace yet.') });
      const source = consoleEvents(ctx.services);
      const where = { ...location, view };
      const part = await ctx.read(location.workspace.id, async (live) => {
        const tx = onSide(live, location.side === 'sandbox');
        const { trx: handle } = tx;
        if (view === 'events' && source !== undefined)
          return { about: 'Events', body: await eventsView(where, ctx.services, source, tx) };
        if (view === 'cards') return cardsView(where, ctx.services, handle, post);
        const { now, services } = ctx;
        const span = spanOf(view === 'week' ? 'week' : 'month', at === undefined ? now : Date.parse(at));
        return { about: span.title, body: await calendarView(where, span, { now, services, handle }) };
      });
      return pageOf({ ...frame, side: choices(where, source !== undefined), ...part });
    },
    consoleRefusals(pageOf, title),
  );

const media = (gate: PageGate) =>
  pageRoute(
    gate,
    { http: 'GET /social-console/media', description: 'An image of a post.' },
    async (ctx, request, access) => {
      const query = checkInput(mediaQuery, queryOf(request));
      const workspace = await reachWorkspace(ctx, access, query.workspace);
      const { assets } = ctx.services;
      const asset = await ctx.read(workspace.id, ({ trx }) => assets.find(trx, query.asset));
      const type = asset?.content_type ?? '';
      const bytes = await assets.readForCaller({ workspace }, query.asset, maxImageBytes);
      // Only pictures are served with their own content type.
      return plainResponse(/^image\/(png|jpeg|gif|webp|avif)$/.test(type) ? type : 'application/octet-stream', bytes);
    },
  );

const simulateFault = (gate: PageGate) =>
  pageRoute(
    gate,
    {
      http: 'POST /social-console/fault',
      description: 'Sets the simulated faults of a captured network.',
      maxBodyBytes: maxFormBytes,
    },
    async (ctx, request, access) => {
      const { workspace, side: requested } = checkInput(faultQuery, queryOf(request));
      const found = await reachWorkspace(ctx, access, workspace);
      const form = await request.form();
      const { networks } = ctx.services.socialChannels;
      const network = networks.find(({ provider }) => provider === form.get('provider'));
      if (network !== undefined && isCapturing(network))
        network.capture.simulateFault(fault.safeParse(form.get('fault')).data ?? null);
      const where = { workspace: found, workspaces: [], side: pageSide(requested, found), view: 'cards' };
      return seeOther(`../social-console${linkTo(where, { view: 'cards' })}`);
    },
  );

/** All routes of the page; empty if the page is not configured. */
export function consoleRoutes(options: PageOptions | undefined): PublicRoute[] {
  if (options === undefined) return [];
  const gate = createPageGate({
    options,
    refusals: pageRefusals(errors, 'social_console'),
    owner: 'socialPlugin console',
  });
  const hidden = hiddenWithoutSignIn(options);
  return [page, media, simulateFault].map((route) => ({ ...route(gate), hidden }));
}
