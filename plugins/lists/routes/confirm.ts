// The page behind the button of a confirmation mail. Showing it changes nothing, because scanners open links; its button
// confirms. Both pages are the same for every token: they do not show whether a token is real.
import type { HttpResponse, PublicRouteContext, Workspace } from '../../../core/index.ts';
import { isStorageError } from '../../../core/index.ts';
import { contentRoutes, lookOf, paragraph, publicPage } from '../../../core/unstable.ts';
import { confirm } from '../confirmation/confirm.ts';
import { readConfirmationToken } from '../confirmation/tokens.ts';
import { placeOfConfirmation } from '../store.ts';

/** Scanners of large mail providers open links of many people from few addresses. */
const limit = { perMinute: 1_200, burst: 600 };
/** The form has no field. */
const maxBodyBytes = 10_000;
/** No mail has this id: a false token costs a look-up as well. */
const nowhere = 'lcf_';

const questionPage = async (context: PublicRouteContext, workspace: Workspace | undefined): Promise<HttpResponse> =>
  publicPage({
    look: await lookOf(context, workspace),
    title: 'Please confirm',
    body: `${paragraph('Please confirm that you want to receive these emails.')}\n<form method="post"><button>Confirm</button></form>`,
  });

const donePage = async (context: PublicRouteContext, workspace: Workspace | undefined): Promise<HttpResponse> =>
  publicPage({
    look: await lookOf(context, workspace),
    title: 'Thank you',
    body: `${paragraph('You are subscribed. You can close this page.')}\n${paragraph('Links are valid for 30 days. If yours was older, please subscribe again.', 'small')}`,
  });

/** Confirms in one transaction, on the side of the mail. Does nothing for a token of another workspace than `named`. */
async function confirmToken(context: PublicRouteContext, token: string, named: Workspace | undefined): Promise<void> {
  const id = readConfirmationToken(context.ports.keyring, token);
  const place = await context.readUnscoped('a token names nothing but its mail', (handle) =>
    placeOfConfirmation(handle, id ?? nowhere),
  );
  if (id === undefined || place === undefined) return;
  if (named !== undefined && named.id !== place.workspaceId) return;
  const workspace = named ?? (await context.workspace(place.workspaceId));
  if (workspace === undefined || workspace.suspended) return;
  const { workspaceId, sandbox } = place;
  const run = () => context.transact(workspaceId, (effects) => confirm(context, effects, id), { sandbox });
  await run().catch((error: unknown) => {
    // Another transaction made the contact, or locked the same rows in another order: the next try finds them.
    if (!isStorageError(error, 'unique') && !isStorageError(error, 'deadlock')) throw error;
    return run();
  });
}

const shared = {
  limit,
  // The pages look like the workspace of the host or the path, whatever the token: what it names is looked up by POST alone.
  find: async (_: PublicRouteContext, __: object, workspace: Workspace | undefined) =>
    workspace === undefined ? undefined : { workspaceId: workspace.id, found: undefined },
};

export const confirmRoutes = [
  ...contentRoutes({
    ...shared,
    http: 'GET /c/{token}',
    description: 'The page that asks whether to confirm a subscription. Changes nothing.',
    handler: (context, _, { workspace }) => questionPage(context, workspace),
    missing: (context, _, workspace) => questionPage(context, workspace),
  }),
  ...contentRoutes({
    ...shared,
    http: 'POST /c/{token}',
    description: 'Confirms a subscription: the button of the page. Can be repeated.',
    maxBodyBytes,
    async handler(context, { params }, { workspace }) {
      await confirmToken(context, params['token'] ?? '', workspace);
      return donePage(context, workspace);
    },
    async missing(context, { params }, workspace) {
      await confirmToken(context, params['token'] ?? '', workspace);
      return donePage(context, workspace);
    },
  }),
];
