// time-limit: 300
// `postrider dev` restarts when a file of the config changes: on the same port, even after faults, and no process remains.
// full-run: slow
import { execFile } from 'node:child_process';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createProjectFolder, type ProjectFolder, type RunningCall, sqliteConfig } from './cli-bench.ts';

interface Context {
  project: ProjectFolder;
  call: RunningCall;
}

const test = suite<Context>('postrider dev, watching');

test.before.each(async (context) => {
  context.project = await createProjectFolder({
    'brand.mjs': "export const brand = process.env.BRAND ?? 'First';\n",
    'postrider.config.mjs': `import { brand } from './brand.mjs';\n${sqliteConfig('name: brand,\n  openapi: { public: true },')}`,
  });
  context.call = context.project.start(['dev'], { env: { PORT: '0' } });
  await context.call.printed(/Ctrl-C stops it\./);
});

test.after.each(({ project }) => project.remove());

const originOf = ({ stdout }: RunningCall): string => /Start page +(http:\S+)/.exec(stdout)?.[1] ?? '';

const titleAt = async (origin: string): Promise<string> =>
  ((await (await fetch(`${origin}/v1/openapi.json`)).json()) as { info: { title: string } }).info.title;

async function isPortOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** The child processes of a process. */
async function childrenOf(pid: number): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return stdout
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

test('a changed import restarts dev on the same port, with the same key', async ({ project, call }) => {
  const origin = originOf(call);
  assert.is(await titleAt(origin), 'First API');
  await project.write('brand.mjs', "export const brand = 'Second';\n");
  await call.printed(new RegExp(`brand\\.mjs changed\\.\\n(?:.*\\n)*Restarted on ${origin}\\.\\n`));
  assert.is(await titleAt(origin), 'Second API');
  const callResult = await call.stop();
  assert.equal([callResult.code, callResult.stderr], [0, '']);
  assert.match(callResult.stdout, /\nStopped\.\n$/);
  assert.is(callResult.stdout.match(/Stopped\./g)?.length, 1);
  assert.is(await isPortOpen(Number(new URL(origin).port)), false);
});

test('after a fault, dev waits for the change that fixes it', async ({ project, call }) => {
  const origin = originOf(call);
  await project.write('brand.mjs', 'export const brand = ;\n');
  await call.printed(/error postrider\.config\.mjs cannot be loaded\. brand\.mjs:1: SyntaxError: .*\n/);
  await call.printed(/The server starts again after the next change of the config\.\n/);
  assert.is(await isPortOpen(Number(new URL(origin).port)), false);
  await project.write('brand.mjs', "export const brand = 'Mended';\n");
  await call.printed(/Restarted on /);
  assert.is(await titleAt(origin), 'Mended API');
});

test('a new .env counts as a change, but a file that the config does not read does not', async ({ project, call }) => {
  const origin = originOf(call);
  const untilRestarted = async (count: number) => {
    while ((call.stdout.match(/Restarted on /g)?.length ?? 0) < count)
      await new Promise((done) => setTimeout(done, 20));
  };
  await project.write('other.mjs', 'export const other = 1;\n');
  await project.write('postrider.config.mjs', await project.read('postrider.config.mjs'));
  await project.write('.env', 'BRAND=Said\n');
  await untilRestarted(1);
  assert.is(await titleAt(origin), 'Said API');
  await project.write('.env', 'BRAND=Anew\n');
  await untilRestarted(2);
  assert.is(await titleAt(origin), 'Anew API');
  assert.equal(call.stdout.match(/\S+ changed\./g), ['.env changed.', '.env changed.']);
});

test('if the watching process is killed, no other process remains', async ({ call }) => {
  const { port } = new URL(originOf(call));
  const { pid } = call.child;
  assert.ok(pid !== undefined);
  assert.is((await childrenOf(pid)).length, 1);
  call.child.kill('SIGKILL');
  await call.ended;
  while (await isPortOpen(Number(port))) await new Promise((resolve) => setTimeout(resolve, 50));
});

test.run();
