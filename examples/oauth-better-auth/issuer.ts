// A program whose own authorisation server is better-auth: agents get their tokens there, and the MCP endpoint accepts them by the
// published keys. Sign-in and consent are pages of the program. Used by main.ts and by a test.
import { oauthProvider } from '@better-auth/oauth-provider';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { fromNodeHeaders, toNodeHandler } from 'better-auth/node';
import { jwt } from 'better-auth/plugins';
import BetterSqlite from 'better-sqlite3';
import express, { type Express, type Request as PageRequest } from 'express';
import { createService } from 'postrider';
import { localKeyring } from 'postrider/adapters/keyring/local';
import { captureMail } from 'postrider/adapters/mail/capture';
import { sqliteStorage } from 'postrider/adapters/storage/sqlite';
import { expressHost, expressWellKnown } from 'postrider/express';
import { oauthPlugin, standardPlugins } from 'postrider/plugins';
import { consentPage, refusedPage, signInPage } from './issuer-pages.ts';
import type { Program, ProgramOptions } from './program.ts';

/** The scopes of the service with their descriptions. The server must know each scope that a client may ask for. */
const scopes = standardPlugins.flatMap((plugin) => plugin.scopes);

const queryOf = (url: string): string => url.slice(url.indexOf('?') + 1);

/** The address to which better-auth redirects the browser. */
const redirectTargetOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { url: string }).url;

/** Composes the program. Close it at the end. */
export async function createIssuerProgram({ filename, origin, secret }: ProgramOptions): Promise<Program> {
  const people = new BetterSqlite(`${filename}-people`);
  const issuer = `${origin}/api/auth`;
  const toolEndpoint = `${origin}/messaging/v1/mcp`;

  const service = createService({
    plugins: [
      ...standardPlugins.filter(({ id }) => id !== 'oauth'),
      oauthPlugin({
        issuers: [
          {
            issuer,
            audience: toolEndpoint,
            access: ({ sub, workspace_id, scope }) =>
              typeof sub === 'string' && typeof workspace_id === 'string' && typeof scope === 'string'
                ? { member: sub, workspaceId: workspace_id, scopes: scope.split(' ') }
                : undefined,
          },
        ],
      }),
    ],
    storage: sqliteStorage({ filename }),
    mail: captureMail(),
    keyring: localKeyring({ keys: [{ id: 'a', secret }] }),
    publicUrl: `${origin}/messaging`,
    members: {
      list: async () =>
        people
          .prepare<[], { id: string; name: string; email: string }>('select id, name, email from user')
          .all()
          .map(({ id, name, email }) => ({ uid: id, name, email, role: 'member' })),
    },
  });
  await service.migrate();
  const [first] = await service.workspaces.list({ limit: 1 });
  // All users share one workspace here. A program with customers looks up the user's workspace.
  const { id: workspaceId } =
    first ??
    (await service.workspaces.create({ name: 'Acme', defaultFrom: { email: 'hello@acme.example', name: 'Acme' } }));

  const auth = betterAuth({
    baseURL: origin,
    secret,
    database: people,
    emailAndPassword: { enabled: true },
    telemetry: { enabled: false },
    // The tokens of this path are not for agents.
    disabledPaths: ['/token'],
    plugins: [
      jwt(),
      oauthProvider({
        loginPage: '/sign-in',
        consentPage: '/consent',
        scopes: ['offline_access', ...scopes.map(({ scope }) => scope)],
        // Tokens for this resource are JWTs with its URL as their audience. All other tokens are opaque, and the MCP endpoint refuses them.
        resources: [toolEndpoint],
        clientRegistrationDefaultResources: [toolEndpoint],
        // Agents register themselves.
        allowDynamicClientRegistration: true,
        allowUnauthenticatedClientRegistration: true,
        // better-auth cannot revoke a JWT, so it should be short-lived.
        accessTokenExpiresIn: 900,
        customAccessTokenClaims: () => ({ workspace_id: workspaceId }),
      }),
    ],
  });
  await (await getMigrations(auth.options)).runMigrations();

  /** Passes a form on to better-auth, which continues the client's request by the signed query of the page. */
  const forwardToBetterAuth = (request: PageRequest, path: string, fields: object): Promise<Response> => {
    const { cookie = '', origin: from = '' } = request.headers;
    return auth.handler(
      new Request(`${issuer}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', cookie, origin: from },
        body: JSON.stringify({ ...fields, oauth_query: queryOf(request.url) }),
      }),
    );
  };

  const app: Express = express();
  app.all(['/api/auth/{*any}', '/.well-known/oauth-authorization-server/api/auth'], toNodeHandler(auth));
  app.get('/sign-in', (_request, response) => void response.type('html').send(signInPage));
  app.post('/sign-in', express.urlencoded({ extended: false }), async (request, response) => {
    const { email, password } = request.body as { email: string; password: string };
    const signInResponse = await forwardToBetterAuth(request, '/sign-in/email', { email, password });
    if (!signInResponse.ok) return void response.status(401).type('html').send(signInPage);
    for (const cookie of signInResponse.headers.getSetCookie()) response.append('set-cookie', cookie);
    return response.redirect(303, await redirectTargetOf(signInResponse));
  });
  app.get('/consent', async (request, response) => {
    const { client_id: clientId, scope } = request.query;
    const headers = fromNodeHeaders(request.headers);
    const client = await auth.api.getOAuthClientPublic({ query: { client_id: String(clientId) }, headers });
    const requestedScopes = new Set(String(scope).split(' '));
    const page = consentPage(
      client.client_name ?? client.client_id,
      scopes.filter((offered) => requestedScopes.has(offered.scope)),
    );
    response.set('content-security-policy', "frame-ancestors 'none'").type('html').send(page);
  });
  app.post('/consent', express.urlencoded({ extended: false }), async (request, response) => {
    const { decision, scope = [] } = request.body as { decision?: string; scope?: string | string[] };
    const choice = { accept: decision === 'allow', scope: [scope].flat().join(' ') };
    const decisionResponse = await forwardToBetterAuth(request, '/oauth2/consent', choice);
    if (!decisionResponse.ok) return void response.status(403).type('html').send(refusedPage);
    return response.redirect(303, await redirectTargetOf(decisionResponse));
  });
  app.use('/messaging', expressHost(service));
  app.use(expressWellKnown(service));

  return {
    app,
    async addPerson(person) {
      await auth.api.signUpEmail({ body: person });
    },
    async close() {
      await service.stop();
      people.close();
    },
  };
}
