// Who looks at the console: the member that the program's sign-in names, or in development whoever sits at this machine. Called
// first by every route of the console.
import {
  type AccessPort,
  coreErrors,
  type HttpResponse,
  type PublicRequest,
  type PublicRouteContext,
  type VisitorWorkspace,
  type Workspace,
  type WorkspaceSide,
} from '../../core/index.ts';
import {
  createAccess,
  createPageGate,
  isCrossSite,
  pageRefusals,
  pageRequest,
  seeOther,
  signInAddress,
  visibleWorkspaces,
} from '../../core/unstable.ts';
import { errors } from './errors.ts';
import type { ConsoleOptions } from './options.ts';

/** How many workspaces the picker lists. */
const maxWorkspaces = 100;

/** The person at the console. */
export interface ConsoleVisitor {
  readonly name: string;
  /** Undefined for whoever sits at this machine in development, unless the program names a member. */
  readonly member: string | undefined;
  readonly signOutUrl: string | undefined;
  /** Every workspace with all scopes, or these. */
  readonly workspaces: 'all' | readonly VisitorWorkspace[];
}

/** Finds the visitor. Undefined: the console does not exist here. A response sends the visitor to the sign-in page. */
export type FindVisitor = (
  context: PublicRouteContext,
  request: PublicRequest,
) => Promise<ConsoleVisitor | HttpResponse | undefined>;

const refusals = pageRefusals(errors, 'console');

/** Made once for each composition. */
export function createFindVisitor({ access: given, privateNetworks, localMember }: ConsoleOptions): FindVisitor {
  const local = createPageGate({
    options: privateNetworks === undefined ? {} : { privateNetworks },
    refusals,
    owner: 'consolePlugin',
  });
  const portOf = ({ ports, log }: PublicRouteContext): AccessPort =>
    given === undefined ? ports.access : createAccess(given, ports.scopes, log);
  return async (context, request) => {
    const access = portOf(context);
    const { service } = context.ports;
    if (!access.configured) {
      if (service.environment !== 'development') return undefined;
      await local(context, request);
      return { name: 'This machine', member: localMember, signOutUrl: undefined, workspaces: 'all' };
    }
    if (isCrossSite(context, request)) throw errors.console_cross_site();
    const visitor = await access.visitor(pageRequest(request));
    if (visitor.kind === 'member') return visitor;
    const { signInUrl } = visitor;
    if (signInUrl === undefined || request.method === 'POST') throw errors.console_access_denied();
    return seeOther(signInAddress(signInUrl, request.url, service));
  };
}

/** One workspace as the visitor may see it. */
export interface VisibleWorkspace {
  readonly workspace: Workspace;
  /** Every scope that the visitor has there; undefined for every scope. */
  readonly scopes: ReadonlySet<string> | undefined;
  /** At least one. */
  readonly sides: readonly WorkspaceSide[];
}

const bothSides: readonly WorkspaceSide[] = ['live', 'sandbox'];

/** The plan sandbox has no live side. Undefined if no side is left. */
function visibleOf(workspace: Workspace, rights: VisitorWorkspace | undefined): VisibleWorkspace | undefined {
  const given = rights?.sides ?? bothSides;
  const sides = workspace.plan.name === 'sandbox' ? given.filter((side) => side === 'sandbox') : given;
  return sides.length === 0 ? undefined : { workspace, scopes: rights?.scopes, sides };
}

/** The workspaces for the picker: the oldest first, at most 100. */
export async function workspacesOf(
  context: PublicRouteContext,
  { workspaces }: ConsoleVisitor,
): Promise<readonly VisibleWorkspace[]> {
  const ids = workspaces === 'all' ? workspaces : workspaces.map(({ id }) => id);
  const found = await visibleWorkspaces(context, { workspaces: ids }, maxWorkspaces);
  const rightsOf = (id: string) => (workspaces === 'all' ? undefined : workspaces.find((one) => one.id === id));
  return found.flatMap((workspace) => visibleOf(workspace, rightsOf(workspace.id)) ?? []);
}

/** A workspace by its id. @throws workspace_not_found if it does not exist, or if the visitor may not see it */
export async function visibleWorkspace(
  context: PublicRouteContext,
  { workspaces }: ConsoleVisitor,
  id: string,
): Promise<VisibleWorkspace> {
  const rights = workspaces === 'all' ? undefined : workspaces.find((one) => one.id === id);
  const mayAsk = workspaces === 'all' || rights !== undefined;
  const workspace = mayAsk ? await context.workspace(id) : undefined;
  const visible = workspace === undefined ? undefined : visibleOf(workspace, rights);
  if (visible === undefined) throw coreErrors.workspace_not_found({ id: id.slice(0, 100) });
  return visible;
}
