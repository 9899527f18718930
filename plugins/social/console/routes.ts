// The routes of the page of social posts. Each route checks access first, then reads one workspace that the caller may see.
import { onSide, type PublicRoute, z } from '../../../core/index.ts';
import {
  checkInput,
  consoleRefusals,
  createPageGate,
  emptyState,
  type Gate,
  hiddenWithoutSignIn,
  type PageOptions,
  pageRefusals,
  pageRoute,
  plainAnswer,
  queryOf,
  reachWorkspace,
  seeOther,
  shownSide,
  visibleWorkspaces,
} from '../../../core/unstable.ts';
import { errors } from '../errors.ts';
import { captureTroubles, isCapturing } from '../port/index.ts';
import { calendarView, spanOf } from './calendar.ts';
import { cardsView } from './cards.ts';
import { pageOf } from './document.ts';
import { consoleEvents, eventsView } from './events.ts';
import { choices, linkTo } from './where.ts';

const title = 'Social posts';
const maxWorkspaces = 100;
const maxFormBytes = 2_000;
/** The largest image on a card, in bytes. */
const maxImageBytes = 25_000_000;

const id = z.string().min(1).max(100);
const side = z.enum(['live', 'sandbox']).optional();

const pageQuery = z.strictObject({
  workspace: id.optional(),
  side,
  view: z.enum(['month', 'week', 'cards', 'events']).default('month'),
  at: z.iso.date().optional(),
  post: id.optional(),
});
const mediaQuery = z.strictObject({ workspace: id, asset: id });
const troubleQuery = z.strictObject({ workspace: id, side });
const trouble = z.enum(captureTroubles);

const page = (gate: Gate) =>
  pageRoute(
    gate,
    { http: 'GET /social-console', description: 'What is planned on social networks, and posts as cards, as a page.' },
    async (context, request, access) => {
      const { side: asked, view, at, post, ...query } = checkInput(pageQuery, queryOf(request));
      const workspaces = await visibleWorkspaces(context, access, maxWorkspaces);
      const chosen = query.workspace ?? workspaces[0]?.id;
      const frame = { title, service: context.ports.service.name, startPage: request.startPage };
      if (chosen === undefined) return pageOf({ ...frame, body: emptyState('There is no workspace yet.') });
      const workspace = await reachWorkspace(context, access, chosen);
      const shown = shownSide(asked, workspace);
      const source = consoleEvents(context.services);
      const where = { workspace, workspaces, side: shown, view };
      const part = await context.read(workspace.id, async (whole) => {
        const ctx = onSide(whole, shown === 'sandbox');
        const { trx: handle } = ctx;
        if (view === 'events' && source !== undefined)
          return { about: 'Events', body: await eventsView(where, context.services, source, ctx) };
        if (view === 'cards') return cardsView(where, context.services, handle, post);
        const { now, services } = context;
        const span = spanOf(view === 'week' ? 'week' : 'month', at === undefined ? now : Date.parse(at));
        return { about: span.title, body: await calendarView(where, span, { now, services, handle }) };
      });
      return pageOf({ ...frame, side: choices(where, source !== undefined), ...part });
    },
    consoleRefusals(pageOf, title),
  );

const media = (gate: Gate) =>
  pageRoute(
    gate,
    { http: 'GET /social-console/media', description: 'An image of a post.' },
    async (context, request, access) => {
      const query = checkInput(mediaQuery, queryOf(request));
      const workspace = await reachWorkspace(context, access, query.workspace);
      const { assets } = context.services;
      const asset = await context.read(workspace.id, ({ trx }) => assets.find(trx, query.asset));
      const type = asset?.content_type ?? '';
      const bytes = await assets.readForCaller({ workspace }, query.asset, maxImageBytes);
      // Only pictures are served with their own content type.
      return plainAnswer(/^image\/(png|jpeg|gif|webp|avif)$/.test(type) ? type : 'application/octet-stream', bytes);
    },
  );

const setTrouble = (gate: Gate) =>
  pageRoute(
    gate,
    {
      http: 'POST /social-console/trouble',
      description: 'Sets what a network does that keeps posts in the process.',
      maxBodyBytes: maxFormBytes,
    },
    async (context, request, access) => {
      const { workspace, side: asked } = checkInput(troubleQuery, queryOf(request));
      const found = await reachWorkspace(context, access, workspace);
      const form = await request.form();
      const { networks } = context.services.socialChannels;
      const network = networks.find(({ provider }) => provider === form.get('provider'));
      if (network !== undefined && isCapturing(network))
        network.capture.setTrouble(trouble.safeParse(form.get('trouble')).data ?? null);
      const where = { workspace: found, workspaces: [], side: shownSide(asked, found), view: 'cards' };
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
  return [page, media, setTrouble].map((route) => ({ ...route(gate), hidden }));
}
