// The visitor of the pages in this folder. A visitor who is not signed in is redirected to the program's sign-in page, and
// returns to one of our own paths. No other URL is accepted as the return path.
import type {
  HttpResponse,
  PublicRequest,
  PublicRouteContext,
  Visitor,
  VisitorWorkspace,
  Workspace,
} from '../../../core/index.ts';
import { isCrossSite, pageRequest, seeOther, signInAddress } from '../../../core/unstable.ts';
import { refusalPage } from './page.ts';

/** The signed-in member. */
export type SignedInVisitor = Extract<Visitor, { readonly kind: 'member' }>;

/** The maximum number of workspaces that the pages list. */
const maxWorkspaces = 200;

/** The query of a request, including its question mark. */
const searchOf = ({ url }: PublicRequest): string => {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark);
};

/**
 * Answers the signed-in visitor with `serve`. Other visitors get a refusal, or are redirected to the sign-in page and from there
 * back to `path`.
 */
export async function asMember(
  ctx: PublicRouteContext,
  request: PublicRequest,
  path: `/${string}`,
  serve: (visitor: SignedInVisitor) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  if (isCrossSite(ctx, request)) {
    const message = 'A page of another site sent this request. Nothing was changed.';
    return refusalPage(ctx, request, 403, 'Not from here', message);
  }
  const { access, service } = ctx.ports;
  const visitor = await access.visitor(pageRequest(request));
  if (visitor.kind === 'member') return serve(visitor);
  const { signInUrl } = visitor;
  const isPost = request.method === 'POST';
  if (signInUrl !== undefined && !isPost)
    return seeOther(signInAddress(signInUrl, `${path}${searchOf(request)}`, service));
  const message = access.configured
    ? `Sign in to the application that runs ${service.name}, then ${isPost ? 'go back and send the form again' : 'reload'}.`
    : 'This service does not know who is signed in. Its operator has to set the option access.';
  return refusalPage(ctx, request, 401, 'Sign in first', message);
}

/** A workspace that the visitor may choose. */
export interface ChoosableWorkspace extends VisitorWorkspace {
  readonly name: string;
}

/** The plan sandbox has no live side. */
function sidesIn({ plan }: Workspace, { sides }: VisitorWorkspace): VisitorWorkspace['sides'] {
  return plan.name === 'sandbox' ? sides.filter((side) => side === 'sandbox') : sides;
}

/** The workspaces of the visitor that exist and are not suspended, by name. */
export async function workspacesOf(
  ctx: PublicRouteContext,
  { workspaces }: SignedInVisitor,
): Promise<readonly ChoosableWorkspace[]> {
  const byId = new Map(workspaces.slice(0, maxWorkspaces).map((workspace) => [workspace.id, workspace]));
  const workspacesByEntry = await Promise.all(
    [...byId.values()].map(async (entry) => {
      const workspace = await ctx.workspace(entry.id);
      if (workspace === undefined || workspace.suspended) return [];
      const sides = sidesIn(workspace, entry);
      return sides.length === 0 ? [] : [{ ...entry, sides, name: workspace.name }];
    }),
  );
  return workspacesByEntry.flat().sort((one, other) => one.name.localeCompare(other.name, 'en'));
}
