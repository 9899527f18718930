// time-limit: 600
// The function of docs/lambda.md in a project that installed the package: a CommonJS project, as `npm init -y` creates it,
// without TypeScript.
// full-run: long
import { randomBytes } from 'node:crypto';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { httpEvent } from '../hosts/lambda-events.ts';
import { hasPostgres, newSchema, postgresUrl, queryOnOwnConnection } from '../support/postgres-server.ts';
import { faultsOf } from './compilers.ts';
import { openWorkshop, root, runIn } from './tarball.ts';

const test = suite('package: the function of AWS Lambda');
const stock = ['better-sqlite3', 'bun@1', 'pg', 'mjml', 'juice', 'html-to-text', 'tsx', 'esbuild', '@types/node@20'];

/** A program that creates a workspace with a draft, publishes it through the function and prints the answer. */
const caller = `const { handler } = require('./examples/lambda/dist/function.cjs');
const context = { awsRequestId: '1', getRemainingTimeInMillis: () => 30000 };
async function main() {
  const { default: service } = await import('./postrider.config.mjs');
  await handler({ action: 'migrate' }, context);
  const { id: workspaceId } = await service.workspaces.create({ name: 'Acme', defaultFrom: { email: 'a@acme.example', name: 'Acme' } });
  const { secret } = await service.keys.create({ workspaceId, name: 'all', preset: 'full' });
  await service.as(workspaceId).templates.create({ key: 'hello', mode: 'html', subject: 'Hi', body: '<style>b{color:red}</style><b>Hi</b>' });
  const event = JSON.parse(process.env.EVENT);
  event.headers.authorization = 'Bearer ' + secret;
  const { statusCode, body } = await handler(event, context);
  process.stdout.write(JSON.stringify({ statusCode, body }), () => process.exit());
}
main();
`;

if (await hasPostgres()) {
  test('the function is bundled as its page says, and publishes a template', async () => {
    const workshop = await openWorkshop(stock);
    const database = newSchema();
    await queryOnOwnConnection(`create database ${database}`);
    try {
      const project = await workshop.project('function', ['pg', 'mjml', 'juice', 'html-to-text']);
      const target = new URL(postgresUrl);
      target.pathname = `/${database}`;
      const env = { DATABASE_URL: target.href, POSTRIDER_KEY: randomBytes(32).toString('base64') };
      const postrider = join(project, 'node_modules/postrider');
      await runIn(project, process.execPath, [
        join(postrider, 'dist/hosts/cli/main.js'),
        ...['init', '--yes', '--host', 'lambda', '--database', 'postgres'],
      ]);
      await workshop.add(project, ['tsx', 'esbuild', '@types/node']);
      const example = join(project, 'examples/lambda');
      await cp(join(postrider, 'examples/lambda'), example, { recursive: true });
      const compiler = join(root, 'node_modules/typescript');
      const bundler = ['--module', 'esnext', '--moduleResolution', 'bundler', '--verbatimModuleSyntax'];
      for (const file of ['function.ts', 'function-with-secrets.ts', 'build.ts'])
        assert.is(await faultsOf(compiler, project, `examples/lambda/${file}`, bundler), '', file);
      const ownSource = "export { default as service } from '../../postrider.config.mjs';\n";
      await writeFile(join(example, 'service.ts'), ownSource);
      await runIn(
        project,
        process.execPath,
        [join(project, 'node_modules/tsx/dist/cli.mjs'), 'examples/lambda/build.ts'],
        env,
      );
      await writeFile(join(project, 'call.cjs'), caller);
      const headers = { 'content-type': 'application/json' };
      const event = httpEvent({ method: 'POST', path: '/v1/templates/hello/publish', headers, body: '{}' });
      const EVENT = JSON.stringify(event);
      const { stdout } = await runIn(project, process.execPath, ['call.cjs'], { ...env, EVENT });
      const { statusCode, body } = JSON.parse(stdout) as { statusCode: number; body: string };
      assert.is(statusCode, 200, body);
    } finally {
      await queryOnOwnConnection(`drop database if exists ${database} with (force)`);
      await workshop.remove();
    }
  });
}

test.run();
