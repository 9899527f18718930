// The page that the button of a confirmation mail opens. Opening it changes nothing, because scanners open links; its own button
// confirms. Both pages are the same for every token, valid or not. The lead magnet of a form is only shown to people who
// confirmed.
import {
  type HttpResponse,
  onSide,
  type PublicRequest,
  type PublicRoute,
  type PublicRouteContext,
  type Workspace,
} from '../../../core/index.ts';
import {
  chooseTexts,
  contentRoutes,
  escapeHtml,
  languageFields,
  pageAppearanceOf,
  paragraph,
  publicPage,
  repeatOnConflict,
} from '../../../core/unstable.ts';
import { confirm, giftLinksFor } from '../confirmation/confirm.ts';
import { readConfirmationToken } from '../confirmation/tokens.ts';
import type { GiftLink } from '../service.ts';
import { locateConfirmation } from '../store.ts';
import type { ListTextsByLanguage } from '../texts.ts';

/** Generous, because scanners of large mail providers open links of many people from few addresses. */
const limit = { perMinute: 1_200, burst: 600 };
/** The form has no fields. */
const maxBodyBytes = 10_000;
/** An id that no mail has. It makes an invalid token cost a database lookup as well. */
const nowhere = 'lcf_';

type Page = (
  ctx: PublicRouteContext,
  request: PublicRequest,
  workspace: Workspace | undefined,
) => Promise<HttpResponse>;

const linkHtml = ({ label, url }: GiftLink): string => `<p><a href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`;

const questionPage =
  (languages: ListTextsByLanguage): Page =>
  async (ctx, { headers }, workspace) => {
    const chosen = chooseTexts(languages, headers['accept-language']);
    const { title, question, button } = chosen.texts.confirm;
    return publicPage({
      ...languageFields(chosen),
      appearance: await pageAppearanceOf(ctx, workspace),
      title,
      body: `${paragraph(question)}\n<form method="post"><button>${escapeHtml(button)}</button></form>`,
    });
  };

const donePage =
  (languages: ListTextsByLanguage) =>
  async (
    ctx: PublicRouteContext,
    { headers }: PublicRequest,
    workspace: Workspace | undefined,
    links: readonly GiftLink[],
  ): Promise<HttpResponse> => {
    const chosen = chooseTexts(languages, headers['accept-language']);
    const {
      confirm: { doneTitle, done, doneHint },
      leadMagnet,
    } = chosen.texts;
    const plain = `${paragraph(done)}\n${paragraph(doneHint, 'small')}`;
    return publicPage({
      ...languageFields(chosen),
      appearance: await pageAppearanceOf(ctx, workspace),
      title: doneTitle,
      body:
        links.length === 0
          ? plain
          : `${paragraph(leadMagnet.text)}\n${links.map(linkHtml).join('\n')}\n${paragraph(leadMagnet.validity, 'small')}`,
    });
  };

/**
 * Confirms in one transaction, on the side of the mail. Does nothing if the token belongs to another workspace than `named`.
 * Returns the links to the lead magnets of the form.
 */
async function confirmToken(
  ctx: PublicRouteContext,
  token: string,
  named: Workspace | undefined,
): Promise<readonly GiftLink[]> {
  const id = readConfirmationToken(ctx.ports.keyring, token);
  const place = await ctx.readUnscoped('a token contains only the id of its mail', (handle) =>
    locateConfirmation(handle, id ?? nowhere),
  );
  if (id === undefined || place === undefined) return [];
  if (named !== undefined && named.id !== place.workspaceId) return [];
  const workspace = named ?? (await ctx.workspace(place.workspaceId));
  if (workspace === undefined || workspace.suspended) return [];
  const { workspaceId, sandbox } = place;
  const run = () => ctx.transact(workspaceId, (tx) => confirm(tx, id), { sandbox });
  // If another transaction created the contact, or locked the same rows in another order, the next run finds them.
  await repeatOnConflict(run);
  return ctx.read(workspaceId, (tx) => giftLinksFor(onSide(tx, sandbox), workspace, id));
}

const shared = {
  limit,
  // The pages look like the workspace of the host or the path, whatever the token is. Only POST looks the token up.
  find: async (_: PublicRouteContext, __: object, workspace: Workspace | undefined) =>
    workspace === undefined ? undefined : { workspaceId: workspace.id, found: undefined },
};

export function confirmRoutes(languages: ListTextsByLanguage): readonly PublicRoute[] {
  const [ask, thank] = [questionPage(languages), donePage(languages)];
  const confirmed: Page = async (ctx, request, workspace) => {
    const links = await confirmToken(ctx, request.params['token'] ?? '', workspace);
    return thank(ctx, request, workspace, links);
  };
  return [
    ...contentRoutes({
      ...shared,
      http: 'GET /c/{token}',
      description: 'The page that asks whether to confirm a subscription. Changes nothing.',
      handler: (ctx, request, { workspace }) => ask(ctx, request, workspace),
      missing: ask,
    }),
    ...contentRoutes({
      ...shared,
      http: 'POST /c/{token}',
      description: 'Confirms a subscription: the button of the page. Can be repeated.',
      maxBodyBytes,
      handler: (ctx, request, { workspace }) => confirmed(ctx, request, workspace),
      missing: confirmed,
    }),
  ];
}
