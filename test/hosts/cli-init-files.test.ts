// time-limit: 300
// init: what it reads in a project before it writes, and what it prints. cli-init.test.ts runs
// the written files.
// full-run: slow
import { readdir } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createProjectFolder, type ProjectFolder } from './cli-bench.ts';

const test = suite<{ project: ProjectFolder }>('postrider init, by the files of a project');

test.before.each(async (context) => {
  context.project = await createProjectFolder();
});

test.after.each(({ project }) => project.remove());

const packageFile = (fields: object): string => JSON.stringify({ name: 'shop', private: true, ...fields });

test('for Fastify in CommonJS, the printed lines use require, too', async ({ project }) => {
  await project.write('package.json', packageFile({ dependencies: { fastify: '^5.0.0' } }));
  const { mount } = await project.json(['init']);
  assert.equal(mount.slice(0, 2), [
    "const { fastifyHost } = require('postrider/fastify');",
    "const { default: service } = require('./postrider.config.mjs');",
  ]);
});

test('for a project with mysql2, the config uses that database, and loads', async ({ project }) => {
  await project.install('mysql2');
  await project.write('package.json', packageFile({ type: 'module', dependencies: { mysql2: '^3' } }));
  await project.json(['init']);
  assert.match(await project.read('postrider.config.mjs'), /mysqlStorage\(\{ uri: DATABASE_URL \}\)/);
  assert.match(await project.read('.env.example'), /^# The database, which must exist\nDATABASE_URL=mysql:/);
  assert.ok((await project.json(['openapi'])).paths);
});

test('init detects TypeScript by the compiler, by the program that runs it, or by the sources', async ({ project }) => {
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

test('init names settings in tsconfig.json under which nothing compiles, together with the remedy', async ({
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
  const commentedConfig =
    '{ "compilerOptions": { "module": "nodenext", /* "module": "node16" */ "paths": { "@/*": ["./*"] }\n// "moduleResolution": "node10"\n} }';
  assert.is(await noteOf(commentedConfig), null);
  await project.write('tsconfig.json', node16);
  const { stdout } = await project.run(['init', '--yes']);
  assert.match(stdout, /^Under "module": "node16" no CommonJS file can import Postrider .*\n$/m);
});

test('.env has every variable of .env.example, with optional variables as comments', async ({ project }) => {
  await project.json(['init', '--database', 'postgres', '--yes']);
  const [ownText, example] = [await project.read('.env'), await project.read('.env.example')];
  const lines = ownText.split('\n');
  assert.equal(
    lines.filter((line) => /^[A-Z]/.test(line)).map((line) => line.split('=')[0]),
    ['DATABASE_URL'],
  );
  assert.is(ownText.replace(/^# (?=[A-Z_]+=)/gm, ''), example, 'without the marks the files are the same');
  for (const name of ['SMTP_HOST', 'SMTP_PORT', 'SMTP_USER', 'SMTP_PASSWORD', 'POSTRIDER_KEY', 'POSTRIDER_URL'])
    assert.ok(
      lines.some((line) => line.startsWith(`# ${name}=`)),
      name,
    );
});

test('on PostgreSQL the tables get their own schema, and each migration tool is kept away from it', async ({
  project,
}) => {
  const filtersOf = async (packages: readonly string[], ...words: string[]) => {
    const dependencies = Object.fromEntries(packages.map((name) => [name, '*']));
    await project.write('package.json', packageFile({ type: 'module', dependencies }));
    const { filters } = await project.json(['init', '--cwd', '.', ...words]);
    return (filters as { tool: string; lines: string[] }[]).map(({ tool, lines }) => [tool, ...lines]);
  };
  const all = ['drizzle-kit', '@prisma/client', '@mikro-orm/core', 'typeorm', 'knex', 'kysely', 'sequelize'];
  assert.equal(await filtersOf(all, '--database', 'postgres'), [
    ['drizzle-kit', "schemaFilter: ['public'],"],
    ['Prisma'],
    ['MikroORM', "schemaGenerator: { ignoreSchema: ['postrider'] },"],
  ]);
  assert.match(
    await project.read('postrider.config.mjs'),
    /storage: postgresStorage\(\{ connectionString: DATABASE_URL, schema: 'postrider' \}\),/,
  );
  // If a config exists, its tables may be in any schema.
  assert.equal(await filtersOf(['drizzle-orm', 'knex'], '--database', 'postgres'), [['drizzle-kit']]);
  assert.equal(await filtersOf(['knex', 'kysely', 'sequelize', 'pg']), []);
});

test('on MariaDB and SQLite init prints the filter that each migration tool needs for the prefix', async ({
  project,
}) => {
  const init = async (fields: object, database: string) => {
    await project.write('package.json', packageFile({ type: 'module', ...fields }));
    return (await project.run(['init', '--database', database, '--yes'])).stdout;
  };
  const drizzle = await init({ devDependencies: { 'drizzle-kit': '^0.31' } }, 'mysql');
  assert.match(drizzle, /\ndrizzle-kit push drops .* drizzle\.config\.ts:\n\n {2}tablesFilter: \['!postrider_\*'\],\n/);
  assert.not.match(await project.read('postrider.config.mjs'), /schema/);
  const prisma = await init({ devDependencies: { prisma: '^7' } }, 'sqlite');
  assert.match(
    prisma,
    /prisma\.config\.ts.*:\n\n {2}experimental: .*\n {2}tables: \{ external: \['postrider_sends', …\] \},\n/,
  );
  const mikro = await init({ dependencies: { '@mikro-orm/core': '^7' } }, 'mysql');
  assert.match(mikro, /\n\n {2}schemaGenerator: \{ skipTables: \[\/\^postrider_\/\] \},\n/);
  assert.match(await init({ dependencies: { typeorm: '^1' } }, 'sqlite'), /\nTypeORM keeps .* dropSchema .*\n/);
  assert.not.match(await init({ dependencies: { knex: '^3' } }, 'sqlite'), /drop|filter/i);
});

test('the packages to install include the chosen framework and driver', async ({ project }) => {
  await project.write('package.json', packageFile({ type: 'module' }));
  const installOf = async (...words: string[]) => (await project.json(['init', ...words])).install as string;
  assert.match(await installOf('--host', 'fastify', '--database', 'mysql'), /^npm install postrider fastify mysql2 /);
  assert.match(await installOf('--host', 'express', '--database', 'postgres'), /^npm install postrider express pg /);
  assert.match(
    await installOf('--host', 'node', '--database', 'sqlite'),
    /^npm install postrider better-sqlite3 mjml /,
  );
});

test('init refuses a broken package.json by name, and keeps the line ends of .gitignore', async ({ project }) => {
  await project.write('.gitignore', 'dist\r\n.env*\r\n');
  for (const broken of ['{ "type": "module", }', '[]']) {
    await project.write('package.json', broken);
    const { code, stdout, stderr } = await project.run(['init', '--yes']);
    assert.equal([code, stdout], [1, '']);
    assert.match(stderr, /^error package\.json (cannot be read|does not contain a JSON object).* Fix it first\.\n$/);
  }
  assert.equal((await readdir(project.folder)).sort(), ['.gitignore', 'node_modules', 'package.json']);
  await project.write('package.json', packageFile({ type: 'module' }));
  await project.json(['init']);
  assert.is(await project.read('.gitignore'), 'dist\r\n.env*\r\n.postrider/\r\npostrider.sqlite*\r\n');
});

test('init keeps .env out of git from the start, and names the config wherever it is', async ({ project }) => {
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
