// The program on a port, with one person: npx tsx examples/oauth-better-auth/main.ts
// With --issuer, agents get their tokens from better-auth, otherwise from the service.
import { mkdir } from 'node:fs/promises';
import { createIssuerProgram } from './issuer.ts';
import { createProgram } from './program.ts';

const isIssuer = process.argv.includes('--issuer');
const port = Number(process.env['PORT'] ?? 3_000);
const origin = `http://localhost:${port}`;
const secret = process.env['SECRET'] ?? 'only for trying: make one of your own';
const ada = { name: 'Ada', email: 'ada@example.com', password: 'tea and maps' };

await mkdir('.postrider', { recursive: true });
const { app, addPerson, close } = isIssuer
  ? await createIssuerProgram({ filename: '.postrider/better-auth-issuer.sqlite', origin, secret })
  : await createProgram({ filename: '.postrider/better-auth.sqlite', origin, secret });
// A later start finds the person.
await addPerson(ada).catch(() => undefined);
const server = app.listen(port, 'localhost', () => {
  console.log(`Connect an agent: claude mcp add --transport http acme ${origin}/messaging/v1/mcp
Sign in as ${ada.email} with the password "${ada.password}".`);
  if (!isIssuer) console.log(`Connected apps: ${origin}/messaging/connected-apps`);
});

async function stop(): Promise<void> {
  server.close();
  server.closeAllConnections();
  await close();
}
process.once('SIGINT', stop).once('SIGTERM', stop);
