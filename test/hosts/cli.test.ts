// time-limit: 600
// The command line as a whole: help, version, usage errors, exit codes, JSON, colours, closed pipes.
// full-run: slow
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { commands } from '../../hosts/cli/commands.ts';
import { createTestService } from '../../hosts/testing/index.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { createProjectFolder, type ProjectFolder, program, sqliteConfig } from './cli-bench.ts';

const test = suite<{ project: ProjectFolder }>('the command line');
const escapeCharacter = String.fromCharCode(27);

test.before.each(async (context) => {
  context.project = await createProjectFolder();
});

test.after.each(({ project }) => project.remove());

test('--version prints the version in package.json', async ({ project }) => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  for (const args of [['--version'], ['-v'], ['migrate', '--version']])
    assert.equal(await project.run(args), { code: 0, signal: null, stdout: `${version}\n`, stderr: '' });
  assert.equal(await project.json(['--version']), { version });
});

test('the help lists every command', async ({ project }) => {
  for (const args of [['--help'], ['-h'], ['help']]) {
    const { code, stdout, stderr } = await project.run(args);
    assert.equal([code, stderr], [0, '']);
    for (const { name, summary } of commands)
      assert.ok(stdout.includes(`  ${name}`) && stdout.includes(summary.slice(0, 30)), name);
  }
  const withoutCommand = await project.run([]);
  assert.equal([withoutCommand.code, withoutCommand.stdout], [2, '']);
  assert.match(withoutCommand.stderr, /Usage\n {2}postrider COMMAND/);
});

test('each command has its own help, with examples that call it', async () => {
  for (const { name, examples = [], arguments: declaredArguments } of commands) {
    assert.ok(examples.length > 0, `${name} has no example`);
    for (const [call] of examples) assert.ok(call.includes(`postrider ${name}`), `${name}: ${call}`);
    for (const argument of Object.keys(declaredArguments)) assert.match(argument, /^[a-z]+(-[a-z]+)*$/);
  }
});

test('help is available for a command, for a group, and through the word help', async ({ project }) => {
  const ownHelp = await project.run(['keys', 'create', '--help']);
  assert.is(ownHelp.code, 0);
  for (const part of [
    'Usage\n  postrider keys create --name NAME [options]',
    '--preset PRESET',
    '(read, send, author, full)',
    'required',
    '--json',
    'Examples',
  ])
    assert.ok(ownHelp.stdout.includes(part), `${part}\n${ownHelp.stdout}`);
  assert.is((await project.run(['help', 'keys', 'create'])).stdout, ownHelp.stdout);
  const group = await project.run(['keys', '--help']);
  assert.match(group.stdout, /keys create.*\n.*keys list.*\n.*keys find.*\n.*keys revoke/);
  assert.is(group.code, 0);
});

test('a wrong call ends with exit code 2 and one line that says how to fix it', async ({ project }) => {
  const wrong: [args: string[], line: RegExp][] = [
    [['kyes'], /^error There is no command kyes\. Did you mean postrider keys\? See: postrider --help\n$/],
    [['migarte'], /^error There is no command migarte\. Did you mean postrider migrate\? See: postrider --help\n$/],
    [['keys'], /^error postrider keys needs a second word: create, list, find, revoke\.\n$/],
    [
      ['contacts', 'import', 'a.csv'],
      /^error postrider contacts has no command import\. Its commands: export\. Did you mean postrider import\?\n$/,
    ],
    [
      ['keys', 'craete'],
      /^error postrider keys has no command craete\. Its commands: create, list, find, revoke\. Did you mean postrider keys create\?\n$/,
    ],
    [['migrate', 'statsu'], /^error postrider migrate does not accept the argument "statsu"\./],
    [['migrate', '--dryrun'], /^error Unknown option --dryrun\. Did you mean --dry-run\?/],
    [['send'], /^error postrider send needs TEMPLATE: the key of the template\. See: postrider send --help\n$/],
    [['--cwd', 'nowhere', 'migrate'], /^error There is no folder \S+nowhere\. Check --cwd\.\n$/],
    [['dev', '--port', 'http'], /^error --port must be a port, 0 to 65535, not http\.\n$/],
  ];
  for (const [args, line] of wrong) {
    const { code, stdout, stderr } = await project.run(args);
    assert.is(code, 2, args.join(' '));
    assert.is(stdout, '', args.join(' '));
    assert.match(stderr, line);
  }
});

test('with --json a failure is a JSON document, too, and the line stays on stderr', async ({ project }) => {
  const usage = await project.run(['keys', 'create', '--json']);
  assert.is(usage.code, 2);
  assert.is(JSON.parse(usage.stdout).error.code, 'usage');
  assert.match(usage.stderr, /^error postrider keys create needs --name NAME/);
  const failure = await project.run(['keys', 'list', '--json']);
  assert.is(failure.code, 1);
  assert.is(JSON.parse(failure.stdout).error.code, 'failed');
  assert.match(failure.stderr, /^error There is no postrider\.config here, and no development database\./);
});

