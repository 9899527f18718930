// The page /connected-apps: the grants of the member who visits, over the workspaces that they may see, and a button to end each.
// Members who may end apps on the page of the console are redirected there.
import {
  type CursorPosition,
  definePublicRoute,
  type HttpResponse,
  idOf,
  type PublicRequest,
  type PublicRoute,
  type PublicRouteContext,
} from '../../../core/index.ts';
import { leadToConsole, seeOther } from '../../../core/unstable.ts';
import { appsPath, manageScopes } from '../console/apps-page.ts';
import { endGrant } from '../grants/end-grant.ts';
import { listMemberGrants } from '../grants/member-grants.ts';
import { findGrant, presentGrant } from '../grants/store.ts';
import { connectedHtml } from './connected-html.ts';
import { formToken, hasFormToken } from './form-token.ts';
import { refusalPage, writePage } from './page.ts';
import { asMember, type SignedInVisitor } from './visitor.ts';

const path = '/connected-apps';
const limit = { perMinute: 60, burst: 60 };
/** The number of grants on a page, the newest first. */
const pageSize = 100;

const positionPattern = /^(\d{1,15})-(grt_[0-9A-Z]{26})$/;

/** The start of the next page. An invalid text means the first page. */
function readPosition(text: string | null): CursorPosition | undefined {
  const [, time, id] = positionPattern.exec(text ?? '') ?? [];
  return time === undefined || id === undefined ? undefined : { createdAt: Number(time), id };
}

/** Whether the page of the console shows the visitor everything that this page does: the console is composed, and they may end apps. */
const isInConsole = ({ ports }: PublicRouteContext, { workspaces }: SignedInVisitor): boolean =>
  ports.contributions('core.console').size > 0 &&
  workspaces.length > 0 &&
  workspaces.every(({ scopes }) => manageScopes.every((scope) => scopes.has(scope)));

async function list(ctx: PublicRouteContext, request: PublicRequest, visitor: SignedInVisitor): Promise<HttpResponse> {
  if (isInConsole(ctx, visitor)) return leadToConsole(request, path, appsPath);
  const { member } = visitor;
  const after = readPosition(request.query.get('after'));
  const workspaceIds = visitor.workspaces.map(({ id }) => id);
  const grants = await listMemberGrants(ctx, { member, workspaceIds, limit: pageSize + 1, after });
  const pageGrants = grants.slice(0, pageSize);
  const last = grants.length > pageSize ? pageGrants.at(-1) : undefined;
  const body = connectedHtml({
    service: ctx.ports.service.name,
    visitor,
    apps: pageGrants.map((row) => ({
      grant: presentGrant(row),
      workspaceId: row.workspace_id,
      workspaceName: row.workspace_name,
      suspended: row.suspended_at !== null,
      formToken: formToken(ctx, member, row.id),
    })),
    scopes: ctx.ports.scopes,
    ended: request.query.has('ended'),
    isFirstPage: after === undefined,
    nextPage: last === undefined ? undefined : `?after=${Number(last.created_at)}-${last.id}`,
  });
  return writePage(ctx, request, { title: 'Connected apps', body });
}

/** Ends one grant of the member. The response is the same for a grant of another member and for a missing grant. */
async function revoke(
  ctx: PublicRouteContext,
  request: PublicRequest,
  visitor: SignedInVisitor,
): Promise<HttpResponse> {
  const form = await request.form();
  const [grantId, workspaceId] = [form.get('grant') ?? '', form.get('workspace') ?? ''];
  const { member } = visitor;
  const refuse = (status: number, message: string) => refusalPage(ctx, request, status, 'Nothing was changed', message);
  if (!hasFormToken(ctx, form, member, grantId))
    return refuse(403, 'This form did not come from the page of connected apps. Open the page again.');
  const isVisible = visitor.workspaces.some(({ id }) => id === workspaceId);
  if (!isVisible || !idOf('grt').safeParse(grantId).success || (await ctx.workspace(workspaceId)) === undefined)
    return refuse(404, 'There is no such connection.');
  await ctx.transact(workspaceId, async (tx) => {
    const grant = await findGrant(tx.trx, grantId, tx.now);
    if (grant?.member === member) await endGrant(tx, grant, 'member');
  });
  return seeOther('?ended');
}

export const connectedAppRoutes: readonly PublicRoute[] = [
  definePublicRoute({
    http: `GET ${path}`,
    description: 'The clients that act for the signed-in member.',
    limit,
    handler: (ctx, request) => asMember(ctx, request, path, (visitor) => list(ctx, request, visitor)),
  }),
  definePublicRoute({
    http: `POST ${path}`,
    description: 'Ends the access of one client.',
    limit,
    maxBodyBytes: 10_000,
    handler: (ctx, request) => asMember(ctx, request, path, (visitor) => revoke(ctx, request, visitor)),
  }),
];
