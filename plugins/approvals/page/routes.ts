// The page on which members decide. Each route checks access first, then serves one workspace that the visitor may see.
import {
  type ContentChangePreview,
  type ContentKind,
  type ContentPreviewContext,
  decodeCursor,
  type HttpResponse,
  isPostriderError,
  onSide,
  type PublicRequest,
  type PublicRoute,
  type PublicRouteContext,
  toPage,
  type Workspace,
} from '../../../core/index.ts';
import {
  contentHash,
  createPageGate,
  escapeHtml,
  hiddenWithoutSignIn,
  linkToken,
  type PageAccess,
  type PageOptions,
  pageRefusals,
  pageRoute,
  plainResponse,
  type RefusalWriter,
  reachWorkspace,
  seeOther,
  visibleWorkspaces,
  wordsForPeople,
} from '../../../core/unstable.ts';
import { errors } from '../errors.ts';
import { decisionsOf, presentRequest, showRequest } from '../present.ts';
import { decisionKind, type RequestResource } from '../schema.ts';
import { describeKeys } from '../store.ts';
import { type RequestRow, requestHeadRows, requestRows } from '../tables.ts';
import { decidedListHtml, listHtml, type Names, page, requestHtml, type WorkspaceRequests } from './html.ts';

const name = 'approvals';
const maxWorkspaces = 50;
const maxShown = 100;
const decidedShown = 25;
/** The maximum number of pending requests on both sides of a workspace together. */
const maxPending = 1_000;
const maxFormBytes = 20_000;

/** The relative URL of the list from the page of a request. */
const listFromRequest = `../../${name}`;

/** The names of the workspace's members, and of the keys that made requests without a member. */
async function namesIn(
  { ports, read }: PublicRouteContext,
  workspaceId: string,
  requests: readonly RequestResource[],
): Promise<Names> {
  const asking = requests.flatMap(({ submittedBy: { uid, keyId } }) => (uid === null && keyId !== null ? [keyId] : []));
  const keys = await read(workspaceId, ({ trx }) => describeKeys(trx, [...new Set(asking)]));
  const members = await ports.members.list(workspaceId);
  return new Map([...keys, ...members.map(({ uid, name: called }) => [uid, called] as const)]);
}

/** The pending requests of both sides, oldest first. */
async function waitingIn(ctx: PublicRouteContext, { id, name: called }: Workspace): Promise<WorkspaceRequests> {
  const found = await ctx.read(id, async ({ trx }) => {
    const handle = trx.bothSides('members decide about both sides');
    const rows = await requestHeadRows.page(handle, { where: { status: 'pending' }, limit: maxPending });
    const waiting = rows.reverse().map((row) => row.id);
    const ids = waiting.slice(0, maxShown);
    const decisions = await decisionsOf(handle, ids);
    const whole = await requestRows.findIn(handle, 'id', ids);
    const shown = whole
      .sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
      .map((row) => presentRequest(row, decisions.get(row.id) ?? []));
    return { requests: shown, more: waiting.length - shown.length };
  });
  return { id, name: called, ...found, names: await namesIn(ctx, id, found.requests) };
}

/**
 * A page of the requests of a workspace that are no longer pending, on both sides, newest first. @throws workspace_not_found,
 * cursor_invalid
 */
async function decidedPage(
  ctx: PublicRouteContext,
  { query }: PublicRequest,
  access: PageAccess,
  id: string,
  way: string,
): Promise<string> {
  const workspace = await reachWorkspace(ctx, access, id);
  const list = `approvals_decided:${workspace.id}`;
  const after = decodeCursor(list, query.get('after') ?? undefined);
  const { data, next_cursor: next } = await ctx.read(workspace.id, async ({ trx }) => {
    const handle = trx.bothSides('members decide about both sides');
    const rows = await requestRows.page(handle, {
      conditions: (eb) => [eb('status', '<>', 'pending')],
      after,
      limit: decidedShown + 1,
    });
    const decisions = await decisionsOf(
      handle,
      rows.map((row) => row.id),
    );
    return toPage(list, rows, decidedShown, requestRows.position, (row) =>
      presentRequest(row, decisions.get(row.id) ?? []),
    );
  });
  const names = await namesIn(ctx, workspace.id, data);
  return decidedListHtml(
    { id: workspace.id, name: workspace.name, requests: data, names, next, isFirst: after === undefined },
    way,
  );
}

const startOf = ({ ports }: PublicRouteContext, { startPage }: PublicRequest) => ({
  startPage,
  service: ports.service.name,
});

