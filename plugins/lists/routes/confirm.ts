// The page that the button of a confirmation mail opens. Opening it changes nothing, because scanners open links; its own button
// confirms. Both pages say what is confirmed if the token is valid, and otherwise show nothing about anybody. The lead magnet of a form
// is only shown to people who confirmed.
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
  sentenceHtml,
} from '../../../core/unstable.ts';
import { type ConfirmationView, confirm, giftLinksFor, viewOf } from '../confirmation/confirm.ts';
import { readConfirmationToken } from '../confirmation/tokens.ts';
import type { GiftLink } from '../service.ts';
import { locateConfirmation } from '../store.ts';
import type { ListTextsByLanguage } from '../texts.ts';

/** The limit is high, because the link scanners of large mail providers open the links of many people from few addresses. */
const limit = { perMinute: 1_200, burst: 600 };
/** The form has no fields. */
const maxBodyBytes = 10_000;
/** An id that no mail has. It is looked up for an invalid token, so that the response takes equally long. */
const noConfirmation = 'lcf_';

type Page = (
  ctx: PublicRouteContext,
  request: PublicRequest,
  workspace: Workspace | undefined,
) => Promise<HttpResponse>;

/** The confirmation that a token names, and its workspace. */
interface OpenedConfirmation {
  readonly id: string;
  readonly workspace: Workspace;
  readonly sandbox: boolean;
}

/**
 * Opens a token. Undefined if the service did not make it, if it belongs to another workspace than `namedWorkspace`, or if its workspace is
 * suspended. An invalid token costs a database lookup as well.
 */
async function open(
  ctx: PublicRouteContext,
  { params }: PublicRequest,
  namedWorkspace: Workspace | undefined,
): Promise<OpenedConfirmation | undefined> {
  const id = readConfirmationToken(ctx.ports.keyring, params['token'] ?? '');
  const location = await ctx.readUnscoped('a token contains only the id of its mail', (handle) =>
    locateConfirmation(handle, id ?? noConfirmation),
  );
  if (id === undefined || location === undefined) return undefined;
  if (namedWorkspace !== undefined && namedWorkspace.id !== location.workspaceId) return undefined;
  const workspace = namedWorkspace ?? (await ctx.workspace(location.workspaceId));
  return workspace === undefined || workspace.suspended ? undefined : { id, workspace, sandbox: location.sandbox };
}

const readView = (
  ctx: PublicRouteContext,
  { id, workspace, sandbox }: OpenedConfirmation,
): Promise<ConfirmationView | undefined> => ctx.read(workspace.id, (tx) => viewOf(onSide(tx, sandbox), id));

/** A paragraph about the confirmation, if it is known and the language has a text for it. */
function aboutHtml(text: string | undefined, view: ConfirmationView | undefined, otherwise: string): string {
  if (text === undefined || view === undefined) return paragraph(otherwise);
  return `<p>${sentenceHtml(text, { list: view.title, email: view.email })}</p>`;
}

const linkHtml = ({ label, url }: GiftLink): string => `<p><a href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`;

const questionPage =
  (languages: ListTextsByLanguage): Page =>
  async (ctx, request, named) => {
    const opened = await open(ctx, request, named);
    const view = opened && (await readView(ctx, opened));
    const chosen = chooseTexts(languages, view?.language, request.headers['accept-language']);
    const { title, question, about, button } = chosen.texts.confirm;
    return publicPage({
      ...languageFields(chosen),
      appearance: await pageAppearanceOf(ctx, named ?? opened?.workspace),
      title,
      body: `${aboutHtml(about, view, question)}\n<form method="post"><button>${escapeHtml(button)}</button></form>`,
    });
  };

/** Confirms in one transaction, on the side of the mail. Returns the links to the lead magnets of the form. */
async function confirmOpened(ctx: PublicRouteContext, opened: OpenedConfirmation): Promise<readonly GiftLink[]> {
  const { id, workspace, sandbox } = opened;
  const run = () => ctx.transact(workspace.id, (tx) => confirm(tx, id), { sandbox });
  // If another transaction created the contact, or locked the same rows in another order, the next run finds them.
  await repeatOnConflict(run);
  return ctx.read(workspace.id, (tx) => giftLinksFor(onSide(tx, sandbox), workspace, id));
}

const confirmedPage =
  (languages: ListTextsByLanguage): Page =>
  async (ctx, request, named) => {
    const opened = await open(ctx, request, named);
    const links = opened === undefined ? [] : await confirmOpened(ctx, opened);
    const view = opened && (await readView(ctx, opened));
    const chosen = chooseTexts(languages, view?.language, request.headers['accept-language']);
    const { confirm: texts, leadMagnet } = chosen.texts;
    const { doneTitle, done, doneAbout, doneHint } = texts;
    // A hint about old links would only confuse a person whose link was valid.
    const bodyText =
      view === undefined ? `${paragraph(done)}\n${paragraph(doneHint, 'small')}` : aboutHtml(doneAbout, view, done);
    return publicPage({
      ...languageFields(chosen),
      appearance: await pageAppearanceOf(ctx, named ?? opened?.workspace),
      title: doneTitle,
      body:
        links.length === 0
          ? bodyText
          : `${paragraph(leadMagnet.text)}\n${links.map(linkHtml).join('\n')}\n${paragraph(leadMagnet.validity, 'small')}`,
    });
  };

const shared = {
  limit,
  find: async (_: PublicRouteContext, __: object, workspace: Workspace | undefined) =>
    workspace === undefined ? undefined : { workspaceId: workspace.id, found: undefined },
};

export function confirmRoutes(languages: ListTextsByLanguage): readonly PublicRoute[] {
  const [showQuestion, showConfirmed] = [questionPage(languages), confirmedPage(languages)];
  return [
    ...contentRoutes({
      ...shared,
      http: 'GET /c/{token}',
      description: 'The page that asks whether to confirm a subscription. Changes nothing.',
      handler: (ctx, request, { workspace }) => showQuestion(ctx, request, workspace),
      missing: showQuestion,
    }),
    ...contentRoutes({
      ...shared,
      http: 'POST /c/{token}',
      description: 'Confirms a subscription: the button of the page. Can be repeated.',
      maxBodyBytes,
      handler: (ctx, request, { workspace }) => showConfirmed(ctx, request, workspace),
      missing: showConfirmed,
    }),
  ];
}
