// A service with the plugin oauth behind real HTTP at /messaging, a client with a metadata document, and the steps of the flow. For the
// tests of OAuth. The consent step uses the real page without a browser.
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Member, Plugin } from '../../core/index.ts';
import { nodeHost } from '../../hosts/node/index.ts';
import {
  createTestService,
  type ParsedJson,
  type TestService,
  type TestServiceOptions,
} from '../../hosts/testing/test-service.ts';
import { auditPlugin } from '../../plugins/audit/index.ts';
import { brandPlugin } from '../../plugins/brand/index.ts';
import { keysPlugin } from '../../plugins/keys/index.ts';
import { type OAuthPluginOptions, oauthPlugin } from '../../plugins/oauth/index.ts';
import { workspacePlugin } from '../../plugins/workspace/index.ts';
import { createCertificate } from '../core/outgoing-certificate.ts';
import type { TestDatabase } from './databases.ts';
import { migratedTestService } from './migrated-tables.ts';
import { consentForm } from './oauth-form.ts';

export const ada: Member = { uid: 'u_ada', name: 'Ada Lovelace', email: 'ada@northwind.example', role: 'owner' };
export const bob: Member = { uid: 'u_bob', name: 'Bob', email: 'bob@northwind.example', role: 'member' };

/** The answer of an endpoint. */
export interface OAuthHttpResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON, or the text if it is not JSON */
  readonly body: ParsedJson;
}

