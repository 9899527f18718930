// time-limit: 600
// init: the written files type-check and run in projects of every kind, and existing files stay
// unchanged.
// full-run: slow
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bundleFunction } from '../../examples/lambda/build.ts';
import { typeCompiler } from '../support/type-compiler.ts';
import { createProjectFolder, type ProjectFolder, program } from './cli-bench.ts';

const test = suite<{ project: ProjectFolder }>('postrider init');
const run = promisify(execFile);

test.before.each(async (context) => {
  context.project = await createProjectFolder();
  await context.project.install('@types/node', 'undici-types', 'better-sqlite3', 'kysely', 'zod');
});

test.after.each(({ project }) => project.remove());

const packageFile = (fields: object): string => JSON.stringify({ name: 'shop', private: true, ...fields });

const compiler = {
  target: 'ES2023',
  module: 'NodeNext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: false,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
  noEmit: true,
  types: ['node'],
};

/** The compiler's messages about the project's own files. */
async function typeFaults(project: ProjectFolder, include: readonly string[]): Promise<string[]> {
  await project.write('tsconfig.json', JSON.stringify({ compilerOptions: compiler, include }));
  const output = await run(process.execPath, [typeCompiler, '-p', '.'], {
    cwd: project.folder,
  }).catch((error: unknown) => error as { stdout: string });
  return output.stdout.split('\n').filter((line) => /^[^ ]+\.[mc]?tsx?\(/.test(line) && !line.startsWith('..'));
}

/** Runs a program of the project and returns its output. */
async function runAndRead(project: ProjectFolder, file: string, cwd = project.folder): Promise<string> {
  const flags = ['--env-file=.env', '--import', import.meta.resolve('tsx')];
  const { stdout } = await run(process.execPath, [...flags, file], {
    cwd,
    env: { ...process.env, NODE_ENV: 'development' },
  });
  return stdout;
}

/** A program that sends the mounted service two requests: one that needs no key, and one that needs a key. */
const probe = (listen: string) => `
${listen}
const answers = [];
for (const path of ['/messaging/v1/workspace', '/messaging/v1/nothing', '/own'])
  answers.push((await fetch(\`http://127.0.0.1:\${port}\${path}\`)).status);
const posted = await fetch(\`http://127.0.0.1:\${port}/messaging/v1/templates/receipt/send\`, {
  method: 'POST',
  headers: { authorization: \`Bearer \${process.env['KEY'] ?? ''}\`, 'content-type': 'application/json' },
  body: JSON.stringify({ to: 'ada@example.com', variables: { name: 'Ada', order: 'NW-1042', total: '42.00 EUR' } }),
});
answers.push(posted.status);
console.log(JSON.stringify(answers));
process.exit(0);
`;

/** Puts a key of a workspace in the project's own database into the environment of this process. */
async function issueKey(project: ProjectFolder, ...words: string[]): Promise<void> {
  await project.json(['migrate', ...words]);
  await project.json(['workspaces', 'create', '--name', 'Acme', '--from', 'a@acme.example', ...words]);
  const { secret } = await project.json(['keys', 'create', '--name', 'a', '--preset', 'full', ...words]);
  process.env['KEY'] = secret;
}

for (const [version, types] of [
  ['4', 'express=express4'],
  ['5', 'express'],
] as const) {
  test(`for Express ${version} in TypeScript, the printed lines form a working program`, async ({ project }) => {
    await project.install(
      types,
      '@types/express',
      '@types/express-serve-static-core',
      '@types/body-parser',
      '@types/connect',
      '@types/serve-static',
      '@types/http-errors',
      '@types/send',
      '@types/qs',
      '@types/range-parser',
    );
    await project.write(
      'package.json',
      packageFile({
        type: 'module',
        dependencies: { express: `^${version}.0.0` },
        devDependencies: { typescript: '^5' },
      }),
    );
    await project.write('src/old.ts', 'export {};\n');
    const answer = await project.json(['init']);
    assert.equal(
      [answer.host, answer.database, answer.written],
      ['express', 'sqlite', ['src/postrider.config.ts', '.env.example', '.env', '.gitignore']],
    );
    assert.match(answer.install, /^npm install postrider better-sqlite3 mjml juice html-to-text @types\/node$/);
    const lines = answer.mount as string[];
    const imports = lines.filter((line) => line.startsWith('import'));
    const otherLines = lines.filter((line) => !line.startsWith('import'));
    const program = `import type { AddressInfo } from 'node:net';
import express from 'express';
${imports.join('\n')}
const app = express();
app.use(express.json());
${otherLines.join('\n')}
app.get('/own', (_request, response) => void response.sendStatus(204));
const server = app.listen(0);
await new Promise((resolve) => server.once('listening', resolve));
const { port } = server.address() as AddressInfo;
`;
    // The program stops when it is asked to, as the printed lines say.
    await project.write(
      'src/app.ts',
      probe(program).replace('process.exit(0);', "process.kill(process.pid, 'SIGTERM');"),
    );
    assert.equal(await typeFaults(project, ['src']), []);
    await issueKey(project);
    assert.is((await runAndRead(project, 'src/app.ts')).trim(), '[401,404,204,202]');
  });
}

test('for Fastify in TypeScript, the printed lines form a working program, which stops when it is asked to', async ({
  project,
}) => {
  await project.install('fastify');
  await project.write(
    'package.json',
    packageFile({ dependencies: { fastify: '^5.0.0' }, devDependencies: { typescript: '^5' } }),
  );
  const answer = await project.json(['init']);
  assert.equal(
    [answer.host, answer.written],
    ['fastify', ['postrider.config.mts', '.env.example', '.env', '.gitignore']],
  );
  const lines = answer.mount as string[];
  const program = `import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
${lines.filter((line) => line.startsWith('import')).join('\n')}
const app = fastify();
${lines.filter((line) => !line.startsWith('import')).join('\n')}
app.get('/own', async (_request, reply) => reply.code(204).send());
app.post('/own', async (request) => request.body);
await app.listen({ port: 0 });
const { port } = app.server.address() as AddressInfo;
const own = await fetch(\`http://127.0.0.1:\${port}/own\`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' });
if ((await own.text()) !== '{"a":1}') throw new Error('the parsers of the program were changed');
`;
  await project.write('app.mts', probe(program).replace('process.exit(0);', "process.kill(process.pid, 'SIGTERM');"));
  assert.equal(await typeFaults(project, ['*.mts']), []);
  await issueKey(project);
  assert.is((await runAndRead(project, 'app.mts')).trim(), '[401,404,204,202]');
});

/** Checks a CommonJS program with plain Node: the loader that runs it here would also accept an ES module. */
async function writeCommonJs(project: ProjectFolder, lines: readonly string[], listening: string): Promise<void> {
  const program = `${lines.join('\n')}\n(async () => {${probe(listening)}})();\n`;
  await project.write('app.cjs', program);
  await run(process.execPath, ['--check', 'app.cjs'], { cwd: project.folder });
}

test('without a framework and TypeScript, init writes node:http in JavaScript', async ({ project }) => {
  await project.write('package.json', packageFile({}));
  const answer = await project.json(['init', '--yes']);
  assert.equal([answer.host, answer.written], ['node', ['postrider.config.mjs', '.env.example', '.env', '.gitignore']]);
  const lines = (answer.mount as string[]).map((line) => line.replace('listen(3000)', 'listen(0)'));
  const listening = `await new Promise((resolve) => server.once('listening', resolve));\nconst { port } = server.address();`;
  await writeCommonJs(project, lines, listening);
  await issueKey(project);
  assert.is((await runAndRead(project, 'app.cjs')).trim(), '[401,404,404,202]');
});

test('for Express in CommonJS, the printed lines form a working program', async ({ project }) => {
  await project.install('express');
  // With a byte order mark, as some editors write it.
  await project.write('package.json', `\uFEFF${packageFile({ dependencies: { express: '^5.0.0' } })}`);
  const answer = await project.json(['init']);
  assert.equal(
    [answer.host, answer.written],
    ['express', ['postrider.config.mjs', '.env.example', '.env', '.gitignore']],
  );
  const before = ["const express = require('express');", 'const app = express();', 'app.use(express.json());'];
  const listening = `app.get('/own', (_request, response) => void response.sendStatus(204));
const server = app.listen(0);
await new Promise((resolve) => server.once('listening', resolve));
const { port } = server.address();`;
  await writeCommonJs(project, [...before, ...answer.mount], listening);
  await issueKey(project);
  assert.is((await runAndRead(project, 'app.cjs')).trim(), '[401,404,204,202]');
});

test('for PostgreSQL init composes that adapter, and for Lambda it prints the handler', async ({ project }) => {
  await project.install('@types/pg', 'pg', 'pg-types', 'pg-protocol');
  await project.write(
    'package.json',
    packageFile({ type: 'module', dependencies: { pg: '^8' }, devDependencies: { typescript: '^5' } }),
  );
  await project.write('serverless.yml', 'service: shop\n');
  const { code, stdout, stderr } = await project.run(['init']);
  assert.equal([code, stderr], [0, '']);
  assert.match(stdout, /^AWS Lambda \(found in this project\), on PostgreSQL\.\n/);
  const handler = /In your handler:\n\n((?: {2}.*\n|\n)+)/.exec(stdout)?.[1] ?? '';
  assert.match(handler, /export const handler = lambdaHost\(service\);/);
  const storage = /postgresStorage\(\{ connectionString: DATABASE_URL, schema: 'postrider', maxConnections: 2 \}\)/;
  assert.match(await project.read('postrider.config.ts'), storage);
  assert.match(await project.read('.env.example'), /^# The database\nDATABASE_URL=postgres:/);
  await project.write('function.ts', handler);
  assert.equal(await typeFaults(project, ['function.ts']), []);
  assert.match(await project.read('postrider.config.ts'), /queue: sqsQueue\(\{ url: QUEUE_URL \}\)/);
  // Starts the bundle once, with an event, so that it writes its cache.
  await bundleFunction(join(project.folder, 'function.ts'), join(project.folder, 'dist'));
  assert.ok(existsSync(join(project.folder, 'dist', `program.${process.arch}.cache`)));
  await project.write('wrong.ts', "import service from './postrider.config.js';\nservice.dispatch(1);\n");
  assert.match((await typeFaults(project, ['wrong.ts'])).join(), /^wrong\.ts\(2,18\): error TS2345/);
  assert.ok((await project.json(['openapi'])).paths);
  const refusal = await project.run(['init', '--host', 'lambda', '--database', 'sqlite']);
  assert.equal([refusal.code, refusal.stdout], [2, '']);
  assert.match(refusal.stderr, /Use --database postgres\.\n$/);
});

/** Simulates a terminal: answers each question when it appears. */
async function atTerminal(project: ProjectFolder, answers: readonly (readonly [question: RegExp, keys: string])[]) {
  const words = [process.execPath, program, 'init'].map((word) => `'${word}'`).join(' ');
  const { CI: _ci, ...env } = process.env;
  const child = spawn('script', ['-qec', `stty cols 100; ${words}`, '/dev/null'], { cwd: project.folder, env });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const processEnd = once(child, 'close');
  for (const [question, keys] of answers) {
    while (!question.test(output)) await new Promise((done) => setTimeout(done, 20));
    child.stdin.write(keys);
  }
  const [code] = (await processEnd) as [number];
  return { code, shown: output };
}

test('on a terminal, init asks questions, with the detected values as defaults', async ({ project }) => {
  if (process.platform !== 'linux') {
    console.log('# left out: questions at a terminal, which are tried on Linux');
    return;
  }
  await project.write('package.json', packageFile({ type: 'module', dependencies: { express: '^5' } }));
  const stoppedRun = await atTerminal(project, [[/What serves your requests\?/, '\u0003']]);
  assert.is(stoppedRun.code, 1);
  assert.match(stoppedRun.shown, /Nothing was written\./);
  assert.not.ok((await readdir(project.folder)).includes('postrider.config.mjs'));
  const { code, shown } = await atTerminal(project, [
    [/What serves your requests\?/, '\r'],
    [/Which database\?/, '\u001b[B\r'],
  ]);
  assert.is(code, 0, shown);
  assert.match(shown, /Express \(found in this project\), on PostgreSQL\./);
  assert.match(await project.read('postrider.config.mjs'), /postgresStorage/);
});

test('init overwrites nothing, and names the files that it left unchanged', async ({ project }) => {
  const existingFiles = {
    'postrider.config.ts': '// mine\n',
    '.env.example': 'MINE=1\n',
    '.env': 'OTHER=1\n',
    '.gitignore': 'dist',
  };
  for (const [path, content] of Object.entries(existingFiles)) await project.write(path, content);
  await project.write(
    'package.json',
    packageFile({ type: 'module', devDependencies: { typescript: '^5' }, dependencies: { express: '^5' } }),
  );
  const first = await project.run(['init']);
  assert.is(first.code, 0);
  assert.match(
    first.stdout,
    /Wrote\n {2}\.gitignore +\.postrider\/, \.env, postrider\.sqlite\*\n\nLeft alone\n {2}postrider\.config\.ts +exists already\n {2}\.env\.example +exists already\n/,
  );
  assert.match(first.stdout, /The config reads these variables: POSTRIDER_DATABASE, SMTP_HOST, /);
  assert.equal(
    [await project.read('postrider.config.ts'), await project.read('.env.example'), await project.read('.env')],
    ['// mine\n', 'MINE=1\n', 'OTHER=1\n'],
  );
  assert.is(await project.read('.gitignore'), 'dist\n.postrider/\n.env\npostrider.sqlite*\n');
  const second = await project.json(['init']);
  assert.equal([second.written, second.left], [[], ['postrider.config.ts', '.env.example', '.gitignore']]);
  assert.is(await project.read('.gitignore'), 'dist\n.postrider/\n.env\npostrider.sqlite*\n');
});

test('.env.example has exactly the variables that the config reads; empty variables count as unset', async ({
  project,
}) => {
  await project.json(['init', '--yes']);
  const example = await project.read('.env.example');
  const config = await readFile(join(project.folder, 'postrider.config.mjs'), 'utf8');
  for (const name of example.match(/^[A-Z_]+(?==)/gm) ?? []) assert.match(config, new RegExp(`^  ${name}(,| =)`, 'm'));
  await project.write('.env', example);
  const { code, stdout } = await project.run(['doctor']);
  assert.is(code, 1, stdout);
  assert.match(stdout, /✓ Mail +capture stores mail and does not send it\n/);
});

test('in production the config refuses to capture mail if the mail server is missing or is empty', async ({
  project,
}) => {
  await project.json(['init', '--yes']);
  for (const line of ['', 'SMTP_HOST=\n', 'SMTP_HOST=127.0.0.1\n']) {
    await project.write('.env', `POSTRIDER_DATABASE=kept.sqlite\nNODE_ENV=production\n${line}`);
    const file = join(project.folder, 'postrider.config.mjs');
    const { NODE_ENV: _, ...env } = process.env;
    const loading = run(process.execPath, ['--env-file=.env', file], { cwd: project.folder, env });
    const result = await loading.then(
      () => 'loaded',
      (error: { stderr: string }) => error.stderr,
    );
    if (line.endsWith('1\n')) assert.is(result, 'loaded');
    else assert.match(result, /Error: SMTP_HOST is not set, and in production mail would be kept and not sent\./);
  }
});

test('without its variable, the config cannot be loaded, and the program does not open another database', async ({
  project,
}) => {
  await project.write('package.json', packageFile({ type: 'module' }));
  await project.json(['init', '--yes']);
  await project.write('.env', 'POSTRIDER_DATABASE=kept.sqlite\n');
  await project.write(
    'program.mjs',
    "import service from './postrider.config.mjs';\nawait service.start();\nawait service.stop();\nconsole.log('started');\n",
  );
  await project.json(['migrate']);
  assert.is((await runAndRead(project, 'program.mjs')).trim(), 'started');
  const startError = await run(process.execPath, ['program.mjs'], { cwd: project.folder }).catch(
    (error: unknown) => error,
  );
  const { stderr } = startError as { readonly stderr: string };
  assert.match(stderr, /POSTRIDER_DATABASE is not set\. Put it into \.env: .* node --env-file=\.env does\./);
  assert.not.ok((await readdir(project.folder)).includes('postrider.sqlite'));
  await project.write('.env', '');
  const refusal = await project.run(['migrate']);
  assert.is(refusal.code, 1);
  assert.match(refusal.stderr, /^error postrider\.config\.mjs cannot be loaded\. .* POSTRIDER_DATABASE is not set\. /);
});

test('an existing .env gets no line, and the output names the missing line', async ({ project }) => {
  await project.write('package.json', packageFile({ type: 'module', dependencies: { pg: '^8' } }));
  await project.write('.env', 'OTHER=1\n');
  assert.match((await project.run(['init'])).stdout, /\nAdd to \.env:\n\n {2}DATABASE_URL=postgres:\S+\n/);
  await project.write('.env', 'DATABASE_URL=postgres://127.0.0.1/shop\n');
  assert.not.match((await project.run(['init'])).stdout, /Add to \.env/);
});

test.run();
