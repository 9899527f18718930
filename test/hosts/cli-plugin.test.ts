// time-limit: 300
// Commands of plugins: look-up, help, arguments and output work as for built-in commands.
// full-run: slow
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createProjectFolder, type ProjectFolder, sqliteConfig } from './cli-bench.ts';

const test = suite<{ project: ProjectFolder }>('commands of plugins');

/** A plugin with commands of one and two words. `greet all` uses every part of a context. */
const plugin = `
import { CommandError, coreErrors, defineCommand, definePlugin } from 'postrider';

const greetAll = defineCommand({
  name: 'greet all',
  summary: 'Greet everybody who is named',
  description: 'Says hello to each.',
  examples: [['postrider greet all Ada Grace', 'two of them']],
  arguments: {
    names: { type: 'positional', multiple: true, required: true, hint: 'NAME', description: 'Whom to greet' },
    word: { type: 'string', default: 'Hello', description: 'What to say' },
    times: { type: 'string', choices: ['once', 'twice'], description: 'How often' },
    loud: { type: 'boolean', description: 'Shout' },
  },
  async run(context, { names, word, times, loud }) {
    const said = names.map((name) => \`\${word}, \${name}\${loud ? '!' : '.'}\`);
    for (const line of said) context.print(line);
    context.warn('a warning');
    context.table(['who', 'letters'], names.map((name) => [name, String(name.length)]));
    const progress = context.progress('Greeting');
    progress.advance(1, 2);
    progress.end('Greeted.');
    const sure = await context.confirm('Sure?', true);
    return { said, times: times ?? null, cwd: context.cwd, interactive: context.interactive, sure, aborted: context.signal.aborted };
  },
});

const greet = defineCommand({
  name: 'greet',
  summary: 'Greet whoever stands on stdin',
  arguments: {},
  async run(context) {
    const name = (await context.stdin()).trim();
    context.print(\`Hello, \${name}.\`);
    return { name };
  },
});

const whose = defineCommand({
  name: 'whose',
  summary: 'Say whose workspace it is',
  arguments: {},
  async run(context) {
    const { id, name } = await context.workspace();
    const { services, ports } = await context.context();
    const { workspace } = await context.calls({ sandbox: true });
    const read = await workspace.read();
    context.print(name);
    return { id, same: read.id === id, features: ports.service.features.length, services: Object.keys(services).length };
  },
});

const fails = defineCommand({
  name: 'fail',
  summary: 'Fail as it is told to',
  arguments: { how: { type: 'positional', required: true, description: 'How' } },
  async run(_context, { how }) {
    if (how === 'usage') throw new CommandError('That cannot be meant.', { exitCode: 2 });
    if (how === 'plainly') throw new CommandError('It did not work.\\nBecause of this.\\nAnd of that.');
    if (how === 'refused') throw coreErrors.state_conflict({ reason: 'It is taken.' });
    throw new Error('a fault\\nof two lines');
  },
});

const clash = defineCommand({ name: 'clash', summary: 'Clash', arguments: { json: { type: 'boolean', description: 'Mine' } }, run: async () => null });
const waits = defineCommand({
  name: 'wait',
  summary: 'Wait for Ctrl-C',
  arguments: {},
  async run(context) {
    context.print('waiting');
    await new Promise((resolve) => {
      const timer = setInterval(() => undefined, 1_000);
      context.signal.addEventListener('abort', () => { clearInterval(timer); resolve(); });
    });
    context.print('ended in order');
    return { ended: true };
  },
});

export const greeter = definePlugin({ id: 'greeter', commands: [greetAll, greet, whose, fails, clash, waits] });
`;

test.before(async (context) => {
  context.project = await createProjectFolder({
    'greeter.mjs': plugin,
    'postrider.config.mjs': `import { greeter } from './greeter.mjs';\n${sqliteConfig().replace('plugins: standardPlugins', 'plugins: [...standardPlugins, greeter]')}`,
  });
});

test.after(({ project }) => project.remove());

test('commands of plugins appear in the help, and have their own help', async ({ project }) => {
  const { stdout } = await project.run(['--help']);
  assert.match(stdout, /Commands of the plugins\n(?:.*\n)* {2}greet all +Greet everybody who is named\n/);
  const ownHelp = await project.run(['greet', 'all', '--help']);
  assert.match(
    ownHelp.stdout,
    /^postrider greet all: Greet everybody who is named\.\n\nSays hello to each\.\n\nUsage\n {2}postrider greet all NAME\.\.\. \[options\]\n/,
  );
  assert.match(ownHelp.stdout, /--word WORD +What to say \(default: Hello\)\n/);
  assert.match(ownHelp.stdout, /Examples\n {2}postrider greet all Ada Grace\n {6}two of them\n/);
});

test('commands of plugins get their arguments, print text for users, and JSON for programs', async ({ project }) => {
  const { code, stdout, stderr } = await project.run(['greet', 'all', 'Ada', 'Grace', '--loud', '--times', 'once']);
  assert.equal([code, stderr], [0, 'a warning\n']);
  assert.is(stdout, 'Hello, Ada!\nHello, Grace!\nWHO    LETTERS\nAda    3\nGrace  5\nGreeted.\n');
  const answer = await project.json(['greet', 'all', 'Ada', '--word=Hej']);
  assert.equal(answer, {
    said: ['Hej, Ada.'],
    times: null,
    cwd: project.folder,
    interactive: false,
    sure: true,
    aborted: false,
  });
  assert.equal(await project.json(['greet'], { input: 'Ada\n' }), { name: 'Ada' });
});

