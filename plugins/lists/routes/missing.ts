// The page where a public route finds nothing: the same for what never was, what is private and what belongs to others.
import type { HttpResponse, PublicRouteContext, Workspace } from '../../../core/index.ts';
import { lookOf, paragraph, publicPage } from '../../../core/unstable.ts';

export const missingPage = async (
  context: PublicRouteContext,
  workspace: Workspace | undefined,
): Promise<HttpResponse> =>
  publicPage({
    status: 404,
    look: await lookOf(context, workspace),
    title: 'There is nothing here',
    body: paragraph('The link is incomplete, or the page no longer exists. Copy the whole link, or ask the sender.'),
  });
