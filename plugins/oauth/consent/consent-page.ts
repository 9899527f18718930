// The consent page: shows a client's checked request to a member, and carries out the member's decision. Called by
// GET /oauth/authorize, and by its own routes.
import {
  definePublicRoute,
  type HttpResponse,
  isPostriderError,
  type Leash,
  type PublicRequest,
  type PublicRoute,
  type PublicRouteContext,
} from '../../../core/index.ts';
import { privateHeaders, seeOther, wordsForPeople } from '../../../core/unstable.ts';
import type { ConsentPage, ConsentRequest } from '../authorize/consent-request.ts';
import { decide } from '../authorize/decide.ts';
import { hiddenWithoutUrl } from '../routes/responses.ts';
import { connectedAppRoutes } from './connected-apps.ts';
import { type ConsentValues, consentHtml } from './consent-html.ts';
import { readDecision } from './decision.ts';
import { formToken, hasFormToken } from './form-token.ts';
import { checkCeiling, firstValues, type LeashFaults } from './leash.ts';
import type { ConsentPageOptions } from './options.ts';
import { refusalPage, writePage } from './page.ts';
import {
  type CookieFault,
  consentCookie,
  noConsentCookie,
  type WaitingRequest,
  waitingRequest,
} from './request-cookie.ts';
import { harmlessScopes, scopeChoices } from './scope-choices.ts';
import { asMember, type ChoosableWorkspace, type SignedInVisitor, workspacesOf } from './visitor.ts';

const path = '/oauth/consent';
const authorizePath = '/oauth/authorize';
const maxFormBytes = 100_000;
const limit = { perMinute: 60, burst: 60 };
const notFramed = { ...privateHeaders, 'X-Frame-Options': 'DENY' };

const cookieFaults: Readonly<Record<CookieFault, string>> = {
  missing:
    'No request is open in this browser. Go back to the program and connect it again. If that does not help, allow cookies for this site.',
  expired:
    'The request has expired: it was open for more than ten minutes. Go back to the program and connect it again.',
  of_another_member: 'Somebody else started this request. Go back to the program and connect it again.',
};

const refuse = (ctx: PublicRouteContext, request: PublicRequest, status: number, message: string): HttpResponse =>
  refusalPage(ctx, request, status, 'Not connected', message);

/**
 * The targets to which the form may redirect, as sources of a Content-Security-Policy. No hosts are listed, because
 * clients pass the code on to other hosts of their own.
 */
function formTargets({ redirectKind, redirectUri }: ConsentRequest): string {
  if (redirectKind === 'https') return 'https:';
  return redirectKind === 'loopback' ? 'http: https:' : new URL(redirectUri).protocol;
}

/** The values of the form: the member's choices, or the defaults when the page opens. */
interface ConsentFormState {
  readonly workspace: ChoosableWorkspace;
  readonly values?: ConsentValues;
  readonly faults?: LeashFaults;
}

/** The visit of a member with an open request. */
interface Visit {
  readonly ctx: PublicRouteContext;
  readonly http: PublicRequest;
  readonly visitor: SignedInVisitor;
  readonly waiting: WaitingRequest;
  readonly workspaces: readonly ChoosableWorkspace[];
}

function showConsent(
  { ctx, http, visitor, waiting, workspaces }: Visit,
  ceiling: Leash,
  filled: ConsentFormState,
): HttpResponse {
  const { request, id } = waiting;
  const { workspace, faults = new Map<string, string>() } = filled;
  const { scopes, service } = ctx.ports;
  const choices = scopeChoices(scopes, request.scopes, workspace.scopes);
  const canSend = choices.risky.length > 0;
  const values = filled.values ?? {
    side: undefined,
    scopes: new Set(harmlessScopes(choices)),
    leash: firstValues(ceiling, canSend),
  };
  const body = consentHtml({
    service: service.name,
    request,
    visitor,
    workspaces,
    workspace,
    choices,
    ceiling,
    values,
    faults,
    formToken: formToken(ctx, visitor.member, id),
  });
  const { logoUri } = request.client;
  return writePage(ctx, http, {
    title: `Connect ${request.client.name}`,
    body,
    status: faults.size === 0 ? 200 : 422,
    pictureOrigin: logoUri === undefined ? undefined : new URL(logoUri).origin,
    formTargets: formTargets(request),
  });
}

