// The public routes in sent mail: the pixel, tracked links and unsubscribing. An invalid token changes nothing, and the response to it
// does not reveal any sender.
import {
  definePublicRoute,
  type HttpResponse,
  isPostriderError,
  type PublicRequest,
  type PublicRoute,
  type PublicRouteContext,
} from '../../../core/index.ts';
import {
  hiddenValue,
  languageOfPerson,
  type PageAppearance,
  pageAppearanceOf,
  plainResponse,
  repeatOnConflict,
} from '../../../core/unstable.ts';
import type { ContactsService } from '../../contacts/index.ts';
import type { TopicsService } from '../../topics/index.ts';
import { openLinks } from '../delivery/send-content.ts';
import type { EmailPluginOptions } from '../options.ts';
import { findOwner, linkRows, sendRows } from '../store.ts';
import { classifyHit } from '../tracking/classify.ts';
import { type Hit, recordHit } from '../tracking/record-hit.ts';
import { readToken, type TokenUse, type TrackingToken } from '../tracking/tokens.ts';
import { deadLinkPage, donePage, incompletePage, questionPage, type UnsubscribeContext } from './unsubscribe-page.ts';
import { unsubscribeTexts } from './unsubscribe-texts.ts';

/** The limit is high, because proxies of large mail providers open and unsubscribe for many people from few addresses. */
const limit = { perMinute: 1_200, burst: 600 };
/** The form of an unsubscription has only one field. */
const maxBodyBytes = 10_000;

/** Transparent, 1×1. */
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const pixel = (): HttpResponse =>
  plainResponse('image/gif', gif, {
    'Cache-Control': 'private, no-store, max-age=0',
    // Web mail clients show the image on other sites.
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });

interface LinkOwner {
  readonly workspaceId: string;
  readonly token: TrackingToken;
}

/** An id that no send has. */
const unknownSendId = 'snd_';

/** The send of a token; undefined if the token is invalid. An invalid token costs a database lookup as well. */
async function linkOwnerOf(
  context: PublicRouteContext,
  request: PublicRequest,
  use: TokenUse,
): Promise<LinkOwner | undefined> {
  const token = readToken(context.ports.keyring, use, request.params.token ?? '');
  const workspaceId = await context.readUnscoped('a token contains only the id of its send', (handle) =>
    findOwner(handle, token?.sendId ?? unknownSendId),
  );
  return token === undefined || workspaceId === undefined ? undefined : { workspaceId, token };
}

/**
 * The content of the unsubscribe page: the sender's style, and the mail that its buttons stop. Undefined if the link is not
 * valid.
 */
async function pageAt(
  context: PublicRouteContext,
  { workspaceId, token }: LinkOwner,
): Promise<UnsubscribeContext | undefined> {
  const topics: TopicsService | undefined = context.services.topics;
  const contacts: ContactsService | undefined = context.services.contacts;
  const workspace = await context.workspace(workspaceId);
  const { send, topic, locale } = await context.read(workspaceId, async ({ trx }) => {
    const send = await sendRows.find(trx.bothSides('the token names its send alone'), token.sendId);
    const key = send?.topic_key ?? undefined;
    const contact = send && (await contacts?.byEmail(trx.onSide(send.sandbox), send.to_normalised));
    return {
      ...{ send, topic: key === undefined ? undefined : await topics?.find(trx, key) },
      locale: send?.locale ?? languageOfPerson(contact?.attributes),
    };
  });
  if (workspace === undefined || send === undefined) return undefined;
  const scope = context.services.suppressions.unsubscribeScopeOf(workspace, send.category);
  return { appearance: await pageAppearanceOf(context, workspace), scope, topic, locale };
}

