// `npm start`: the whole service on one SQLite file, with one mail in the inbox already.
// POSTRIDER_HOME is its folder (Default: .postrider); PORT its port (Default: 3000, or the next one that is free).
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import express from 'express';
import { expressHost } from 'postrider/express';
import type { Furniture } from './furnish.ts';
import { furnish } from './furnish.ts';
import { inboxPages } from './inbox.ts';
import { listenFrom } from './listen.ts';
import { composeQuickstart } from './service.ts';

const home = process.env['POSTRIDER_HOME'] ?? '.postrider';
const wantedPort = Number(process.env['PORT'] ?? 3_000);
if (!Number.isInteger(wantedPort) || wantedPort < 0 || wantedPort > 65_535) {
  console.error(`PORT must be a port number, not ${process.env['PORT']}.`);
  process.exit(2);
}

const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function curlLine(origin: string, { key, template, shortExample }: Furniture): string {
  const message = JSON.stringify({ to: 'ada@example.com', variables: shortExample });
  const headers = [`Authorization: Bearer ${key}`, 'Content-Type: application/json'];
  const options = headers.map((header) => `-H ${quoteForShell(header)}`).join(' ');
  return `curl -i ${origin}/messaging/v1/templates/${template}/send ${options} -d ${quoteForShell(message)}`;
}

// Requests that come before everything is ready wait for it.
let ready: (program: express.Express) => void;
const program = new Promise<express.Express>((resolve) => {
  ready = resolve;
});
const { server, port } = await listenFrom(wantedPort, async (request, response) => (await program)(request, response));
const origin = `http://127.0.0.1:${port}`;

const { service, mail } = composeQuickstart(home, `${origin}/messaging`);
const applied = await service.migrate();
const furniture = await furnish(service, join(home, 'dev.json'));
await service.start();

const { email } = service.as(furniture.workspaceId, { actor: 'quickstart', sandbox: true });
await email.send({ template: furniture.template, to: 'grace@example.com', variables: furniture.fullExample });
await service.drain({ budgetMs: 5_000 });

const app = express();
app.use('/messaging', expressHost(service));
app.use('/inbox', inboxPages(mail));
app.get('/', (_request, response) => response.redirect('inbox'));
ready!(app);

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) process.exit(1);
  stopping = true;
  server.close();
  server.closeAllConnections();
  await service.stop();
  console.log('Stopped.');
}
process.on('SIGINT', stop).on('SIGTERM', stop);

const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const migrations =
  applied.length === 0 ? 'none to apply' : applied.map(({ namespace, id }) => `${namespace}/${id}`).join(', ');
if (wantedPort !== 0 && port !== wantedPort) console.log(`Port ${wantedPort} is taken; this is on ${port}.\n`);
console.log(`Postrider ${version}

  Database    ${relative('', join(home, 'dev.sqlite'))}
  Migrations  ${migrations}
  Workspace   ${furniture.workspaceName}, ${furniture.workspaceId}
  API         ${origin}/messaging/v1
  Inbox       ${origin}/inbox (one mail is in it)
  OpenAPI     ${origin}/messaging/v1/openapi.json
  MCP         ${origin}/messaging/v1/mcp

Send another one, then reload the inbox:

${curlLine(origin, furniture)}

Ctrl-C stops it.`);
