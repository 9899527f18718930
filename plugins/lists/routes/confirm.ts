// The page that the button of a confirmation mail opens. Opening it changes nothing, because scanners open links; its own button
// confirms. Both pages are the same for every token, valid or not. Only what a form gives away is shown just to those who confirmed.
import {
  type HttpResponse,
  isStorageError,
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
  inLanguage,
  lookOf,
  paragraph,
  publicPage,
} from '../../../core/unstable.ts';
import { confirm, givenFor } from '../confirmation/confirm.ts';
import { readConfirmationToken } from '../confirmation/tokens.ts';
import type { GivenLink } from '../service.ts';
import { placeOfConfirmation } from '../store.ts';
import type { ListTextsByLanguage } from '../texts.ts';

/** Generous, because scanners of large mail providers open links of many people from few addresses. */
const limit = { perMinute: 1_200, burst: 600 };
/** The form has no fields. */
const maxBodyBytes = 10_000;
/** An id that no mail has. It makes an invalid token cost a database lookup as well. */
const nowhere = 'lcf_';

type Page = (
  context: PublicRouteContext,
  request: PublicRequest,
  workspace: Workspace | undefined,
) => Promise<HttpResponse>;

const linkHtml = ({ label, url }: GivenLink): string => `<p><a href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`;

const questionPage =
  (languages: ListTextsByLanguage): Page =>
  async (context, { headers }, workspace) => {
    const chosen = chooseTexts(languages, headers['accept-language']);
    const { title, question, button } = chosen.texts.confirm;
    return publicPage({
      ...inLanguage(chosen),
      look: await lookOf(context, workspace),
      title,
      body: `${paragraph(question)}\n<form method="post"><button>${escapeHtml(button)}</button></form>`,
    });
  };

const donePage =
  (languages: ListTextsByLanguage) =>
  async (
    context: PublicRouteContext,
    { headers }: PublicRequest,
    workspace: Workspace | undefined,
    links: readonly GivenLink[],
  ): Promise<HttpResponse> => {
    const chosen = chooseTexts(languages, headers['accept-language']);
    const {
      confirm: { doneTitle, done, doneHint },
      given,
    } = chosen.texts;
    const plain = `${paragraph(done)}\n${paragraph(doneHint, 'small')}`;
    return publicPage({
      ...inLanguage(chosen),
      look: await lookOf(context, workspace),
      title: doneTitle,
      body:
        links.length === 0
          ? plain
          : `${paragraph(given.text)}\n${links.map(linkHtml).join('\n')}\n${paragraph(given.validity, 'small')}`,
    });
  };

/**
 * Confirms in one transaction, on the side of the mail. Does nothing if the token belongs to another workspace than `named`. Returns
 * the links that the form gives away.
 */
async function confirmToken(
  context: PublicRouteContext,
  token: string,
  named: Workspace | undefined,
): Promise<readonly GivenLink[]> {
  const id = readConfirmationToken(context.ports.keyring, token);
  const place = await context.readUnscoped('a token names nothing but its mail', (handle) =>
    placeOfConfirmation(handle, id ?? nowhere),
  );
  if (id === undefined || place === undefined) return [];
  if (named !== undefined && named.id !== place.workspaceId) return [];
  const workspace = named ?? (await context.workspace(place.workspaceId));
  if (workspace === undefined || workspace.suspended) return [];
  const { workspaceId, sandbox } = place;
  const run = () => context.transact(workspaceId, (effects) => confirm(effects, id), { sandbox });
  await run().catch((error: unknown) => {
    // Another transaction created the contact, or locked the same rows in another order. The retry finds them.
    if (!isStorageError(error, 'unique') && !isStorageError(error, 'deadlock')) throw error;
    return run();
  });
  return context.read(workspaceId, (ctx) => givenFor(onSide(ctx, sandbox), workspace, id));
}

const shared = {
  limit,
  // The pages look like the workspace of the host or the path, whatever the token is. Only POST looks the token up.
  find: async (_: PublicRouteContext, __: object, workspace: Workspace | undefined) =>
    workspace === undefined ? undefined : { workspaceId: workspace.id, found: undefined },
};

export function confirmRoutes(languages: ListTextsByLanguage): readonly PublicRoute[] {
  const [ask, thank] = [questionPage(languages), donePage(languages)];
  const confirmed: Page = async (context, request, workspace) => {
    const links = await confirmToken(context, request.params['token'] ?? '', workspace);
    return thank(context, request, workspace, links);
  };
  return [
    ...contentRoutes({
      ...shared,
      http: 'GET /c/{token}',
      description: 'The page that asks whether to confirm a subscription. Changes nothing.',
      handler: (context, request, { workspace }) => ask(context, request, workspace),
      missing: ask,
    }),
    ...contentRoutes({
      ...shared,
      http: 'POST /c/{token}',
      description: 'Confirms a subscription: the button of the page. Can be repeated.',
      maxBodyBytes,
      handler: (context, request, { workspace }) => confirmed(context, request, workspace),
      missing: confirmed,
    }),
  ];
}