/** The request that the URL names. @throws workspace_not_found, approval_not_found */
async function requestAt(ctx: PublicRouteContext, { params }: PublicRequest, access: PageAccess) {
  const workspace = await reachWorkspace(ctx, access, params['workspace'] ?? '');
  const id = linkToken(params['id'] ?? '');
  const row = await ctx.read(workspace.id, ({ trx }) =>
    requestRows.find(trx.bothSides('members decide about both sides'), id),
  );
  if (row === undefined) throw errors.approval_not_found({ id: id.slice(0, 100) });
  return { workspace, row };
}

/** Whether the content is still the content on which members decided. */
async function isUnchanged(surface: ContentKind, viewer: ContentPreviewContext, row: RequestRow): Promise<boolean> {
  const found = await viewer.read((ctx) => surface.read(ctx, row.target_id));
  return found !== undefined && contentHash(found.content) === row.content_hash;
}

/** The change on which members decided; `another` if it cannot be shown, because the content has changed. */
async function decidedView(
  surface: ContentKind,
  viewer: ContentPreviewContext,
  row: RequestRow,
): Promise<ContentChangePreview | 'another'> {
  const previewRequest = { targetId: row.target_id, operation: row.operation, input: row.input };
  if (surface.decided !== undefined) {
    const executedAt = row.execution === 'done' ? (row.executed_at ?? undefined) : undefined;
    const { content_hash: hash, decided_at: decidedAt } = row;
    const decidedRequest = { ...previewRequest, contentHash: hash, decidedAt: decidedAt ?? viewer.now, executedAt };
    return (await surface.decided(viewer, decidedRequest)) ?? 'another';
  }
  if (surface.view === undefined || !(await isUnchanged(surface, viewer, row))) return 'another';
  return { before: null, after: (await surface.view(viewer, previewRequest)).after };
}

/**
 * The change to decide on, or the change that was decided on. Undefined if its content kind has no view or rendering fails;
 * `another` if the content has changed.
 */
async function viewOf(ctx: PublicRouteContext, workspaceId: string, row: RequestRow) {
  const surface = ctx.ports.heldCalls.contentKinds.get(row.surface_kind);
  const view = surface?.view;
  if (surface === undefined || view === undefined) return undefined;
  const { services, ports, log, now } = ctx;
  const side = <T>(work: Parameters<typeof ctx.read<T>>[1]) =>
    ctx.read(workspaceId, (tx) => work(onSide(tx, row.sandbox)));
  const viewer = { services, ports, log, now, workspaceId, read: side };
  try {
    if (row.status !== 'pending') return await decidedView(surface, viewer, row);
    return await view(viewer, { targetId: row.target_id, operation: row.operation, input: row.input });
  } catch (cause) {
    log.warn({ request_id: ctx.requestId, cause: String(cause) }, 'a change could not be rendered for approval');
    return undefined;
  }
}

/** The request that was turned down before this one, if it is still stored. */
async function earlierOf(ctx: PublicRouteContext, workspaceId: string, { supersedes, sandbox }: RequestRow) {
  if (supersedes === null) return undefined;
  return ctx.read(workspaceId, async ({ trx }) => {
    const side = trx.onSide(sandbox);
    const row = await requestRows.find(side, supersedes);
    return row === undefined ? undefined : showRequest(side, row);
  });
}

async function requestPage(ctx: PublicRouteContext, request: PublicRequest, access: PageAccess): Promise<HttpResponse> {
  const { workspace, row } = await requestAt(ctx, request, access);
  const refused = request.query.get('refused') ?? '';
  const shown = await ctx.read(workspace.id, ({ trx }) => showRequest(trx.onSide(row.sandbox), row));
  const body = requestHtml(
    {
      request: shown,
      earlier: await earlierOf(ctx, workspace.id, row),
      names: await namesIn(ctx, workspace.id, [shown]),
      view: await viewOf(ctx, workspace.id, row),
      member: access.member,
      missing: missing(refused),
      refusal: refusals.get(refused),
      isDone: request.query.has('decided') && row.status !== 'pending',
    },
    listFromRequest,
    row.id,
  );
  return page(startOf(ctx, request), shown.summary, body, 200, shown.execution?.status === 'waiting');
}

/** The messages for decisions that were not stored, by the error code in the page's URL. */
const refusals: ReadonlyMap<string, string> = new Map([
  ['self_approval', 'You asked for this, or the key that asked acts for you. Somebody else has to decide.'],
  ['not_reviewer', 'You are not among those who decide on this.'],
  ['member_not_allowed', 'You are signed in, but may not decide here.'],
  ['content_changed', 'The content has changed since you opened the page. Nothing was decided.'],
  ['state_conflict', 'Nothing was stored: you have decided on this already, or it waits no more.'],
  ['validation_failed', 'The comment is too long: it may have 2,000 characters.'],
]);

