// The consent page and the page of connected apps over real HTTP below a mount, with a registered client, and a program whose sign-in a
// test chooses. For the tests of these pages.
import type { MemberAccess, SignInNeeded } from '../../core/index.ts';
import { nodeHost } from '../../hosts/node/index.ts';
import { createTestService, type ParsedJson } from '../../hosts/testing/test-service.ts';
import { auditPlugin } from '../../plugins/audit/index.ts';
import { brandPlugin } from '../../plugins/brand/index.ts';
import { keysPlugin } from '../../plugins/keys/index.ts';
import type { ConsentRequest } from '../../plugins/oauth/authorize/consent-request.ts';
import { composeOAuth } from '../../plugins/oauth/compose.ts';
import { createConsentPage } from '../../plugins/oauth/consent/index.ts';
import type { ConsentPageOptions } from '../../plugins/oauth/consent/options.ts';
import { suppressionsPlugin } from '../../plugins/suppressions/index.ts';
import { webhooksPlugin } from '../../plugins/webhooks/index.ts';
import { workspacePlugin } from '../../plugins/workspace/index.ts';
import { ada, bob, pkce, startServer } from './oauth-bench.ts';

/** The answer of a page. */
export interface ConsentResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A request that is open in one browser */
export interface OpenConsent {
  readonly cookie: string;
  readonly verifier: string;
}

export type ConsentBench = Awaited<ReturnType<typeof openConsentBench>>;

/** Options of `openConsentBench`. */
export interface ConsentBenchOptions extends ConsentPageOptions {
  /** Changes the checked request before the page gets it. */
  readonly change?: (request: ConsentRequest) => ConsentRequest;
  /** (Default: the address of the test's server) */
  readonly publicUrl?: string;
  /** True if the program has the option `access` (Default: true) */
  readonly hasAccess?: boolean;
}

/** Opens the service. */
export async function openConsentBench(options: ConsentBenchOptions = {}) {
  const { change = (request) => request, publicUrl, hasAccess = true, ...pageOptions } = options;
  const page = createConsentPage(pageOptions);
  let answer: Parameters<typeof startServer>[0] = (_request, response) => response.end();
  const host = await startServer((request, response) => answer(request, response));
  // The requests to the client's redirect URI.
  const redirects: URL[] = [];
  const client = await startServer((request, response) => {
    redirects.push(new URL(request.url ?? '', 'http://127.0.0.1'));
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Client</title><h1>Connected</h1>');
  });
  const url = `${host.origin}/messaging`;
  const oauth = composeOAuth({}, { ...page, show: (ctx, http, request) => page.show(ctx, http, change(request)) });
  const signIn: { present: MemberAccess | SignInNeeded | null | ParsedJson } = { present: null };
  const test = await createTestService({
    plugins: [
      workspacePlugin(),
      keysPlugin(),
      auditPlugin(),
      brandPlugin(),
      suppressionsPlugin(),
      webhooksPlugin(),
      oauth,
    ],
    publicUrl: publicUrl ?? url,
    members: { list: async () => [ada, bob] },
    ...(hasAccess ? { access: () => signIn.present } : {}),
  });
  answer = nodeHost(test.service, { basePath: '/messaging' });

  const memberAccess = (uid: string, more: Partial<MemberAccess> = {}): MemberAccess => ({
    member: uid,
    name: uid === ada.uid ? ada.name : uid,
    workspaces: [{ id: test.workspaceId, scopes: 'full' }],
    ...more,
  });
  signIn.present = memberAccess(ada.uid);

  const ask = async (path: string, init: RequestInit = {}): Promise<ConsentResponse> => {
    // The routes have limits by address, and the clock does not move.
    test.advanceClock(1_000);
    const response = await fetch(`${url}${path}`, { redirect: 'manual', ...init });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const registerClient = async (redirectUri: string, name: string): Promise<string> => {
    const body = JSON.stringify({ client_name: name, redirect_uris: [redirectUri] });
    const { text } = await ask('/oauth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    return (JSON.parse(text) as { client_id: string }).client_id;
  };
  const redirectUri = `${client.origin}/callback`;
  const clientId = await registerClient(redirectUri, 'Helper');
  const requestedScopes = 'workspace:read brand:read brand:write suppressions:write webhooks:manage';

  return {
    ...test,
    url,
    clientId,
    redirectUri,
    received: redirects,
    signIn,
    memberAccess,
    registerClient,
    ask,
    /** The path to which the client sends the browser. */
    authorizePath(challenge: string, query: Readonly<Record<string, string>> = {}): string {
      const parameters = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        state: 'st_1',
        scope: requestedScopes,
        ...query,
      };
      return `/oauth/authorize?${new URLSearchParams(parameters)}`;
    },
    /** Opens a request in a browser of the signed-in member. */
    async begin(query: Readonly<Record<string, string>> = {}): Promise<OpenConsent> {
      const { verifier, challenge } = pkce();
      const { status, headers, text } = await ask(this.authorizePath(challenge, query));
      const cookie = headers.get('set-cookie')?.split(';', 1)[0];
      if (status !== 303 || cookie === undefined) throw new Error(`no request was opened: ${status} ${text}`);
      return { cookie, verifier };
    },
    show: ({ cookie }: Pick<OpenConsent, 'cookie'>, query = ''): Promise<ConsentResponse> =>
      ask(`/oauth/consent${query}`, { headers: { cookie } }),
    /** The fields of the page's form, as a browser would send them after "Allow" on the live side. */
    async form(open: Pick<OpenConsent, 'cookie'>): Promise<URLSearchParams> {
      const { text } = await this.show(open);
      const form = new URLSearchParams({ decision: 'allow', side: 'live' });
      for (const [input] of text.matchAll(/<input[^>]*>/g)) {
        const [, name = ''] = /\bname="([^"]*)"/.exec(input) ?? [];
        const [, value = ''] = /\bvalue="([^"]*)"/.exec(input) ?? [];
        if (!/type="(checkbox|radio)"/.test(input) || / checked/.test(input)) form.append(name, value);
      }
      return form;
    },
    send: (
      { cookie }: Pick<OpenConsent, 'cookie'>,
      form: URLSearchParams,
      headers: Readonly<Record<string, string>> = { origin: host.origin },
    ): Promise<ConsentResponse> =>
      ask('/oauth/consent', { method: 'POST', headers: { cookie, ...headers }, body: form }),
    /** Creates a grant with the code in a redirect. */
    async exchange(location: string, verifier: string): Promise<ParsedJson> {
      const code = new URL(location).searchParams.get('code') ?? '';
      const { status, text } = await ask('/oauth/token', {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: clientId,
          code,
          code_verifier: verifier,
          redirect_uri: redirectUri,
        }),
      });
      if (status !== 200) throw new Error(`no tokens: ${status} ${text}`);
      return JSON.parse(text) as ParsedJson;
    },
    /** The grants of the workspace, from the API */
    async grants(): Promise<readonly ParsedJson[]> {
      return (await test.request('/v1/oauth/grants')).body.data;
    },
    async close() {
      await test.close();
      await host.close();
      await client.close();
    },
  };
}
