// time-limit: 300
// The command line finds a project's service, or reports why it cannot.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createProjectFolder, type ProjectFolder, sqliteConfig } from './cli-bench.ts';

const test = suite<{ project: ProjectFolder }>('the config');

test.before.each(async (context) => {
  context.project = await createProjectFolder();
});

test.after.each(({ project }) => project.remove());

const titleOf = async (project: ProjectFolder, ...words: string[]): Promise<string> =>
  (await project.json(['openapi', ...words])).info.title;

const functionConfig = (head: string): string =>
  `${sqliteConfig("name: 'Made',").replace('export default createService(', `export default ${head} createService(`).trimEnd()}\n`;

test('the config may be TypeScript with imports, on every Node', async ({ project }) => {
  await project.write('brand.ts', "enum Kind { First = 'Typed' }\nexport const brand: string = Kind.First;\n");
  await project.write(
    'postrider.config.ts',
    `import { brand } from './brand.js';\n${sqliteConfig('name: brand satisfies string,')}`,
  );
  assert.is(await titleOf(project), 'Typed API');
  const { code, stderr } = await project.run(['migrate']);
  assert.equal([code, stderr], [0, '']);
  await project.write('tsconfig.json', '{ "compilerOptions": { "paths": { "@/*": ["./*"] } } }');
  await project.write(
    'postrider.config.ts',
    `import { brand } from '@/brand';\n${sqliteConfig("name: brand + 'Path',")}`,
  );
  assert.is(await titleOf(project), 'TypedPath API');
});

test('the config may be ESM or CommonJS, next to the sources, or at the path of --config', async ({ project }) => {
  await project.write('other/some.mjs', sqliteConfig("name: 'Elsewhere',"));
  assert.is(await titleOf(project, '--config', 'other/some.mjs'), 'Elsewhere API');
  await project.write('src/postrider.config.mjs', sqliteConfig("name: 'Source',"));
  assert.is(await titleOf(project), 'Source API');
  const common = sqliteConfig("name: 'Common',")
    .replaceAll(/import (\{.*\}) from ('.*');/g, 'const $1 = require($2);')
    .replace('export default', 'module.exports =');
  await project.write('postrider.config.cjs', common);
  assert.is(await titleOf(project), 'Common API');
});

test('the config may export a function, in ESM and CommonJS', async ({ project }) => {
  await project.write('postrider.config.mjs', functionConfig('() =>'));
  assert.is(await titleOf(project), 'Made API');
  await project.write('postrider.config.mjs', functionConfig('async () =>'));
  assert.is(await titleOf(project), 'Made API');
});

test('.env is read and does not override variables that are set', async ({ project }) => {
  await project.write('.env', 'BRAND=Said\n');
  await project.write('postrider.config.mjs', sqliteConfig('name: process.env.BRAND,'));
  assert.is(await titleOf(project), 'Said API');
  const { stdout, stderr } = await project.run(['openapi'], { env: { BRAND: 'Set' } });
  assert.is(JSON.parse(stdout).info.title, 'Set API');
  assert.is(stderr, '');
});

test('an error in the config is reported in one line, with its position', async ({ project }) => {
  const faults: [content: string, line: RegExp][] = [
    [
      'export const service = 1;\n',
      /^error postrider\.config\.mjs has no default export\. Write: export default createService\(\{ … \}\)\n$/,
    ],
    [
      'export default { plugins: [] };\n',
      /^error The default export of postrider\.config\.mjs must be a service or a function that returns one; it is object\. /,
    ],
    ['export default 42;\n', /it is number\./],
    [
      'export default async () => undefined;\n',
      /^error The function that postrider\.config\.mjs exports must return a service; it returned undefined\.\n$/,
    ],
    [
      '\n\nthrow new TypeError("out of order");\n',
      /^error postrider\.config\.mjs cannot be loaded\. postrider\.config\.mjs:3:7: TypeError: out of order\n$/,
    ],
    [
      '\nexport default () => { throw new Error("no vault"); };\n',
      /^error postrider\.config\.mjs cannot be loaded\. postrider\.config\.mjs:2:\d+: no vault\n$/,
    ],
    ['const a = 1;\nconst a = 2;\n', /^error postrider\.config\.mjs cannot be loaded\. postrider\.config\.mjs:2.*a/],
    [
      "import '@acme/missing/inner';\n",
      /^error postrider\.config\.mjs needs the package @acme\/missing, which is not installed: npm install @acme\/missing\n$/,
    ],
    ["import './nothing.mjs';\n", /^error postrider\.config\.mjs cannot be loaded\. .*nothing\.mjs/],
    [
      "import { x } from './inner.mjs';\nexport default x;\n",
      /^error postrider\.config\.mjs cannot be loaded\. inner\.mjs:2:\d+: ReferenceError: nobody is not defined\n$/,
    ],
  ];
  await project.write('inner.mjs', 'export const x =\n  nobody;\n');
  for (const [content, line] of faults) {
    await project.write('postrider.config.mjs', content);
    const { code, stdout, stderr } = await project.run(['openapi']);
    assert.equal([code, stdout], [1, ''], content);
    assert.match(stderr, line);
  }
});

test('an error in a TypeScript config is reported with its position, too', async ({ project }) => {
  const faults: [content: string, line: RegExp][] = [
    [
      'const a: number = 1;\nexport default = ;\n',
      /^error postrider\.config\.ts cannot be loaded\. postrider\.config\.ts:2:\d+: /,
    ],
    [
      'const a: number = 1;\nexport default nobody as number;\n',
      /^error postrider\.config\.ts cannot be loaded\. postrider\.config\.ts:2:\d+: ReferenceError: nobody is not defined\n$/,
    ],
    [
      "import { x } from 'not-there';\nexport default x;\n",
      /^error postrider\.config\.ts needs the package not-there, which is not installed: npm install not-there\n$/,
    ],
  ];
  for (const [content, line] of faults) {
    await project.write('postrider.config.ts', content);
    const { code, stdout, stderr } = await project.run(['openapi']);
    assert.equal([code, stdout], [1, ''], content);
    assert.match(stderr, line);
  }
});

test('an error names the plugins of a config that collide', async ({ project }) => {
  const configWithPlugins = (plugins: string) =>
    sqliteConfig().replace('plugins: standardPlugins', `plugins: [...standardPlugins, ${plugins}]`);
  await project.write('postrider.config.mjs', configWithPlugins("standardPlugins.find(({ id }) => id === 'audit')"));
  const few = await project.run(['openapi']);
  assert.equal([few.code, few.stdout], [1, '']);
  assert.match(
    few.stderr,
    /^error postrider\.config\.mjs cannot be loaded\. postrider\.config\.mjs:\d+:\d+: CompositionError: The service cannot be composed:\n {2}The plugin audit is listed twice\.\n$/,
  );
  await project.write('postrider.config.mjs', configWithPlugins('...standardPlugins'));
  assert.match((await project.run(['openapi'])).stderr, /\n {2}… and \d+ more, which --verbose shows\.\n$/);
});

test('the error for a missing config names it, and a parent folder that has one', async ({ project }) => {
  const missingConfig = await project.run(['openapi', '--config', 'none.ts']);
  assert.equal(
    [missingConfig.code, missingConfig.stderr],
    [1, 'error There is no config at none.ts. Check --config.\n'],
  );
  await project.write('inner/file.txt', '');
  await project.write('postrider.config.mjs', sqliteConfig());
  const above = await project.run(['keys', 'list', '--cwd', 'inner']);
  assert.is(above.code, 1);
  assert.is(
    above.stderr,
    'error There is no postrider.config here, and no development database. A parent folder has a config: --cwd ... Run postrider init, or postrider dev.\n',
  );
});

test('a service that leaves timers and sockets open does not keep the command running', async ({ project }) => {
  await project.write(
    'postrider.config.mjs',
    `import { createServer } from 'node:net';\ncreateServer().listen(0);\nsetInterval(() => {}, 1_000);\n${sqliteConfig()}`,
  );
  assert.is((await project.run(['migrate'])).code, 0);
});

test.run();