test('wrong calls are reported as for built-in commands', async ({ project }) => {
  const wrong: [words: string[], line: RegExp][] = [
    [['greet', 'all'], /^error postrider greet all needs NAME: whom to greet\. See: postrider greet all --help\n$/],
    [['greet', 'all', 'Ada', '--lout'], /^error Unknown option --lout\. Did you mean --loud\?/],
    [['greet', 'al'], /^error postrider greet does not accept the argument "al"\./],
    [['greet', 'all', 'Ada', '--times', 'thrice'], /^error --times is one of once, twice, not "thrice"\./],
    [['graet'], /^error There is no command graet\. Did you mean postrider greet\?/],
    [['fail', 'usage'], /^error That cannot be meant\.\n$/],
  ];
  for (const [words, line] of wrong) {
    const { code, stdout, stderr } = await project.run(words);
    assert.equal([code, stdout], [2, ''], words.join(' '));
    assert.match(stderr, line);
  }
});

test('a thrown error is printed in one line, with its details below', async ({ project }) => {
  const failures: [how: string, line: RegExp, code: string][] = [
    ['plainly', /^error It did not work\.\n {2}Because of this\.\n {2}And of that\.\n$/, 'failed'],
    ['refused', /^error state_conflict: It is taken\.\n$/, 'state_conflict'],
    ['otherwise', /^error a fault of two lines\n$/, 'error'],
  ];
  for (const [failure, line, expected] of failures) {
    const { code, stdout, stderr } = await project.run(['fail', failure, '--json']);
    assert.is(code, 1, failure);
    assert.match(stderr, line);
    assert.is(JSON.parse(stdout).error.code, expected);
  }
  const clash = await project.run(['clash']);
  assert.is(clash.code, 1);
  assert.match(clash.stderr, /declares --json, which is an option of all commands/);
});

test('a command with the name of a built-in command is refused, and its plugin is named', async ({ project }) => {
  await project.write(
    'hiding.config.mjs',
    `import { defineCommand, definePlugin } from 'postrider';
const hidden = defineCommand({ name: 'keys list', summary: 'Mine', arguments: {}, run: async () => 'mine' });
const plugin = definePlugin({ id: 'vault', commands: [hidden] });
${sqliteConfig().replace('plugins: standardPlugins', 'plugins: [...standardPlugins, plugin]')}`,
  );
  const expectedError =
    /The plugin vault adds the command "postrider keys list", which is built in\. Its command needs another name, such as "vault keys-list"\./;
  for (const words of [['keys', 'list'], ['migrate']]) {
    const { code, stderr } = await project.run([...words, '--config', 'hiding.config.mjs']);
    assert.is(code, 1);
    assert.match(stderr, expectedError);
  }
  const { stdout } = await project.run(['--help', '--config', 'hiding.config.mjs']);
  assert.match(stdout, expectedError);
});

test('commands of plugins work in the chosen workspace, with the command line as actor', async ({ project }) => {
  await project.json(['migrate']);
  const withoutWorkspace = await project.run(['whose']);
  assert.match(withoutWorkspace.stderr, /^error There are no workspaces yet\./);
  const creation = await project.json(['workspaces', 'create', '--name', 'Acme', '--from', 'a@acme.example']);
  const answer = await project.json(['whose']);
  assert.equal([answer.id, answer.same], [creation.id, true]);
  assert.ok(answer.features > 5 && answer.services > 0);
});

test('Ctrl-C asks commands of plugins to end, and they do', async ({ project }) => {
  const call = project.start(['wait']);
  await call.printed(/waiting/);
  const { code, signal, stdout } = await call.stop('SIGINT');
  assert.equal([code, signal, stdout], [0, null, 'waiting\nended in order\n']);
});

test('without a config, the error for an unknown command mentions plugins', async ({ project }) => {
  await mkdir(join(project.folder, 'elsewhere'), { recursive: true });
  const { code, stderr } = await project.run(['greet', '--cwd', 'elsewhere']);
  assert.is(code, 2);
  assert.match(
    stderr,
    /^error There is no command greet\. A plugin of yours may have it, but there is no postrider\.config here: name yours with --config\. See: postrider --help\n$/,
  );
});

test('if the config does not load, the help says that commands are missing', async ({ project }) => {
  await project.write('broken.mjs', 'throw new Error("closed");\n');
  const help = await project.run(['--help', '--config', 'broken.mjs']);
  assert.is(help.code, 0);
  assert.match(
    help.stdout,
    /The commands of plugins are missing here: broken\.mjs cannot be loaded\. broken\.mjs:1:7: closed\n/,
  );
  const unknown = await project.run(['greet', '--config', 'broken.mjs']);
  assert.is(unknown.code, 2);
  assert.match(
    unknown.stderr,
    /^error There is no command greet\. A plugin may have it, but broken\.mjs cannot be loaded\./,
  );
  assert.is((await project.run(['keys', '--help', '--config', 'broken.mjs'])).code, 0);
});

test.run();