/** A PKCE verifier with its challenge. */
export function pkce(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on this machine. */
interface Listening {
  readonly origin: string;
  close(): Promise<void>;
}

const certificate = createCertificate([], ['127.0.0.1']);

/** Starts a server. With TLS, only the service of the bench trusts its certificate. */
export async function startServer(handler: Handler, tls = false): Promise<Listening> {
  const server = tls ? createHttpsServer({ ...certificate }, handler) : createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http${tls ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const plugins = (options?: OAuthPluginOptions) =>
  [workspacePlugin(), keysPlugin(), auditPlugin(), brandPlugin(), oauthPlugin(options)] as const;

type Ids = ReturnType<typeof plugins>[number]['id'];

/** Parameters of a request for authorisation that replace the usual ones; null removes a parameter */
export type AuthorizeQuery = Readonly<Record<string, string | null>>;

export interface OAuthBench extends TestService<Ids> {
  /** The public URL of the service. */
  readonly url: string;
  /** The client's id: the URL of its metadata document. */
  readonly clientId: string;
  readonly redirectUri: string;
  /** The document that the client serves. A test may change it. */
  document: { body: string; status: number; headers: Record<string, string>; requests: number };
  /** The members of every workspace. A test may change them. */
  members: Member[];
  /** The scopes that the visitor of the consent page has. */
  access: { member: string; scopes: readonly string[] | 'full' };
  fetch(path: string, init?: RequestInit): Promise<OAuthHttpResponse>;
  /** Posts a form. */
  post(path: string, form: Readonly<Record<string, string>> | URLSearchParams): Promise<OAuthHttpResponse>;
  /** The URL to which the client sends the browser. */
  authorizeUrl(challenge: string, query?: AuthorizeQuery): string;
  /** Follows a URL of the authorisation endpoint, allows the request, and returns the client's redirect. */
  consent(authorizeUrl: string, choices?: Readonly<Record<string, string>>): Promise<URL>;
  /** A code with its verifier. */
  code(query?: AuthorizeQuery, choices?: Readonly<Record<string, string>>): Promise<{ code: string; verifier: string }>;
  /** Exchanges a code. */
  exchange(code: string, verifier: string, more?: Readonly<Record<string, string>>): Promise<OAuthHttpResponse>;
  /** Tokens of a new grant. */
  tokens(query?: AuthorizeQuery, choices?: Readonly<Record<string, string>>): Promise<Tokens>;
  refresh(token: string, more?: Readonly<Record<string, string>>): Promise<OAuthHttpResponse>;
  /** Calls a tool with a bearer token. (Default: read_workspace) */
  call(token: string | undefined, tool?: string, args?: Readonly<Record<string, unknown>>): Promise<OAuthHttpResponse>;
  /** The audit entries of the workspace, newest first. */
  audit(action?: string): Promise<readonly ParsedJson[]>;
}

/** The answer of the token endpoint. */
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly scope: string;
  readonly expires_in: number;
  readonly token_type: string;
}

async function answerOf(response: Response): Promise<OAuthHttpResponse> {
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

interface OAuthBenchOptions {
  readonly environment?: 'development' | 'production';
  readonly plugins?: readonly Plugin[];
}

/** Starts the service. `options` are those of the plugin oauth. `plugins` are added to the usual plugins. */
export async function openOAuthBench(
  database?: TestDatabase,
  options?: OAuthPluginOptions,
  { plugins: otherPlugins = [], ...more }: OAuthBenchOptions = {},
): Promise<OAuthBench> {
  let handle: Handler = (_request, response) => response.end();
  const host = await startServer((request, response) => handle(request, response));
  const client = await startServer((_request, response) => {
    bench.document.requests += 1;
    response.writeHead(bench.document.status, bench.document.headers).end(bench.document.body);
  }, true);
  const url = `${host.origin}/messaging`;
  const clientId = `${client.origin}/client.json`;
  const redirectUri = 'http://127.0.0.1/callback';
  const serviceOptions: TestServiceOptions<Ids> = {
    plugins: [...plugins(options), ...otherPlugins] as unknown as ReturnType<typeof plugins>,
    publicUrl: url,
    outgoing: { ca: certificate.cert },
    members: { list: async () => bench.members },
    access: () => ({
      member: bench.access.member,
      name: 'Ada',
      workspaces: [{ id: test.workspaceId, scopes: bench.access.scopes }],
    }),
    ...more,
  };
  const test = await (database === undefined
    ? createTestService(serviceOptions)
    : migratedTestService(database, serviceOptions));
  handle = nodeHost(test.service, { basePath: '/messaging' });

  const bench: OAuthBench = {
    ...test,
    url,
    clientId,
    redirectUri,
    document: {
      body: JSON.stringify({ client_id: clientId, client_name: 'Helper', redirect_uris: [redirectUri] }),
      status: 200,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      requests: 0,
    },
    members: [ada, bob],
    access: { member: ada.uid, scopes: 'full' },
    fetch: async (path, init = {}) =>
      answerOf(await fetch(path.startsWith('http') ? path : `${url}${path}`, { redirect: 'manual', ...init })),
    post: (path, form) => bench.fetch(path, { method: 'POST', body: new URLSearchParams(form) }),
    authorizeUrl(challenge, query = {}) {
      const authorizeQuery = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: 'http://127.0.0.1:53111/callback',
        code_challenge: challenge,
        code_challenge_method: 'S256',
        state: 'st_1',
        resource: `${url}/v1/mcp`,
        ...query,
      };
      const serviceOptions = Object.entries(authorizeQuery).filter(
        (pair): pair is [string, string] => pair[1] !== null,
      );
      return `${url}/oauth/authorize?${new URLSearchParams(serviceOptions)}`;
    },
    async consent(authorizeUrl, choices = {}) {
      // The routes have limits by address, and the clock does not move.
      test.advanceClock(2_000);
      const first = await bench.fetch(authorizeUrl);
      const location = first.headers.get('location') ?? '';
      const cookie = first.headers.get('set-cookie')?.split(';', 1)[0];
      if (cookie === undefined) throw new Error(`no consent page: ${first.status} ${location} ${String(first.body)}`);
      const page = new URL(location, authorizeUrl);
      if (choices['workspace'] !== undefined) page.searchParams.set('workspace', choices['workspace']);
      const consentPage = await bench.fetch(page.href, { headers: { cookie } });
      if (consentPage.status !== 200)
        throw new Error(`the consent page answers ${consentPage.status}: ${String(consentPage.body)}`);
      const consentAnswer = await bench.fetch(page.href, {
        method: 'POST',
        headers: { cookie, origin: host.origin },
        body: consentForm(String(consentPage.body), choices),
      });
      const target = consentAnswer.headers.get('location');
      if (target === null)
        throw new Error(`the consent page answers ${consentAnswer.status}: ${String(consentAnswer.body)}`);
      return new URL(target);
    },
    async code(query = {}, choices = {}) {
      const { verifier, challenge } = pkce();
      const back = await bench.consent(bench.authorizeUrl(challenge, query), choices);
      const code = back.searchParams.get('code');
      if (code === null) throw new Error(`no code: ${back.href}`);
      return { code, verifier };
    },
    exchange: (code, verifier, extra = {}) =>
      bench.post('/oauth/token', {
        grant_type: 'authorization_code',
        client_id: clientId,
        code,
        code_verifier: verifier,
        redirect_uri: 'http://127.0.0.1:53111/callback',
        ...extra,
      }),
    async tokens(query = {}, choices = {}) {
      const { code, verifier } = await bench.code(query, choices);
      const { status, body } = await bench.exchange(code, verifier);
      if (status !== 200) throw new Error(`no tokens: ${status} ${JSON.stringify(body)}`);
      return body as Tokens;
    },
    refresh: (token, extra = {}) =>
      bench.post('/oauth/token', {
        grant_type: 'refresh_token',
        client_id: clientId,
        refresh_token: token,
        ...extra,
      }),
    call: (token, tool = 'read_workspace', args = {}) =>
      bench.fetch('/v1/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } }),
      }),
    async audit(action) {
      const { body } = await test.request(`/v1/audit${action === undefined ? '' : `?action=${action}`}`);
      return body.data;
    },
    async close() {
      await test.close();
      await host.close();
      await client.close();
    },
  };
  return bench;
}
