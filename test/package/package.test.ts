// time-limit: 1500
// The package as users get it: the content of the tarball, its metadata, and whether it works once installed.
// full-run: packaging
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { longTests } from '../support/long-tests.ts';
import { hasPostgres, newSchema, postgresUrl, queryOnOwnConnection } from '../support/postgres-server.ts';
import { SmtpSink } from '../support/smtp-sink.ts';
import { typeCompiler } from '../support/type-compiler.ts';
import { brokenLinks, missingCitations } from './citations.ts';
import { beyondEs2020, faultsOf, moduleSettings } from './compilers.ts';
import { lastProgram, writeDocumentFiles } from './documents.ts';
import { type Recipe, runRecipe } from './recipes.ts';
import { openWorkshop, root, runIn, type Workshop } from './tarball.ts';

const test = suite('package');
const programs = join(root, 'test/package/programs');
const sqlite = 'better-sqlite3';
const authoring = ['mjml', 'juice', 'html-to-text', '@types/node'];
/** All packages that the projects install. npm installs them once. */
const stock = [
  ...[sqlite, 'mjml', 'juice', 'html-to-text', '@types/node@20', 'pg', 'bun@1'],
  ...['qrcode', 'sharp', 'zxing-wasm', 'pdfkit', '@modelcontextprotocol/sdk', '@modelcontextprotocol/server'],
  ...['express@5', 'express-4@npm:express@4', 'fastify@5'],
  ...['next@15', 'react@19', 'react-dom@19', '@types/react@19', 'typescript@5', 'typescript-5.0@npm:typescript@5.0'],
];
const typescript6 = join(root, 'node_modules/typescript/bin/tsc');
let workshop: Workshop;
/** A project with the packages that authors of plugins and adapters need. */
let authors: string;
let sink: SmtpSink;

test.before(async () => {
  workshop = await openWorkshop(stock);
  authors = await workshop.project('authors', [sqlite, ...authoring]);
  sink = await SmtpSink.start();
});

test.after(async () => {
  // If openWorkshop failed, its error must be shown, and not an error of this hook.
  await sink?.stop();
  await workshop?.remove();
});

async function runProgram(project: string, name: string): Promise<void> {
  for (const file of [name, 'verify-send.cjs']) await copyFile(join(programs, file), join(project, file));
  const before = sink.messages.length;
  const { stdout, stderr } = await runIn(project, process.execPath, [name], { SMTP_PORT: String(sink.port) });
  assert.equal(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''), { timeline: ['send.queued', 'send.sent'] }, stderr);
  assert.is(sink.messages.length, before + 1);
  assert.match(sink.messages.at(-1)?.raw.toString() ?? '', /Subject: Hello Ada/);
}

test('the package contains programs, types and documents, and nothing else', () => {
  const { files } = workshop;
  const allowedPaths =
    /^(dist\/.*\.(js|js\.map|d\.ts)|dist\/chunks\/LICENSE(\.\w+)?-[\w.-]+|docs\/.*\.(md|png|json)|examples\/.*\.(ts|json|md|yaml)|package\.json|(README|CHANGELOG|CONTRIBUTING|SECURITY)\.md|LICENSE)$/;
  assert.equal(
    files.filter((file) => !allowedPaths.test(file)),
    [],
  );
  for (const neededFiles of [
    'dist/core/index.js',
    'dist/core/index.d.ts',

    'docs/embedding.md',
    'LICENSE',
  ])
    assert.ok(files.includes(neededFiles), neededFiles);
});

test('the package has no script that npm would run or warn about on installation', async () => {
  const { stdout } = await runIn(workshop.folder, 'tar', ['-xzOf', workshop.tarball, 'package/package.json']);
  const { scripts } = JSON.parse(stdout) as { scripts: Record<string, string> };
  // npm lists `prepare` of a tarball among the scripts to allow. It runs `postprepare` only in a clone and for git dependencies.
  const scriptNames = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare'];
  assert.equal(
    Object.keys(scripts).filter((name) => scriptNames.includes(name)),
    [],
  );
  assert.match(scripts.postprepare ?? '', /&& npm run build$/, 'a clone has what it needs for npx postrider');
});

test('links of pages and comments of declarations name only files in the package', async () => {
  await runIn(workshop.folder, 'tar', ['-xzf', workshop.tarball]);
  const package_ = join(workshop.folder, 'package');
  assert.equal(await brokenLinks(package_, workshop.files), []);
  assert.equal(await missingCitations(package_, workshop.files), []);
});

