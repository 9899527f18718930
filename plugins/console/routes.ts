// The routes of the console: the redirect to the first page, every page and the forms of pages. Each route finds the visitor first, then
// the workspace, then the page. A page makes calls only in the person's name, so it can read and change nothing else.
import {
  type ConsoleContext,
  type ConsolePageContent,
  type ConsolePageDeclaration,
  type ConsoleView,
  type HttpResponse,
  isPostriderError,
  type PostriderError,
  type PublicRequest,
  type PublicRoute,
  type PublicRouteContext,
} from '../../core/index.ts';
import {
  emptyNotice,
  fileGate,
  html,
  type PageVisitor,
  pageFiles,
  pageRoute,
  relativePathToPage,
  seeOther,
  visibleWorkspace,
  wantsPage,
  wordsForPeople,
} from '../../core/unstable.ts';
import { errors } from './errors.ts';
import { type FoundPage, type Location, locationOf, pageAt, segmentNames, segmentsOf, sideOf } from './location.ts';
import { contentOf, firstPage, holdsAll, isPage, navigationFor } from './navigation.ts';
import type { ConsoleOptions } from './options.ts';
import { entriesFor } from './overview-page.ts';
import { createPageContext } from './page-context.ts';
import { searchPage } from './search.ts';
import {
  addressOf,
  type Crumb,
  documentPage,
  downloadResponse,
  fileOfPage,
  type Notice,
  type Shell,
  shellPage,
} from './shell.ts';
import { createGate, hiddenReason, workspacesOf } from './visitor.ts';

const name = 'console';
const limit = { name: 'console', perMinute: 600, burst: 300 };
/** The largest form, in bytes. */
const maxFormBytes = 4_000_000;

const files = pageFiles(name, async () => (await import('./assets.gen.ts')).assets, fileGate);

async function shellOf(
  context: PublicRouteContext,
  request: PublicRequest,
  visitor: PageVisitor,
  location: Location | undefined,
): Promise<Shell> {
  const { ports } = context;
  const { service } = ports;
  const root = relativePathToPage(name, request.url);
  return {
    service: service.name,
    root,
    urlOf: await files.urls(root),
    startPage: request.startPage,
    visitor,
    workspaces: await workspacesOf(context, visitor),
    location,
    navigation: location === undefined ? [] : navigationFor(entriesFor(ports, location.scopes), location.scopes, ports),
    area: request.params['one'],
  };
}

/** Every page. The search comes first, so that no plugin takes its path. */
const pagesOf = (
  { ports }: PublicRouteContext,
  { navigation }: Shell,
  { scopes }: Location,
): readonly ConsolePageDeclaration[] => [searchPage(navigation), ...entriesFor(ports, scopes).filter(isPage)];

const aboutScopes: ReadonlySet<string> = new Set(['console_scope_missing', 'insufficient_scope']);

function headingOf({ status, code }: PostriderError): string {
  if (status === 401) return 'Sign in first';
  if (status === 404) return 'Not here';
  return aboutScopes.has(code) ? 'Not for your role' : 'That did not work';
}

/** The content of a refusal. Sentences about routes of the API are left out. */
function refusalView(error: PostriderError, requestId: string): ConsoleView {
  return {
    heading: headingOf(error),
    body: html`<div class="card empty"><p>${wordsForPeople(error.message)}</p><p class="quiet">Request ${requestId}</p></div>`,
  };
}

/** The pages above a page, by the beginnings of its path, as far as the person may see them. */
function crumbsOf(context: PublicRouteContext, shell: Shell, location: Location, { page, params }: FoundPage): Crumb[] {
  const pattern = page.path.split('/');
  const above = pagesOf(context, shell, location).filter(
    ({ path }) => path.length < page.path.length && page.path.startsWith(`${path}/`),
  );
  const filled = (path: string): string =>
    path.replace(/\{(\w+)\}/g, (_, parameter: string) => params[parameter] ?? '');
  const crumbs = above
    .filter((one) => holdsAll(location.scopes, one))
    .map((one) => ({ text: one.title, href: addressOf(shell, location, filled(one.path)) }));
  return pattern.length === 1 ? [{ text: page.area }] : [{ text: page.area }, ...crumbs];
}

/** Everything about a request that names a workspace. */
interface Visit {
  readonly visitor: PageVisitor;
  readonly location: Location;
  readonly shell: Shell;
}

/** The notice of a form that was carried out and led back to the page. */
function doneNotice({ actions = {} }: ConsolePageContent, { query }: PublicRequest): Notice | undefined {
  const name = query.get('done') ?? '';
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  return action !== undefined && 'done' in action ? { tone: 'good', text: action.done } : undefined;
}

/** The notice of a form that was refused, and the texts that the person wrote. */
interface RefusedForm extends Notice {
  readonly form?: ConsoleContext['refusedForm'];
}

/** Shows a page, after `before` has run. Browsers get a page for a refusal, too. */
async function showPage(
  context: PublicRouteContext,
  request: PublicRequest,
  { visitor, location, shell }: Visit,
  before?: (found: FoundPage) => Promise<HttpResponse | RefusedForm>,
): Promise<HttpResponse> {
  try {
    const found = pageAt(pagesOf(context, shell, location), request);
    const { page } = found;
    if (!holdsAll(location.scopes, page)) throw errors.console_scope_missing({ scopes: page.scopes });
    const earlier = await before?.(found);
    if (earlier !== undefined && 'status' in earlier) return earlier;
    const ctx = createPageContext(context, request, visitor, { shell, location, found, refusedForm: earlier?.form });
    const content = await contentOf(page);
    const view = await content.render(ctx);
    if ('document' in view) return documentPage(view);
    if ('download' in view) return downloadResponse(view);
    if ('respond' in view) return fileOfPage(await view.respond(context, request));
    const notice = earlier ?? doneNotice(content, request);
    const crumbs = crumbsOf(context, shell, location, found);
    return shellPage(shell, view, { crumbs, notice, status: notice?.tone === 'bad' ? 422 : 200, style: content.style });
  } catch (error) {
    if (!isPostriderError(error) || error.status >= 500 || !wantsPage(request)) throw error;
    const answer = shellPage(shell, refusalView(error, context.requestId), { status: error.status });
    return { ...answer, headers: { ...answer.headers, Vary: 'Accept' } };
  }
}