/** Serves a member with an open request and at least one workspace. */
const withRequest = (
  ctx: PublicRouteContext,
  http: PublicRequest,
  serve: (visit: Visit) => Promise<HttpResponse>,
): Promise<HttpResponse> =>
  asMember(ctx, http, path, async (visitor) => {
    const waiting = waitingRequest(ctx, http, visitor.member);
    if (typeof waiting === 'string')
      return refuse(ctx, http, waiting === 'of_another_member' ? 403 : 400, cookieFaults[waiting]);
    const workspaces = await workspacesOf(ctx, visitor);
    if (workspaces.length === 0)
      return refuse(ctx, http, 403, 'There is no workspace to which you may connect a program.');
    return serve({ ctx, http, visitor, waiting, workspaces });
  });

const workspaceIn = ({ workspaces }: Visit, id: string | null): ChoosableWorkspace | undefined =>
  workspaces.find((workspace) => workspace.id === id);

const isMember = async ({ ctx, visitor }: Visit, { id }: ChoosableWorkspace): Promise<boolean> =>
  (await ctx.ports.members.list(id)).some(({ uid }) => uid === visitor.member);

async function submit(visit: Visit, ceiling: Leash): Promise<HttpResponse> {
  const { ctx, http, visitor, waiting } = visit;
  const { request, id } = waiting;
  const form = await http.form();
  if (!hasFormToken(ctx, form, visitor.member, id))
    return refuse(
      ctx,
      http,
      403,
      'This form belongs to another request, which a newer one has replaced. Nothing was allowed.',
    );
  const end = async (decision: Parameters<typeof decide>[2]): Promise<HttpResponse> => {
    const answer = seeOther((await decide(ctx, request, decision)).redirectTo);
    return { ...answer, headers: { ...answer.headers, ...notFramed, 'Set-Cookie': noConsentCookie(ctx, http) } };
  };
  const workspace = workspaceIn(visit, form.get('workspace'));
  if (workspace === undefined) return refuse(ctx, http, 403, 'You have no access to this workspace.');
  const decision = readDecision(ctx, form, { request, visitor, workspace, ceiling });
  if (decision.kind === 'deny') return end({ deny: true });
  if (decision.kind === 'refused') return refuse(ctx, http, 403, decision.message);
  if (decision.kind === 'faulty') return showConsent(visit, ceiling, { workspace, ...decision });
  if (!(await isMember(visit, workspace)))
    return refuse(ctx, http, 403, `You are not a member of ${workspace.name}, so a program cannot act for you there.`);
  try {
    return await end({ approve: decision.approval });
  } catch (error) {
    if (!isPostriderError(error) || error.status >= 500) throw error;
    return refuse(ctx, http, error.status, wordsForPeople(error.message));
  }
}

const consentRoutes = (ceiling: Leash): readonly PublicRoute[] => [
  definePublicRoute({
    http: `GET ${path}`,
    description: 'The page on which a member allows a client to act for them.',
    hidden: hiddenWithoutUrl,
    limit,
    handler: (ctx, http) =>
      withRequest(ctx, http, async (visit) => {
        const [first] = visit.workspaces;
        const workspace = workspaceIn(visit, http.query.get('workspace')) ?? first;
        return workspace === undefined
          ? refuse(ctx, http, 403, 'You have no access to this workspace.')
          : showConsent(visit, ceiling, { workspace });
      }),
  }),
  definePublicRoute({
    http: `POST ${path}`,
    description: "Carries out a member's decision, and leads back to the client.",
    hidden: hiddenWithoutUrl,
    limit,
    maxBodyBytes: maxFormBytes,
    handler: (ctx, http) => withRequest(ctx, http, (visit) => submit(visit, ceiling)),
  }),
];

/** The pages of members: consent, and connected apps. */
export function createConsentPage({ ceiling = {} }: ConsentPageOptions = {}): ConsentPage {
  const checkedCeiling = checkCeiling(ceiling);
  return {
    show: (ctx, http, asked) =>
      asMember(ctx, http, authorizePath, async ({ member }) => {
        const cookie = consentCookie(ctx, http, member, asked);
        if (cookie === undefined) return refuse(ctx, http, 400, 'The request of the program is too long.');
        // If the address ends in a slash, redirect first: the cookie's path is the folder of the address.
        const [, search = ''] = http.url.split(/(?=\?)/, 2);
        if (/\/$/.test(http.url.split('?', 1)[0] ?? '')) return seeOther(`../authorize${search}`);
        const answer = seeOther('consent');
        return { ...answer, headers: { ...answer.headers, ...notFramed, 'Set-Cookie': cookie } };
      }),
    showError: async (ctx, http, message) => refuse(ctx, http, 400, message),
    redirectToClient: (ctx, http, redirectTo) => asMember(ctx, http, authorizePath, async () => seeOther(redirectTo)),
    routes: [...consentRoutes(checkedCeiling), ...connectedAppRoutes],
  };
}