test('the program also runs in a clone, as with `npx postrider`', async () => {
  const program = join(root, 'dist/hosts/cli/main.js');
  assert.is((await stat(program)).mode & 0o111, 0o111);
  assert.match((await runIn(root, program, ['--version'])).stdout, /^\d+\.\d+\.\d+\n$/);
});

test('publint reports no problem', async () => {
  const tarball = await readFile(workshop.tarball);
  const { messages } = await publint({
    strict: true,
    pack: { tarball: tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength) as ArrayBuffer },
  });
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  assert.equal(
    messages.map((message) => formatMessage(message, manifest)),
    [],
  );
});

test('Are The Types Wrong reports that the types resolve', async () => {
  // ES modules only: `require` of them works from Node 20.19 on, which the old resolution modes do not support.
  const attw = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js');
  await runIn(root, process.execPath, [attw, workshop.tarball, '--profile', 'esm-only', '--format', 'ascii']);
});

for (const [title, express] of [
  ['express@5', 'express'],
  ['express@4', 'express@npm:express-4'],
] as const) {
  test(`the package sends a mail through ${title}, as an ES module and by require`, async () => {
    const project = await workshop.project(title, [express, sqlite, ...authoring]);
    await runProgram(project, 'shop.mjs');
    await runProgram(project, 'shop.cjs');
  });
}

test('the package sends a mail through fastify@5', async () => {
  const project = await workshop.project('fastify-5', ['fastify', sqlite, ...authoring]);
  await runProgram(project, 'shop-fastify.mjs');
});

test('the package can be imported by a process that may open only 200 files, and has few files', async () => {
  const imports = ['postrider', 'postrider/plugins', 'postrider/adapters/storage/sqlite'];
  const program = `${imports.map((name) => `await import('${name}');`).join('')} console.log('imported');`;
  await writeFile(join(authors, 'import.mjs'), program);
  const { stdout } = await runIn(authors, 'sh', ['-c', `ulimit -n 200 && exec "${process.execPath}" import.mjs`]);
  assert.is(stdout, 'imported\n');
});

test('the package has one copy of each module, and source maps that point to the sources', async () => {
  await writeFile(
    join(authors, 'trace.mjs'),
    `import { createService } from 'postrider';
import { templatesPlugin } from 'postrider/plugins';
import { templatesPlugin as alone } from 'postrider/plugins/templates';
try { createService({ plugins: 1 }); } catch (error) { console.log(JSON.stringify([templatesPlugin === alone, error.stack])); }`,
  );
  const { stdout } = await runIn(authors, process.execPath, ['--enable-source-maps', 'trace.mjs']);
  const [isOne, stack] = JSON.parse(stdout) as [boolean, string];
  assert.is(isOne, true);
  assert.match(stack, /core\/kernel\/[\w-]+\.ts:\d+:\d+/);
});

test("statements of the program's own Kysely are accepted, and stay within the workspace", async () => {
  await copyFile(join(programs, 'own-kysely.mjs'), join(authors, 'own-kysely.mjs'));
  const { stdout } = await runIn(authors, process.execPath, ['own-kysely.mjs']);
  const { n, refusal } = JSON.parse(stdout) as { n: number; refusal: string };
  assert.is(n, 2);
  assert.match(refusal, /unscoped/);
});

/** Checks the answers that every recipe of docs/hosts.md must give. Its mail arrives over SMTP. */
async function checkRecipe(recipe: Recipe): Promise<void> {
  const before = sink.messages.length;
  const answers = await runRecipe(recipe, () => sink.messages.length > before);
  assert.equal(answers, {
    refused: { status: 401, code: 'invalid_api_key' },
    broken: { status: 400, code: 'json_invalid' },
    sent: { status: 202, to: 'ada@example.com' },
  });
  assert.match(sink.messages.at(-1)?.raw.toString() ?? '', /Subject: Hello Ada/);
}

const smtp = () => ({ SMTP_HOST: '127.0.0.1', SMTP_PORT: String(sink.port), NODE_TLS_REJECT_UNAUTHORIZED: '0' });

