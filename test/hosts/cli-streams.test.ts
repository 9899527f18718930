// time-limit: 300
// Guarantees for calling programs: stdout contains only the answer, and the command line ends when
// asked to.
// full-run: slow
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createProjectFolder, type ProjectFolder, program, sqliteConfig } from './cli-bench.ts';

const test = suite<{ project: ProjectFolder }>('the streams of the command line');

test.before.each(async (context) => {
  context.project = await createProjectFolder();
});

test.after.each(({ project }) => project.remove());

test('stdout contains only the answer, however much the config prints', async ({ project }) => {
  const loud = `console.log('loud');\nprocess.stdout.write('bare\\n');\n`;
  await project.write('postrider.config.mjs', `${loud}${sqliteConfig()}`);
  const { stdout, stderr } = await project.run(['openapi']);
  assert.is(JSON.parse(stdout).openapi, '3.1.0');
  assert.is(stderr, 'loud\nbare\n');
  await project.json(['migrate']);
  await project.json(['workspaces', 'create', '--name', 'Acme', '--from', 'hello@acme.example']);
  const key = await project.run(['keys', 'create', '--name', 'ci', '--preset', 'send']);
  assert.match(key.stdout, /^postrider_test_\w+\n$/);
  await project.write('postrider.config.mjs', `${loud}throw new Error('broken');\n`);
  const failure = await project.run(['openapi', '--json']);
  assert.is(JSON.parse(failure.stdout).error.code, 'failed');
});

test('text from files cannot control the terminal: its control characters are printed in escaped form', async ({
  project,
}) => {
  await project.write('postrider.config.mjs', sqliteConfig());
  await project.json(['migrate']);
  await project.json(['workspaces', 'create', '--name', 'A\u009b2JB', '--from', 'hello@acme.example']);
  await project.write('odd.csv', 'na\u001b]0;owned\u0007me,\u202eage\n1,2\n');
  const { code, stderr } = await project.run(['import', 'odd.csv']);
  assert.is(code, 2);
  assert.match(stderr, /^error na\\u001b\]0;owned\\u0007me cannot be the name of an attribute: /);
  await project.write('odd.csv', '\u202eage,name\n1,2\n');
  assert.match((await project.run(['import', 'odd.csv'])).stderr, /The file has: \\u202eage, name\. /);
  const listing = await project.run(['workspaces', 'list']);
  assert.match(listing.stdout, /A\\u009b2JB/);
  const { data } = await project.json(['workspaces', 'list']);
  assert.is(data[0].name, 'A\u009b2JB');
});

test('with --json, help and a call without a command are refused as JSON', async ({ project }) => {
  for (const [words, message] of [
    [[], /^There is no command\. See: postrider --help$/],
    [['--help'], /^The help is text: leave out --json\.$/],
    [['keys', 'create', '-h'], /^The help is text/],
    [['help', 'keys'], /^The help is text/],
  ] as const) {
    const { code, stdout } = await project.run([...words, '--json']);
    assert.is(code, 2);
    const { error } = JSON.parse(stdout);
    assert.is(error.code, 'usage');
    assert.match(error.message, message);
  }
});

test('Ctrl-C ends a command whose config hangs', async ({ project }) => {
  const hanging = `process.stderr.write('hanging\\n');\nawait new Promise(() => setInterval(() => {}, 1000));\n`;
  await project.write('postrider.config.mjs', `${hanging}${sqliteConfig()}`);
  for (const [signal, exitCode] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    const call = project.start(['migrate']);
    await call.printed(/hanging/);
    const { code, stderr } = await call.stop(signal);
    assert.equal([code, stderr], [exitCode, 'hanging\nerror Interrupted.\n']);
  }
});

test('Ctrl-C ends a command that waits for stdin', async ({ project }) => {
  // The command prints on stderr when it begins to read, so that the signal comes afterwards.
  const plugin = `definePlugin({ id: 'reading', commands: [defineCommand({ name: 'read', summary: 'Read', arguments: {},
    run: async (context) => { const text = context.stdin(); context.warn('reading'); return text; } })] })`;
  const config = sqliteConfig()
    .replace('{ createService }', '{ createService, defineCommand, definePlugin }')
    .replace('plugins: standardPlugins', `plugins: [...standardPlugins, ${plugin}]`);
  await project.write('postrider.config.mjs', config);
  const child = spawn(process.execPath, [program, 'read'], { cwd: project.folder, stdio: 'pipe' });
  try {
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output === 'reading\n') child.kill('SIGINT');
    });
    const [code] = (await once(child, 'close')) as [number];
    assert.equal([code, output], [130, 'reading\nerror Interrupted.\n']);
  } finally {
    child.kill('SIGKILL');
  }
});

test('a key must have a name, and an expiry in the future', async ({ project }) => {
  await project.write('postrider.config.mjs', sqliteConfig());
  for (const [args, line] of [
    [['--name', ''], /^error --name must not be empty\. /],
    [['--name', ' '], /^error --name must not be empty\. /],
    [['--name', 'ci', '--expires', '2020-01-31'], /^error --expires 2020-01-31 is in the past\. /],
    [['--name', 'ci', '--expires', '0d'], /^error --expires 0d is in the past\. /],
    [['--name', 'ci', '--expires', '999999999999d'], /^error --expires 999999999999d is too far in the future\. /],
  ] as const) {
    const { code, stdout, stderr } = await project.run(['keys', 'create', '--preset', 'send', ...args]);
    assert.equal([code, stdout], [2, '']);
    assert.match(stderr, line);
  }
});

test('dev warns if other machines can reach it', async ({ project }) => {
  for (const [host, hasWarning] of [
    ['0.0.0.0', true],
    ['127.0.0.1', false],
  ] as const) {
    const call = project.start(['dev', '--port', '0', '--host', host]);
    await call.printed(/Ctrl-C stops it/);
    const { code, stderr } = await call.stop();
    assert.equal([code, stderr.includes('Other machines can reach this server at 0.0.0.0.')], [0, hasWarning]);
  }
});

test.run();
