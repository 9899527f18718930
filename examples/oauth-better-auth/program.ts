// A program whose users sign in with better-auth. They give agents access to the MCP endpoint on the consent page. This page and the
// page of connected apps identify the visitor by better-auth's session. Used by main.ts and by a test.
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { fromNodeHeaders, toNodeHandler } from 'better-auth/node';
import BetterSqlite from 'better-sqlite3';
import express, { type Express } from 'express';
import { createService, type MemberAccess, type PageRequest, type SignInNeeded } from 'postrider';
import { localKeyring } from 'postrider/adapters/keyring/local';
import { captureMail } from 'postrider/adapters/mail/capture';
import { sqliteStorage } from 'postrider/adapters/storage/sqlite';
import { expressHost, expressWellKnown } from 'postrider/express';
import { standardPlugins } from 'postrider/plugins';

/** The database file of the program, its address and its secret. */
export interface ProgramOptions {
  readonly filename: string;
  readonly origin: string;
  /** Signs better-auth's cookies and encrypts the service's secrets: at least 32 characters. */
  readonly secret: string;
}

/** The page to sign in: a form without a script. */
const signInPage = `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Sign in</title><h1>Sign in</h1>
<form method="post"><label>Email <input name="email" type="email" required></label>
<label>Password <input name="password" type="password" required></label><button>Sign in</button></form>`;

/** Only our own paths, so that no link can lead a person elsewhere after the sign-in. */
const returnPath = (path: unknown): string =>
  typeof path === 'string' && /^\/(?![/\\])/.test(path) ? path : '/messaging/connected-apps';

/** The running program. */
export interface Program {
  readonly app: Express;
  /** Adds a person who may sign in. */
  addPerson(person: { readonly name: string; readonly email: string; readonly password: string }): Promise<void>;
  close(): Promise<void>;
}

/** Composes the program. Close it at the end. */
export async function createProgram({ filename, origin, secret }: ProgramOptions): Promise<Program> {
  const people = new BetterSqlite(`${filename}-people`);
  const auth = betterAuth({
    baseURL: origin,
    secret,
    database: people,
    emailAndPassword: { enabled: true },
    telemetry: { enabled: false },
  });
  await (await getMigrations(auth.options)).runMigrations();

  // All users share one workspace here. A program with customers looks up the user's workspaces.
  const workspaceIds: string[] = [];

  const access = async ({ headers }: PageRequest): Promise<MemberAccess | SignInNeeded> => {
    const session = await auth.api.getSession({ headers: new Headers({ cookie: headers['cookie'] ?? '' }) });
    if (session === null) return { signInUrl: '/sign-in' };
    const { id, name } = session.user;
    return {
      member: id,
      name,
      workspaces: workspaceIds.map((workspaceId) => ({ id: workspaceId, scopes: 'full' })),
      signOutUrl: '/sign-out',
    };
  };

  const service = createService({
    plugins: standardPlugins,
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
    access,
  });
  await service.migrate();
  const [first] = await service.workspaces.list({ limit: 1 });
  const { id } =
    first ??
    (await service.workspaces.create({ name: 'Acme', defaultFrom: { email: 'hello@acme.example', name: 'Acme' } }));
  workspaceIds.push(id);

  const app: Express = express();
  app.all('/api/auth/{*any}', toNodeHandler(auth));
  app.get('/sign-in', (_request, response) => void response.type('html').send(signInPage));
  app.post('/sign-in', express.urlencoded({ extended: false }), async (request, response) => {
    const { email, password } = request.body as { email: string; password: string };
    const signInResponse = await auth.api.signInEmail({
      body: { email, password },
      headers: fromNodeHeaders(request.headers),
      asResponse: true,
    });
    if (!signInResponse.ok) return void response.status(401).type('html').send(signInPage);
    for (const cookie of signInResponse.headers.getSetCookie()) response.append('set-cookie', cookie);
    return response.redirect(303, returnPath(request.query['return_to']));
  });
  app.get('/sign-out', async (request, response) => {
    const signOutResponse = await auth.api.signOut({ headers: fromNodeHeaders(request.headers), asResponse: true });
    for (const cookie of signOutResponse.headers.getSetCookie()) response.append('set-cookie', cookie);
    response.redirect(303, '/sign-in');
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