/** For long runs. Next.js 16 uses Turbopack by default; bundlers.test.ts shows webpack with its own configuration. */
const nextBuilds = [
  ['Turbopack', ['--turbopack']],
  ['webpack', []],
] as const;
for (const [bundler, options] of longTests ? nextBuilds : []) {
  test(`the Next.js recipe of docs/hosts.md runs in production, built by ${bundler}`, async () => {
    const next = ['next', 'react', 'react-dom', '@types/react', 'typescript'];
    const project = await workshop.project(`next-${bundler.toLowerCase()}`, [...next, sqlite, ...authoring]);
    const files = await writeDocumentFiles(join(root, 'docs/hosts.md'), project);
    assert.ok(files.includes('app/messaging/[...path]/route.ts'), files.join());
    await rm(join(project, 'server.ts'));
    // As create-next-app writes it. Next adds the other options.
    const compilerOptions = { module: 'esnext', moduleResolution: 'bundler' };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    const env = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } as const;
    await runIn(project, join(project, 'node_modules/.bin/next'), ['build', ...options], env);
    const command = (port: number) => ['next', 'start', '--port', String(port)] as const;
    await checkRecipe({ project, command, env: smtp() });
  });
}

test('the Bun recipe of docs/hosts.md runs on PostgreSQL', async () => {
  if (!(await hasPostgres())) return;
  const project = await workshop.project('bun', ['bun', 'pg', ...authoring]);
  await writeDocumentFiles(join(root, 'docs/hosts.md'), project);
  const database = newSchema();
  await queryOnOwnConnection(`create database ${database}`);
  try {
    const url = new URL(postgresUrl);
    url.pathname = `/${database}`;
    await checkRecipe({ project, command: () => ['bun', 'server.ts'], env: { ...smtp(), DATABASE_URL: url.href } });
  } finally {
    await queryOnOwnConnection(`drop database ${database} with (force)`);
  }
});

/** The first command of the README. */
async function installLineOfReadme(): Promise<string | undefined> {
  return (await readFile(join(root, 'README.md'), 'utf8')).split('\n').find((line) => line.startsWith('npm install '));
}

test('`npx postrider dev` runs in an empty folder, with the packages that it asks for', async () => {
  const folder = await workshop.project('empty', []);
  const installedPackages = await readdir(join(folder, 'node_modules'));
  assert.not.ok(
    installedPackages.includes('better-sqlite3'),
    'a user of another database does not have to compile SQLite',
  );
  const dev = ['--no-install', 'postrider', 'dev', '--port', '0'];
  const refusal = await runIn(folder, 'npx', dev).then(
    () => '',
    (error: Error) => error.message,
  );
  const [, line = ''] = /For SQLite \(.*\): npm install (.*)\n/.exec(refusal) ?? [];
  assert.is(`npm install postrider ${line}`, await installLineOfReadme());
  await workshop.add(folder, line.split(' '));
  // npx does not pass signals on, so the group gets the signal, as from Ctrl-C on a terminal.
  const child = spawn('npx', dev, {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const group = -(child.pid ?? Number.NaN);
  const processClosed = once(child, 'close');
  try {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    while (!output.includes('Ctrl-C stops it') && child.exitCode === null) await wait(50);
    assert.not.match(output, /missing|needs more packages/);
    const [, origin] = /Start page +(http:\S+)/.exec(output) ?? [];
    assert.ok(origin, output);
    const answer = await fetch(`${origin}/inbox/messages`);
    // The sample sequences send more mails, at their own times.
    assert.ok(((await answer.json()) as { data: unknown[] }).data.length >= 1);
    assert.is((await fetch(`${origin}/docs`)).status, 200);
    const [, key = ''] = /Sandbox key (\S+)/.exec(output) ?? [];
    const publishAnswer = await fetch(`${origin}/v1/templates/receipt/publish`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{}',
    });
    assert.is(publishAnswer.status, 200, await publishAnswer.text());
    process.kill(group, 'SIGINT');
    await processClosed;
  } finally {
    if (child.exitCode === null && child.signalCode === null) process.kill(group, 'SIGKILL');
  }
});

test('a TypeScript program type-checks, including the declarations of the package', async () => {
  const project = await workshop.room(authors, 'typescript');
  for (const file of ['consumer.ts', 'late-plugin.ts']) await copyFile(join(programs, file), join(project, file));
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'ES2023',
    skipLibCheck: false,
    types: ['node'],
    exactOptionalPropertyTypes: true,
  };
  for (const [compiler, resolution] of [
    [typescript6, { module: 'nodenext', moduleResolution: 'nodenext' }],
    [typeCompiler, { module: 'nodenext', moduleResolution: 'nodenext' }],
    [typeCompiler, { module: 'esnext', moduleResolution: 'bundler' }],
  ] as const) {
    const config = { compilerOptions: { ...compilerOptions, ...resolution }, files: ['consumer.ts'] };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify(config));
    await runIn(project, process.execPath, [compiler, '-p', '.']);
  }
});