/** The decisions that need a comment, which the requester reads. */
const needsComment = (decision: string): decision is 'request_changes' | 'reject' =>
  decision === 'request_changes' || decision === 'reject';
const missing = (refused: string) => (needsComment(refused) ? refused : undefined);

/** Always redirects to another page, so that going back in the browser does not resubmit the form. */
async function decide(ctx: PublicRouteContext, request: PublicRequest, access: PageAccess): Promise<HttpResponse> {
  const { workspace, row } = await requestAt(ctx, request, access);
  const form = await request.form();
  const decision = decisionKind.safeParse(form.get('decision')).data ?? 'request_changes';
  const comment = form.get('comment') ?? '';
  const { member } = access;
  const options = { sandbox: row.sandbox, ...(member === undefined ? {} : { member }) };
  const contentHash = form.get('contentHash') ?? undefined;
  const back = (why: string): HttpResponse => seeOther(`${row.id}?refused=${why}`);
  if (needsComment(decision) && comment.trim() === '') return back(decision);
  try {
    await ctx.calls(workspace.id, name, options).approvals.decide({
      requestId: row.id,
      decision,
      ...(contentHash === undefined ? {} : { contentHash }),
      ...(comment.trim() === '' ? {} : { comment }),
    });
  } catch (error) {
    if (!isPostriderError(error) || !refusals.has(error.code)) throw error;
    return back(error.code);
  }
  return seeOther(`${row.id}?decided`);
}

/** The policy of a rendered side in its frame: no scripts, no forms; pictures only from sources that mails may use. */
const framePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data: https: http:; font-src data: https:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox";

/**
 * Makes the frame a stop of the Tab key, so that it can be scrolled by keyboard. Browsers skip frames without focusable content,
 * regardless of the frame's own tabindex. Parsers add the attributes of a second body to the first one.
 */
const tabStop = '<body tabindex="0">';

async function sideOf(ctx: PublicRouteContext, request: PublicRequest, access: PageAccess, side: 'before' | 'after') {
  const { workspace, row } = await requestAt(ctx, request, access);
  const view = await viewOf(ctx, workspace.id, row);
  const found = view === 'another' ? undefined : view?.[side];
  const html = found?.html ?? '<!doctype html><title>Nothing</title><p>There is nothing to show.</p>';
  return plainResponse('text/html; charset=utf-8', html + tabStop, { 'Content-Security-Policy': framePolicy });
}

/** All routes of the page; empty if the page is not configured. */
export function approvalRoutes(options: PageOptions | undefined): PublicRoute[] {
  if (options === undefined) return [];
  const gate = createPageGate({
    options,
    refusals: pageRefusals(errors, 'approvals'),
    owner: 'approvalsPlugin page',
  });
  const one = `/${name}/{workspace}/{id}` as const;
  const refused: RefusalWriter = async ({ status, message }, ctx, request) => {
    if (status >= 500) return undefined;
    const way = new RegExp(`/${name}/[^/?]+/`).test(request.url) ? listFromRequest : '?';
    const notFoundHtml = `<h1>Not here</h1><p>${escapeHtml(wordsForPeople(message))}</p><p><a href="${way}">All approvals</a></p>`;
    return page(startOf(ctx, request), 'Approvals', notFoundHtml, status);
  };
  const routes = [
    pageRoute(
      gate,
      { http: `GET /${name}`, description: 'What waits for a decision, as a page.' },
      async (ctx, request, access) => {
        const way = request.url.split('?', 1)[0]?.endsWith('/') ? '' : `${name}/`;
        const start = startOf(ctx, request);
        const decided = request.query.get('decided');
        if (decided !== null) return page(start, 'Decided', await decidedPage(ctx, request, access, decided, way));
        const visible = await visibleWorkspaces(ctx, access, maxWorkspaces);
        const waiting = await Promise.all(visible.map((workspace) => waitingIn(ctx, workspace)));
        return page(start, 'Approvals', listHtml(waiting, way));
      },
      refused,
    ),
    pageRoute(
      gate,
      { http: `GET ${one}`, description: 'One request for approval, with its change side by side.' },
      requestPage,
      refused,
    ),
    pageRoute(
      gate,
      { http: `POST ${one}`, description: 'Stores a decision.', maxBodyBytes: maxFormBytes },
      decide,
      refused,
    ),
    ...(['before', 'after'] as const).map((side) =>
      pageRoute(
        gate,
        { http: `GET ${one}/${side}`, description: `The change as it looks ${side} the approval.` },
        (ctx, request, access) => sideOf(ctx, request, access, side),
        refused,
      ),
    ),
  ];
  const hidden = hiddenWithoutSignIn(options);
  return routes.map((route) => ({ ...route, hidden }));
}