test('a refusal by the service is shown with its code and its request', async ({ project }) => {
  await project.write('postrider.config.mjs', sqliteConfig());
  await project.json(['migrate']);
  await project.json(['workspaces', 'create', '--name', 'Acme', '--from', 'hello@acme.example']);
  const { code, stdout, stderr } = await project.run(['send', 'none', '--to', 'ada@example.com', '--json']);
  assert.is(code, 1);
  assert.match(stderr, /^error template_not_found: .* \[req_[0-9A-Z]{26}\]\n$/);
  const { error } = JSON.parse(stdout);
  assert.is(error.code, 'template_not_found');
  assert.match(error.request_id, /^req_/);
  const result = await project.run(['send', 'none', '--to', 'ada@example.com', '--verbose']);
  assert.match(result.stderr, /\n\s+at /);
  const debugRun = await project.run(['send', 'none', '--to', 'ada@example.com'], { env: { DEBUG: '1' } });
  assert.match(debugRun.stderr, /\n\s+at /);
  const one = await project.run(['send', 'receipt', '--to', 'nobody']);
  assert.equal([one.code, one.stdout], [1, '']);
  assert.match(one.stderr, /^error validation_failed: to: .* \[req_\S+\]\n$/);
  const several = await project.run(['send', 'receipt', '--to', 'ada@example.com']);
  assert.match(several.stderr, /^error variables_invalid: .*\n {2}variables\.name: .*\n {2}variables\.\w+: .*\n/);
});

test('no colour is printed without a terminal, or on a terminal with NO_COLOR', async ({ project }) => {
  const pipedRun = await project.run(['--help'], { env: { FORCE_COLOR: '', TERM: 'xterm-256color' } });
  assert.not.ok(pipedRun.stdout.includes(escapeCharacter));
  if (process.platform !== 'linux') {
    console.log('# left out: colours on a terminal, which are tried on Linux');
    return;
  }
  const onTerminal = async (extra: Record<string, string>) => {
    const { NO_COLOR: _own, ...env } = process.env;
    const args = [process.execPath, program, '--help'].map((word) => `'${word}'`).join(' ');
    const { stdout } = await promisify(execFile)('script', ['-qec', args, '/dev/null'], {
      cwd: project.folder,
      env: { ...env, TERM: 'xterm-256color', ...extra },
    });
    return stdout;
  };
  assert.ok((await onTerminal({})).includes(escapeCharacter));
  assert.not.ok((await onTerminal({ NO_COLOR: '1' })).includes(escapeCharacter));
  assert.not.ok((await onTerminal({ TERM: 'dumb' })).includes(escapeCharacter));
});

test('if the reader of stdout closes, that is not an error, and the work is still done', async ({ project }) => {
  const child = spawn(process.execPath, [program, 'migrate'], {
    cwd: project.folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let stderrText = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderrText += text;
  });
  const [code] = (await once(child, 'close')) as [number];
  assert.equal([code, stderrText], [0, '']);
  assert.is((await project.json(['migrate', 'status'])).pending, 0);
  const args = [process.execPath, program, 'openapi', '--pretty'].map((word) => `'${word}'`).join(' ');
  const { stdout, stderr } = await promisify(execFile)('sh', ['-c', `${args} | head -n 1`], { cwd: project.folder });
  assert.equal([stdout, stderr], ['{\n', '']);
});

test('the command line works in the folder that --cwd names', async ({ project }) => {
  await project.write('inner/postrider.config.mjs', sqliteConfig("name: 'Inner',"));
  const document = await project.json(['openapi', '--cwd', 'inner']);
  assert.is(document.info.title, 'Inner API');
  await project.json(['migrate', '--cwd', join(project.folder, 'inner')]);
});

test('the documents and the tools need neither a server nor a database', async ({ project }) => {
  const { operations } = await project.json(['asyncapi']);
  assert.is(operations['send.delivered'].action, 'send');
  const document = await project.json(['openapi']);
  assert.is(document.openapi, '3.1.0');
  assert.ok(document.paths['/v1/templates/{key}/send']);
  const { stdout } = await project.run(['tools']);
  const { tools } = JSON.parse(stdout) as { tools: { name: string; inputSchema: object }[] };
  assert.ok(tools.some(({ name, inputSchema }) => name === 'send_transactional' && 'properties' in inputSchema));
  assert.match((await project.run(['openapi', '--pretty'])).stdout, /^\{\n {2}"openapi": "3\.1\.0",/);
  // A config with an unreachable database.
  const unreachable = sqliteConfig("name: 'Closed',").replace(
    /sqliteStorage\(\{.*\}\)/,
    "sqliteStorage({ filename: '/nowhere/at/all/app.sqlite' })",
  );
  await project.write('postrider.config.mjs', unreachable);
  assert.is((await project.json(['openapi'])).info.title, 'Closed API');
  assert.ok((await project.json(['tools'])).tools.length > 10);
});

test('the tools are equal to tools/list, byte for byte, except for schemas that depend on the workspace', async ({
  project,
}) => {
  const bench = await createTestService({ plugins: standardPlugins });
  try {
    const { stdout } = await project.run(['tools']);
    const { status, body } = await bench.request('/v1/mcp?schemas=full', {
      headers: { accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
    });
    assert.is(status, 200);
    const narrowedNames = new Set(
      [...bench.service.core.registry.tools.values()].flatMap(({ tool }) =>
        tool?.workspaceSchema === undefined ? [] : [tool.name],
      ),
    );
    const withoutSchemas = (tools: { name: string }[]) =>
      tools.map((tool) => (narrowedNames.has(tool.name) ? tool.name : tool));
    assert.is(
      JSON.stringify(withoutSchemas(JSON.parse(stdout).tools)),
      JSON.stringify(withoutSchemas((body as { result: { tools: { name: string }[] } }).result.tools)),
    );
    assert.is(stdout, `${JSON.stringify(bench.service.tools())}\n`);
  } finally {
    await bench.close();
  }
});

test.run();