for (const { title, stocked, file, options, expectedError: says } of moduleSettings) {
  test(`TypeScript ${title}: ${says === undefined ? 'compiles' : 'is refused as the documents say'}`, async () => {
    const project = await workshop.room(authors, title.replace(/\W+/g, '-'));
    await copyFile(join(programs, 'composes.ts'), join(project, file));
    const faults = await faultsOf(
      join(stocked === undefined ? root : workshop.stock, 'node_modules', stocked ?? 'typescript'),
      project,
      file,
      options,
    );
    if (says === undefined) assert.is(faults, '');
    else assert.match(faults, says);
  });
}

test('docs/embedding.md names the oldest supported TypeScript, and each error', async () => {
  const text = await readFile(join(root, 'docs/embedding.md'), 'utf8');
  for (const part of ['TypeScript 5.0', 'TS1479', 'TS2307']) assert.ok(text.includes(part), part);
});

test('the declarations compile with the ES2020 library', async () => {
  assert.equal(await beyondEs2020(join(root, 'node_modules/typescript'), workshop.stock), []);
});

test('a program can export its service and write declarations', async () => {
  // As an ES module: in CommonJS the compiler does not notice a type without a name.
  const project = await workshop.room(authors, 'declarations');
  await copyFile(join(programs, 'exported-service.ts'), join(project, 'exported-service.mts'));
  const compilerOptions = {
    strict: true,
    declaration: true,
    outDir: 'out',
    module: 'nodenext',
    target: 'ES2023',
    types: ['node'],
  };
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['exported-service.mts'] }));
  await runIn(project, process.execPath, [typeCompiler, '-p', '.']);
});

/** Builds a project and runs its tests, of which at least `min` must pass. */
async function testProject(project: string, min: number): Promise<void> {
  await runIn(project, process.execPath, [typeCompiler, '-p', '.']);
  const files = (await readdir(join(project, 'dist/test'))).filter((name) => name.endsWith('.test.js'));
  const args = files.map((name) => join('dist/test', name));
  const { stdout } = await runIn(project, process.execPath, ['--test', '--test-reporter=tap', ...args]);
  assert.match(stdout, /^# fail 0$/m);
  const [, passedCount] = /^# pass (\d+)$/m.exec(stdout) ?? [];
  assert.ok(Number(passedCount) >= min, stdout);
}

/** Builds the code that a document shows in its own project and runs its tests. Returns the project's folder. */
async function buildShown(document: string, min: number): Promise<string> {
  const project = await workshop.room(authors, document);
  const files = await writeDocumentFiles(join(root, 'docs/writing-a-plugin.md'), project);
  for (const path of document === 'writing-a-plugin' ? [] : ['src', 'test'])
    await rm(join(project, path), { recursive: true });
  files.push(...(await writeDocumentFiles(join(root, `docs/${document}.md`), project)));
  assert.ok(files.length >= 4, files.join());
  await testProject(project, min);
  return project;
}

test('the plugin of docs/writing-a-plugin.md runs, including its tests', async () => {
  const project = await buildShown('writing-a-plugin', 24);
  const program = await lastProgram(join(root, 'docs/writing-a-plugin.md'));
  await writeFile(join(project, 'use.mjs'), `${program}\nconsole.log(reminder.id);\nawait service.stop();`);
  assert.match((await runIn(project, process.execPath, ['use.mjs'])).stdout, /^rmd_/);
});

test('the adapter of docs/writing-an-adapter.md runs, including its tests', async () => {
  await buildShown('writing-an-adapter', 50);
});

test('the plugin in examples/plugin-surveys runs, including its tests', async () => {
  const project = await workshop.room(authors, 'plugin-surveys');
  await cp(join(root, 'examples/plugin-surveys'), project, { recursive: true, force: true });
  await testProject(project, 50);
});

test.run();