/** The look of the page for a link that does not work: the sender's look if the token is valid, otherwise the look of the host's workspace. */
const senderAppearance = async (
  context: PublicRouteContext,
  { host }: PublicRequest,
  place: LinkOwner | undefined,
): Promise<PageAppearance> =>
  pageAppearanceOf(
    context,
    place === undefined ? await context.workspaceOfHost(host) : await context.workspace(place.workspaceId),
  );

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
  const record = async (context: PublicRouteContext, { workspaceId, token }: LinkOwner, hit: Hit): Promise<void> => {
    const { log } = context;
    try {
      await context.transact(workspaceId, (ctx) => recordHit(ctx, token.sendId, hit, { classify, log }));
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
        const linkOwner = await linkOwnerOf(context, request, 'open');
        // A HEAD request does not show the image.
        if (linkOwner !== undefined && request.method === 'GET')
          await record(context, linkOwner, { kind: 'open', client: clientOf(request) });
        return pixel();
      },
    }),

    definePublicRoute({
      http: 'GET /t/c/{token}',
      description: 'A link of a message: records the click and leads to the target.',
      limit,
      async handler(context, request) {
        const linkOwner = await linkOwnerOf(context, request, 'click');
        const row =
          linkOwner === undefined
            ? undefined
            : await context.read(linkOwner.workspaceId, ({ trx }) =>
                linkRows.find(trx.bothSides('the token names its send alone'), linkOwner.token.sendId),
              );
        const links = row === undefined ? [] : openLinks(context.ports.keyring, row);
        const target = linkOwner === undefined ? undefined : links[linkOwner.token.link];
        if (linkOwner === undefined || target === undefined)
          return deadLinkPage(request, texts, await senderAppearance(context, request, linkOwner));
        const url = target.hidden ? hiddenValue : target.url;
        const hit = { kind: 'click', url, client: clientOf(request), links: links.length } as const;
        if (request.method === 'GET') await record(context, linkOwner, hit);
        const answer = plainResponse('text/plain; charset=utf-8', '', { Location: new URL(target.url).href });
        return { ...answer, status: 302 };
      },
    }),

    definePublicRoute({
      http: 'GET /u/{token}',
      description: 'The page that asks a recipient whether to unsubscribe. Changes nothing.',
      limit,
      async handler(context, request) {
        const linkOwner = await linkOwnerOf(context, request, 'unsubscribe');
        const page = linkOwner && (await pageAt(context, linkOwner));
        if (page === undefined)
          return incompletePage(request, texts, await senderAppearance(context, request, undefined));
        return questionPage(request, texts, page);
      },
    }),

    definePublicRoute({
      http: 'POST /u/{token}',
      description:
        'Unsubscribes the recipient of a message, from its topic if it has one: the buttons of the page, or one click (RFC 8058).',
      limit,
      maxBodyBytes,
      async handler(context, request) {
        const linkOwner = await linkOwnerOf(context, request, 'unsubscribe');
        const page = linkOwner && (await pageAt(context, linkOwner));
        if (linkOwner === undefined || page === undefined)
          return incompletePage(request, texts, await senderAppearance(context, request, undefined));
        const act = await actOf(request);
        const isOfTopic = page.topic !== undefined && act !== 'stop';
        await unsubscribe(context, linkOwner, isOfTopic ? act : undefined);
        return donePage(request, texts, isOfTopic ? page : { ...page, topic: undefined });
      },
    }),
  ];
}

/** The origin of an unsubscription: the first or second button of the page, or a mail program, whose request may have any body. */
async function actOf(request: PublicRequest): Promise<'page' | 'stop' | 'one_click'> {
  const form = await request.form().catch(() => new URLSearchParams());
  const button = form.get('do');
  return button === 'stop' ? 'stop' : button === null ? 'one_click' : 'page';
}

/**
 * Records the unsubscription and suppresses the address, in one transaction. With `topic`, the address is only unsubscribed from
 * the topic of the mail; `topic` is the kind of link.
 */
async function unsubscribe(
  context: PublicRouteContext,
  { workspaceId, token }: LinkOwner,
  topic: 'page' | 'one_click' | undefined,
): Promise<void> {
  const { sendReports } = context.services;
  const run = (from: typeof topic) => {
    const report = { kind: 'unsubscribed' as const, ...(from === undefined ? {} : { topic: from }) };
    // If another transaction stored the same suppression or preference at the same moment, the next run finds it.
    return repeatOnConflict(() =>
      context.transact(workspaceId, (ctx) => sendReports.report(ctx, token.sendId, report)),
    );
  };
  await run(topic).catch((error: unknown) => {
    // The topic was deleted at the same moment: all marketing mail stops, as for a mail without a topic.
    if (!isPostriderError(error, 'topic_not_found')) throw error;
    return run(undefined);
  });
}
