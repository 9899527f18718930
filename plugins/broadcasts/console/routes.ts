// The routes of the page of broadcasts. It checks access first, then reads one workspace that the visitor may see.
import { onSide, type PublicRoute, z } from '../../../core/index.ts';
import {
  checkInput,
  consolePages,
  consoleRefusals,
  createPageGate,
  emptyState,
  findLocation,
  hiddenWithoutSignIn,
  html,
  linkWithin,
  locationChoices,
  locationQuery,
  type PageGate,
  type PageOptions,
  pageRefusals,
  pageRoute,
  queryOf,
} from '../../../core/unstable.ts';
import { errors } from '../errors.ts';
import { broadcastStatus, recipientStatus } from '../schema.ts';
import { listView } from './list.ts';
import { recipientsView } from './recipients.ts';
import { reportStyle, reportView } from './report.ts';
import { reputationNotice, reputationView } from './reputation.ts';

const pageOf = consolePages(`${reportStyle}.pages{display:flex;gap:.5rem;margin-top:.75rem}`);
const title = 'Broadcasts';

const id = z.string().min(1).max(100);
const pageQuery = z.strictObject({
  ...locationQuery,
  view: z.literal('reputation').optional(),
  broadcast: id.optional(),
  recipients: z.enum([...recipientStatus.options, 'all']).optional(),
  status: broadcastStatus.optional(),
  after: z.string().max(500).optional(),
});

const page = (gate: PageGate) =>
  pageRoute(
    gate,
    { http: 'GET /broadcasts-console', description: 'Broadcasts, their reports and recipients, as a page.' },
    async (context, request, access) => {
      const query = checkInput(pageQuery, queryOf(request));
      const place = await findLocation(context, access, query);
      const frame = { title, service: context.ports.service.name, startPage: request.startPage };
      if (place === undefined) return pageOf({ ...frame, body: emptyState('There is no workspace yet.') });
      const { workspace, side } = place;
      const calls = context.calls(workspace.id, 'broadcasts_console', { sandbox: side === 'sandbox' });
      const reputation = await calls.reputation.read();
      const shown = async () => {
        const { view, broadcast: broadcastId, recipients, status, after } = query;
        if (view === 'reputation') return reputationView(place, reputation);
        if (broadcastId === undefined)
          return context.read(workspace.id, (whole) =>
            listView(place, calls, onSide(whole, side === 'sandbox').trx, { status, after }),
          );
        const broadcast = await calls.broadcasts.read({ broadcastId });
        return recipients === undefined
          ? reportView(place, calls, broadcast)
          : recipientsView(place, calls, broadcast, { recipients, after });
      };
      const { body, ...about } = await shown();
      const isReputation = query.view === 'reputation';
      const notice = isReputation ? null : reputationNotice(place, reputation);
      const more = html`<nav class="segments" aria-label="More"><a href="${linkWithin(place, { view: 'reputation' })}"${isReputation ? html` aria-current="true"` : null}>Reputation</a></nav>`;
      return pageOf({ ...frame, side: html`${locationChoices(place)}${more}`, ...about, body: html`${notice}${body}` });
    },
    consoleRefusals(pageOf, title),
  );

/** All routes of the page; empty if the page is not configured. */
export function consoleRoutes(options: PageOptions | undefined): PublicRoute[] {
  if (options === undefined) return [];
  const gate = createPageGate({
    options,
    refusals: pageRefusals(errors, 'broadcasts_console'),
    owner: 'broadcastsPlugin console',
  });
  return [{ ...page(gate), hidden: hiddenWithoutSignIn(options) }];
}
