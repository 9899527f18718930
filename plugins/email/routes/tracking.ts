// The public routes in sent mail: the pixel, tracked links and unsubscribing. An invalid token changes nothing, and the response to it
// does not reveal any sender.
import {
  definePublicRoute,
  type HttpResponse,
  isStorageError,
  type PublicRequest,
  type PublicRoute,
  type PublicRouteContext,
  type TransactionContext,
} from '../../../core/index.ts';
import { lookOf, plainAnswer } from '../../../core/unstable.ts';
import { openLinks } from '../content.ts';
import type { EmailPluginOptions } from '../options.ts';
import { findOwner, linkRows, sendRows } from '../store.ts';
import { classifyHit } from '../tracking/classify.ts';
import { type Hit, recordHit } from '../tracking/record-hit.ts';
import { readToken, type TokenUse, type TrackingToken } from '../tracking/tokens.ts';
import { deadLinkPage, donePage, incompletePage, questionPage, unsubscribeTexts } from './unsubscribe-page.ts';

/** Generous, because proxies of large mail providers open and unsubscribe for many people from few addresses. */
const limit = { perMinute: 1_200, burst: 600 };
/** The form of an unsubscription has only one field. */
const maxBodyBytes = 10_000;

/** Transparent, 1×1. */
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const pixel = (): HttpResponse =>
  plainAnswer('image/gif', gif, {
    'Cache-Control': 'private, no-store, max-age=0',
    // Web mail clients show the image on other sites.
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });

interface Place {
  readonly workspaceId: string;
  readonly token: TrackingToken;
}

/** An id that no send has. */
const nowhere = 'snd_';

/** The send of a token; undefined if the token is invalid. An invalid token costs a database lookup as well. */
async function placeOf(context: PublicRouteContext, request: PublicRequest, use: TokenUse): Promise<Place | undefined> {
  const token = readToken(context.ports.keyring, use, request.params.token ?? '');
  const workspaceId = await context.readUnscoped('a token names nothing but its send', (handle) =>
    findOwner(handle, token?.sendId ?? nowhere),
  );
  return token === undefined || workspaceId === undefined ? undefined : { workspaceId, token };
}

/** The look of the sender's page and the scope of its unsubscription. Undefined if the link is not valid. */
async function pageAt(context: PublicRouteContext, { workspaceId, token }: Place) {
  const workspace = await context.workspace(workspaceId);
  const send = await context.read(workspaceId, ({ trx }) =>
    sendRows.find(trx.bothSides('the token names its send alone'), token.sendId),
  );
  if (workspace === undefined || send === undefined) return undefined;
  const reach = context.services.suppressions.reachOf(workspace, send.category);
  return { look: await lookOf(context, workspace), reach };
}

/** The client data of a request. */
const clientOf = ({ headers, address }: PublicRequest): Hit['client'] => ({
  userAgent: headers['user-agent']?.slice(0, 500),
  address,
  headers,
});

export function trackingRoutes(options: EmailPluginOptions): readonly PublicRoute[] {
  const { classify = classifyHit } = options;
  const texts = unsubscribeTexts(options.unsubscribeTexts);

  /** Records a hit. If that fails, it is logged: the recipient still gets the image or the link's target. */
  const record = async (context: PublicRouteContext, { workspaceId, token }: Place, hit: Hit): Promise<void> => {
    const { log } = context;
    try {
      await context.transact(workspaceId, (effects) => recordHit(effects, token.sendId, hit, { classify, log }));
    } catch (cause) {
      log.error({ send_id: token.sendId, cause: String(cause) }, `an ${hit.kind} was not recorded`);
    }
  };

  return [
    definePublicRoute({
      http: 'GET /t/o/{token}',
      description: 'The pixel of a message: records that it was opened.',
      limit,
      async handler(context, request) {
        const place = await placeOf(context, request, 'open');
        // A HEAD request does not show the image.
        if (place !== undefined && request.method === 'GET')
          await record(context, place, { kind: 'open', client: clientOf(request) });
        return pixel();
      },
    }),

    definePublicRoute({
      http: 'GET /t/c/{token}',
      description: 'A link of a message: records the click and leads to the target.',
      limit,
      async handler(context, request) {
        const place = await placeOf(context, request, 'click');
        const row =
          place === undefined
            ? undefined
            : await context.read(place.workspaceId, ({ trx }) =>
                linkRows.find(trx.bothSides('the token names its send alone'), place.token.sendId),
              );
        const links = row === undefined ? [] : openLinks(context.ports.keyring, row);
        const url = place === undefined ? undefined : links[place.token.link];
        if (place === undefined || url === undefined) return deadLinkPage(await lookOf(context, undefined));
        const hit = { kind: 'click', url, client: clientOf(request), links: links.length } as const;
        if (request.method === 'GET') await record(context, place, hit);
        const answer = plainAnswer('text/plain; charset=utf-8', '', { Location: new URL(url).href });
        return { ...answer, status: 302 };
      },
    }),

    definePublicRoute({
      http: 'GET /u/{token}',
      description: 'The page that asks a recipient whether to unsubscribe. Changes nothing.',
      limit,
      async handler(context, request) {
        const place = await placeOf(context, request, 'unsubscribe');
        const page = place && (await pageAt(context, place));
        if (page === undefined) return incompletePage(request, texts, await lookOf(context, undefined));
        return questionPage(request, texts, page.look, page.reach);
      },
    }),

    definePublicRoute({
      http: 'POST /u/{token}',
      description: 'Unsubscribes the recipient of a message: the button of the page, or one click (RFC 8058).',
      limit,
      maxBodyBytes,
      async handler(context, request) {
        const place = await placeOf(context, request, 'unsubscribe');
        const page = place && (await pageAt(context, place));
        if (place === undefined || page === undefined)
          return incompletePage(request, texts, await lookOf(context, undefined));
        await unsubscribe(context, place);
        return donePage(request, texts, page.look, page.reach);
      },
    }),
  ];
}

/** Suppresses the address and records the unsubscription, in one transaction. The request body is not needed. */
async function unsubscribe(context: PublicRouteContext, { workspaceId, token }: Place): Promise<void> {
  const { sendReports } = context.services;
  const report = (effects: TransactionContext) => sendReports.report(effects, token.sendId, { kind: 'unsubscribed' });
  const run = () => context.transact(workspaceId, report);
  await run().catch((error: unknown) => {
    // Another transaction suppressed the address at the same moment. The retry finds that suppression.
    if (!isStorageError(error, 'unique')) throw error;
    return run();
  });
}
