// time-limit: 300
// init: what it reads of a project before it writes, and what it prints for it. cli-init.test.ts runs
// the written files.
import { readdir } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ProjectFolder } from './cli-bench.ts';
import { createProjectFolder } from './cli-bench.ts';

const test = suite<{ project: ProjectFolder }>('postrider init, by the files of a project');

test.before.each(async (context) => {
  context.project = await createProjectFolder();
});

test.after.each(({ project }) => project.remove());

const packageFile = (fields: object): string => JSON.stringify({ name: 'shop', private: true, ...fields });

test('for Fastify in CommonJS: the printed lines use require, too', async ({ project }) => {
  await project.write('package.json', packageFile({ dependencies: { fastify: '^5.0.0' } }));
  const { mount } = await project.json(['init']);
  assert.equal(mount.slice(0, 2), [
    "const { fastifyHost } = require('postrider/fastify');",
    "const { default: service } = require('./postrider.config.mjs');",
  ]);
});

test('for a project with mysql2: its config uses that database, and loads', async ({ project }) => {
  await project.install('mysql2');
  await project.write('package.json', packageFile({ type: 'module', dependencies: { mysql2: '^3' } }));
  await project.json(['init']);
  assert.match(await project.read('postrider.config.mjs'), /mysqlStorage\(\{ uri: DATABASE_URL \}\)/);
  assert.match(await project.read('.env.example'), /^# The database, which must exist\nDATABASE_URL=mysql:/);
  assert.ok((await project.json(['openapi'])).paths);
});

test('a project is in TypeScript by its compiler, by what runs it, or by its sources', async ({ project }) => {
  const configOf = async (path: string, content: string, fields: object = {}) => {
    const folder = path.replace(/\W/g, '-');
    await project.write(`${folder}/package.json`, packageFile({ type: 'module', ...fields }));
    await project.write(`${folder}/${path}`, content);
    const { written } = await project.json(['init', '--database', 'postgres', '--cwd', folder]);
    return (written as string[])[0];
  };
  assert.is(await configOf('server.js', ''), 'postrider.config.mjs');
  assert.is(await configOf('types.d.ts', ''), 'postrider.config.mjs');
  assert.is(await configOf('server.ts', ''), 'postrider.config.ts');
  assert.is(await configOf('src/server.mts', ''), 'src/postrider.config.ts');
  assert.is(await configOf('tsconfig.json', '{}'), 'postrider.config.ts');
  assert.is(await configOf('run.sh', '', { devDependencies: { tsx: '^4' } }), 'postrider.config.ts');
  assert.is(await configOf('main.ts', '', { type: 'commonjs' }), 'postrider.config.mts');
});

test('module settings of tsconfig.json under which nothing compiles are named, with the way out', async ({
  project,
}) => {
  const noteOf = async (tsconfig: string, fields: object = {}): Promise<string | null> => {
    await project.write('package.json', packageFile(fields));
    await project.write('tsconfig.json', tsconfig);
    return (await project.json(['init'])).compiler;
  };
  const old = '{ "compilerOptions": { "module": "commonjs" } }';
  const typescript = (range: string) => ({ devDependencies: { typescript: range } });
  assert.match(
    (await noteOf('{ "compilerOptions": { "moduleResolution": "Node10" } }')) ?? '',
    /as node10.*"nodenext"/,
  );
  assert.match((await noteOf('{ "compilerOptions": { "moduleResolution": "classic" } }')) ?? '', /as classic.*TS2307/);
  assert.match((await noteOf(old, typescript('^5.9.3'))) ?? '', /as node10/);
  assert.is(await noteOf(old, typescript('^6.0.0')), null);
  const node16 = '{ "compilerOptions": { "module": "Node16" } }';
  assert.match((await noteOf(node16)) ?? '', /"node16" no CommonJS file.*TS1479.*TypeScript 5\.8/);
  assert.is(await noteOf(node16, { type: 'module' }), null);
  const commented =
    '{ "compilerOptions": { "module": "nodenext", /* "module": "node16" */ "paths": { "@/*": ["./*"] }\n// "moduleResolution": "node10"\n} }';
  assert.is(await noteOf(commented), null);
  await project.write('tsconfig.json', node16);
  const { stdout } = await project.run(['init', '--yes']);
  assert.match(stdout, /^Under "module": "node16" no CommonJS file can import Postrider .*\n$/m);
});

test('.env has every variable of .env.example, the optional ones as comments to fill in', async ({ project }) => {
  await project.json(['init', '--database', 'postgres', '--yes']);
  const [own, example] = [await project.read('.env'), await project.read('.env.example')];
  const lines = own.split('\n');
  assert.equal(
    lines.filter((line) => /^[A-Z]/.test(line)).map((line) => line.split('=')[0]),
    ['DATABASE_URL'],
  );
  assert.is(own.replace(/^# (?=[A-Z_]+=)/gm, ''), example, 'without the marks the files are the same');
  for (const name of ['SMTP_HOST', 'SMTP_PORT', 'SMTP_USER', 'SMTP_PASSWORD', 'POSTRIDER_KEY', 'POSTRIDER_URL'])
    assert.ok(
      lines.some((line) => line.startsWith(`# ${name}=`)),
      name,
    );
});

test('the packages to install hold the framework and the driver that were chosen', async ({ project }) => {
  await project.write('package.json', packageFile({ type: 'module' }));
  const installOf = async (...words: string[]) => (await project.json(['init', ...words])).install as string;
  assert.match(await installOf('--host', 'fastify', '--database', 'mysql'), /^npm install postrider fastify mysql2 /);
  assert.match(await installOf('--host', 'express', '--database', 'postgres'), /^npm install postrider express pg /);
  assert.match(
    await installOf('--host', 'node', '--database', 'sqlite'),
    /^npm install postrider better-sqlite3 mjml /,
  );
});

test('refuses a broken package.json by name, and keeps the line ends of .gitignore', async ({ project }) => {
  await project.write('.gitignore', 'dist\r\n.env*\r\n');
  for (const broken of ['{ "type": "module", }', '[]']) {
    await project.write('package.json', broken);
    const { code, stdout, stderr } = await project.run(['init', '--yes']);
    assert.equal([code, stdout], [1, '']);
    assert.match(stderr, /^error package\.json (cannot be read|holds no JSON object).* Fix it first\.\n$/);
  }
  assert.equal((await readdir(project.folder)).sort(), ['.gitignore', 'node_modules', 'package.json']);
  await project.write('package.json', packageFile({ type: 'module' }));
  await project.json(['init']);
  assert.is(await project.read('.gitignore'), 'dist\r\n.env*\r\n.postrider/\r\npostrider.sqlite*\r\n');
});

test('keeps .env out of git from the start, and names the config wherever it is', async ({ project }) => {
  await project.write(
    'package.json',
    packageFile({ type: 'module', devDependencies: { typescript: '^5' }, dependencies: { express: '^5' } }),
  );
  await project.write('src/app.ts', '');
  await project.write('postrider.config.ts', '// mine\n');
  await project.write('pnpm-lock.yaml', '');
  const answer = await project.json(['init']);
  assert.ok(answer.mount.includes("import service from '../postrider.config.js';"));
  assert.match(answer.install, /^pnpm add postrider /);
  assert.is(await project.read('.gitignore'), '.postrider/\n.env\npostrider.sqlite*\n');
});

test.run();
