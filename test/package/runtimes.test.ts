// time-limit: 1200
// full-run: packaging
// Packaging: the packed package on each supported Node, with the better-sqlite3 that npm chooses there. Node versions that are not
// installed are skipped (test/support/runtimes.ts). package.test.ts checks the types, with TypeScript 6 and 7.
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ProgramCall } from '../hosts/program-call.ts';
import { longTests } from '../support/long-tests.ts';
import { installedRuntimes, type Runtime } from '../support/runtimes.ts';
import { SmtpSink } from '../support/smtp-sink.ts';
import { openWorkshop, root, runIn, type Workshop } from './tarball.ts';

const test = suite('package: runtimes');
const programs = join(root, 'test/package/programs');
const runtimes = installedRuntimes();
const authoring = ['mjml', 'juice', 'html-to-text'];
/** The major version of better-sqlite3 for a Node version. */
const driverFor = (major: number): 12 | 13 => (major < 22 ? 12 : 13);
const ownDriver = driverFor(Number.parseInt(process.versions.node, 10));
const otherDriver = ownDriver === 12 ? 13 : 12;
/** The name of the other driver in the stock, which has this Node's driver under its real name. */
const otherName = 'other-sqlite';
let workshop: Workshop;
let sink: SmtpSink;

const driverIn = (version: 12 | 13): string => (version === ownDriver ? 'better-sqlite3' : otherName);

/** The environment in which npm and the programs that it starts run on a Node version. */
const environmentFor = ({ node }: Runtime): NodeJS.ProcessEnv => ({
  PATH: [dirname(node), process.env['PATH'] ?? ''].join(delimiter),
});

/** Builds version 12 beside a newer Node: it is compiled with npm's headers if no binary can be downloaded. */
async function buildOtherDriver(runtime: Runtime): Promise<void> {
  const headers = join(dirname(runtime.node), `../node_modules/node-${process.platform}-${process.arch}`);
  const env = { ...environmentFor(runtime), ...(existsSync(headers) && { npm_config_nodedir: headers }) };
  await runIn(workshop.stock, 'npm', ['rebuild', otherName], env);
}

/** Each Node's project, created at its first use. */
const projects = new Map<Runtime, Promise<string>>();

function projectOf(runtime: Runtime): Promise<string> {
  const driver = `better-sqlite3@npm:${driverIn(driverFor(runtime.major))}`;
  const project = projects.get(runtime) ?? workshop.project(`node-${runtime.major}`, [driver, 'express', ...authoring]);
  projects.set(runtime, project);
  return project;
}

test.before(async () => {
  sink = await SmtpSink.start();
  const otherPackage = `${otherName}@npm:better-sqlite3@${otherDriver}`;
  workshop = await openWorkshop(['better-sqlite3', otherPackage, 'express@5', 'bun@1', '@types/node@20', ...authoring]);
  const old = runtimes.find(({ major }) => driverFor(major) === 12);
  if (otherDriver === 12 && old !== undefined) await buildOtherDriver(old);
  // package.test.ts checks the types of these sources.
  const surveys = join(workshop.folder, 'surveys');
  await cp(join(root, 'examples/plugin-surveys'), surveys, { recursive: true });
  const sources = (await readdir(surveys, { recursive: true })).filter((path) => path.endsWith('.ts'));
  const entryPoints = sources.map((path) => join(surveys, path));
  await build({ entryPoints, outbase: surveys, outdir: join(surveys, 'dist') });
});

test.after(async () => {
  await sink.stop();
  await workshop.remove();
});