/** Runs the action that a form names, and leads back to the page, so that reloading it sends nothing again. */
async function runAction(
  context: PublicRouteContext,
  request: PublicRequest,
  visit: Visit,
  found: FoundPage,
): Promise<HttpResponse | RefusedForm> {
  const { action: actionName = '', key: idempotencyKey = '', ...fields } = Object.fromEntries(await request.form());
  const { actions = {}, style } = await contentOf(found.page);
  const action = Object.hasOwn(actions, actionName) ? actions[actionName] : undefined;
  if (action === undefined || idempotencyKey === '')
    return { tone: 'bad', text: 'The form was not complete. Nothing was changed. Reload the page and try again.' };
  const ctx = createPageContext(context, request, visit.visitor, { ...visit, found });
  try {
    const form = { idempotencyKey, fields };
    if ('reveal' in action) {
      const crumbs = crumbsOf(context, visit.shell, visit.location, found);
      return shellPage(visit.shell, await action.reveal(ctx, form), { crumbs, style });
    }
    if ('leadTo' in action) return seeOther(addressOf(visit.shell, visit.location, await action.leadTo(ctx, form)));
    await action.run(ctx, form);
  } catch (error) {
    if (!isPostriderError(error) || error.status >= 500) throw error;
    const form = { action: actionName, fields };
    return { tone: 'bad', text: `Nothing was changed. ${wordsForPeople(error.message)}`, form };
  }
  const query = { ...ctx.query, done: actionName };
  return seeOther(addressOf(visit.shell, visit.location, segmentsOf(request).join('/'), query));
}

/** Refuses before a location is known: browsers get a page without navigation. */
async function refused(error: PostriderError, context: PublicRouteContext, request: PublicRequest) {
  if (error.status >= 500 || !wantsPage(request)) return undefined;
  const nobody: PageVisitor = { name: '', member: undefined, signOutUrl: undefined, workspaces: [] };
  const shell = await shellOf(context, request, nobody, undefined);
  const answer = shellPage(shell, refusalView(error, context.requestId), { status: error.status });
  return { ...answer, headers: { ...answer.headers, ...error.headers, Vary: 'Accept' } };
}

type Serve = (context: PublicRouteContext, request: PublicRequest, visitor: PageVisitor) => Promise<HttpResponse>;

/**
 * Redirects to the first page that the visitor may see, or to the `page` of the query with its own query. The workspace is the one in the
 * path or in the query, otherwise the first workspace.
 */
const toFirstPage: Serve = async (context, request, visitor) => {
  const [first] = await workspacesOf(context, visitor);
  const named = request.params['workspace'] ?? request.query.get('workspace');
  const location =
    named === null ? first && sideOf(first, request) : sideOf(await visibleWorkspace(context, visitor, named), request);
  const shell = await shellOf(context, request, visitor, location);
  const page = request.query.get('page') ?? firstPage(shell.navigation)?.path;
  if (location !== undefined && page !== undefined) {
    const [path = '', values = ''] = page.split('?', 2);
    return seeOther(addressOf(shell, location, path, Object.fromEntries(new URLSearchParams(values))));
  }
  const sentence =
    location === undefined
      ? 'There is no workspace that you may see.'
      : 'Your role cannot open any page of this workspace. Ask the person who manages the roles of your team.';
  return shellPage(shell, { heading: 'Nothing here yet', body: emptyNotice(sentence) });
};

const visitOf = async (context: PublicRouteContext, request: PublicRequest, visitor: PageVisitor): Promise<Visit> => {
  const location = await locationOf(context, request, visitor);
  return { visitor, location, shell: await shellOf(context, request, visitor, location) };
};

const read: Serve = async (context, request, visitor) =>
  showPage(context, request, await visitOf(context, request, visitor));

const write: Serve = async (context, request, visitor) => {
  const visit = await visitOf(context, request, visitor);
  return showPage(context, request, visit, (found) => runAction(context, request, visit, found));
};

/** The paths of pages, from one segment to four. */
const pagePaths = segmentNames.map(
  (_, index): `/${string}` =>
    `/${name}/{workspace}/${segmentNames
      .slice(0, index + 1)
      .map((segment) => `{${segment}}`)
      .join('/')}`,
);

/** The routes of the console. */
export function consoleRoutes(options: ConsoleOptions): PublicRoute[] {
  const gate = createGate(options);
  const route = (http: `${'GET' | 'POST'} /${string}`, description: string, serve: Serve): PublicRoute =>
    pageRoute(gate, { http, description, limit, maxBodyBytes: maxFormBytes }, serve, refused);
  const routes = [
    route(`GET /${name}`, 'Leads to the first page of the console.', toFirstPage),
    route(`GET /${name}/{workspace}`, 'Leads to the first page of a workspace.', toFirstPage),
    ...pagePaths.flatMap((path) => [
      route(`GET ${path}`, 'A page of the console.', read),
      route(`POST ${path}`, 'A form of a page of the console.', write),
    ]),
    files.route,
  ];
  return routes.map((route) => ({ ...route, hidden: hiddenReason(options) }));
}