for (const runtime of runtimes) {
  const { major, node } = runtime;

  // Two versions are enough: npm reads the same metadata in all of them.
  if (runtime === runtimes[0] || runtime === runtimes.at(-1))
    test(`npm chooses better-sqlite3 ${driverFor(major)} on Node ${major}`, async () => {
      const folder = join(workshop.folder, `chosen-${major}`);
      await mkdir(folder);
      await writeFile(join(folder, 'package.json'), '{ "private": true }');
      const options = ['--package-lock-only', '--ignore-scripts', '--no-audit', '--prefer-offline'];
      await runIn(folder, 'npm', ['install', ...options, workshop.tarball, 'better-sqlite3'], environmentFor(runtime));
      const { packages } = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as {
        packages: Record<string, { version: string }>;
      };
      assert.is(Number.parseInt(packages['node_modules/better-sqlite3']?.version ?? '', 10), driverFor(major));
    });

  test(`the package sends a mail on Node ${major}, as an ES module and by require`, async () => {
    const project = await projectOf(runtime);
    for (const file of ['shop.mjs', 'shop.cjs', 'verify-send.cjs'])
      await copyFile(join(programs, file), join(project, file));
    const before = sink.messages.length;
    for (const program of ['shop.mjs', 'shop.cjs']) {
      const { stdout, stderr } = await runIn(project, node, [program], { SMTP_PORT: String(sink.port) });
      const answer: unknown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
      assert.equal(answer, { timeline: ['send.queued', 'send.sent'] }, stderr);
    }
    assert.is(sink.messages.length, before + 2);
  });

  // The oldest and the newest version show what differs; long runs include those between.
  if (!longTests && runtime !== runtimes[0] && runtime !== runtimes.at(-1)) continue;

  test(`\`postrider dev\` runs on Node ${major}, and sends`, async () => {
    const project = await projectOf(runtime);
    const main = join(project, 'node_modules/postrider/dist/hosts/cli/main.js');
    const folder = join(project, 'temporary');
    await mkdir(folder);
    const options = { runtime: node, env: { TMPDIR: folder, NODE_COMPILE_CACHE: '' } };
    const call = new ProgramCall(project, ['dev', '--port', '0', '--json'], options, main);
    try {
      await call.printed(/\}\n$/);
      const { inbox, curl } = JSON.parse(call.stdout) as { inbox: string; curl: string };
      assert.match((await runIn(project, 'sh', ['-c', curl])).stdout, /^HTTP\/1\.1 202 /);
      const toAda = async () => (await (await fetch(`${inbox}/messages`)).text()).includes('ada@example.com');
      while (!(await toAda())) await new Promise((resolve) => setTimeout(resolve, 50));
      assert.is((await call.stop()).code, 0);
      const hasCompileCache = major >= 22;
      assert.is(existsSync(join(folder, 'node-compile-cache')), hasCompileCache);
    } finally {
      call.child.kill('SIGKILL');
    }
  });

  test(`the package passes the tests of a plugin on Node ${major}`, async () => {
    const folder = await workshop.room(await projectOf(runtime), 'surveys');
    await cp(join(workshop.folder, 'surveys'), folder, { recursive: true });
    // In one process, since starting a process takes longer than a file's tests.
    const files = (await readdir(join(folder, 'dist/test'))).filter((name) => name.endsWith('.test.js'));
    const program = files.map((name) => `await import('./dist/test/${name}');\n`).join('');
    await writeFile(join(folder, 'all.mjs'), program);
    const { stdout } = await runIn(folder, node, ['--test-reporter=tap', 'all.mjs']);
    assert.match(stdout, /^# fail 0$/m);
    assert.ok(Number(/^# pass (\d+)$/m.exec(stdout)?.[1]) >= 50, stdout);
  });
}

const oldest = runtimes.find(({ major }) => driverFor(major) === 12);
if (oldest !== undefined)
  test('better-sqlite3 13 on Node 20 is refused in one sentence, although the driver itself would crash', async () => {
    const project = await workshop.project('wrong-pair', [`better-sqlite3@npm:${driverIn(13)}`]);
    const main = join(project, 'node_modules/postrider/dist/hosts/cli/main.js');
    const { code, signal, stdout } = await new ProgramCall(project, ['doctor'], { runtime: oldest.node }, main).ended;
    assert.equal([code, signal], [1, null]);
    assert.match(
      stdout,
      /✗ SQLite +better-sqlite3 13\S+ crashes on Node 20\S+: .* Run: npm install better-sqlite3@12\n/,
    );
  });

const newest = runtimes.at(-1);
if (newest !== undefined && newest.major >= 24)
  test('a handle of node:sqlite is refused by name, as the database and as a transaction', async () => {
    const project = await projectOf(newest);
    await copyFile(join(programs, 'node-sqlite.mjs'), join(project, 'node-sqlite.mjs'));
    const { stdout } = await runIn(project, newest.node, ['node-sqlite.mjs']);
    const [asDatabase, asTransaction] = JSON.parse(stdout) as [string, string];
    for (const refusal of [asDatabase, asTransaction])
      assert.match(refusal, /a handle of node:sqlite \(DatabaseSync\).* Open the file with better-sqlite3/);
  });

const otherRuntime = runtimes.find(({ major }) => driverFor(major) === otherDriver);
/** Long runs include the killing test. */
const killing = longTests ? ['test/faults/kill.test.ts'] : [];
if (otherRuntime !== undefined)
  test(`the package passes the suites of storage${longTests ? ' and of killing' : ''} on better-sqlite3 ${otherDriver}, too`, async () => {
    const files = ['test/adapters/storage-sqlite.test.ts', 'test/adapters/storage-sqlite-faults.test.ts'];
    const hook = new URL('../support/driver-hook.mjs', import.meta.url).href;
    const env = {
      NODE_OPTIONS: `--import ${hook}`,
      POSTRIDER_TEST_DRIVER: join(workshop.stock, 'node_modules', otherName),
      POSTRIDER_TEST_SERVICES: '',
      POSTRIDER_TEST_POSTGRES: 'none',
      POSTRIDER_TEST_MYSQL: 'none',
    };
    const runner = ['--import', import.meta.resolve('tsx'), 'test/support/run.ts', '--compiled'];
    const { stdout } = await runIn(root, otherRuntime.node, [...runner, ...files, ...killing], env, 600);
    assert.ok(Number(/^(\d+) passed, 0 failed/m.exec(stdout)?.[1]) > 200, stdout);
  });

test.run();
