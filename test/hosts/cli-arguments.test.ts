// Parsing a command line: commands, options of all commands, a command's own arguments, and errors for wrong arguments.
import { readFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { suggestionFor } from '../../core/contract/errors/suggestion.ts';
import type { CommandArgument } from '../../core/index.ts';
import { readArguments, readCall } from '../../hosts/cli/arguments.ts';
import { isNewEnough, minNode } from '../../hosts/cli/node-version.ts';

const test = suite('arguments of the command line');

const declaredArguments = {
  template: { type: 'positional', required: true, description: 'The template' },
  rest: { type: 'positional', multiple: true, description: 'More of them' },
  to: { type: 'string', required: true, hint: 'ADDRESS', description: 'The recipient' },
  var: { type: 'string', multiple: true, description: 'A variable' },
  mode: { type: 'string', choices: ['test', 'live'], default: 'test', description: 'The mode' },
  'dry-run': { type: 'boolean', description: 'Check only' },
  watch: { type: 'boolean', default: true, description: 'Watch' },
} as const satisfies Record<string, CommandArgument>;

const parse = (...words: string[]) => readArguments(['send', ...words], 'send', declaredArguments);

const refusal = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    assert.is((error as { exitCode?: unknown }).exitCode, 2);
    return (error as Error).message;
  }
  return assert.unreachable('the arguments were not refused') as never;
};

test('the parser reads positionals, values, lists, switches and defaults', () => {
  assert.equal(parse('receipt', '--to', 'a@b.c'), {
    template: 'receipt',
    rest: [],
    to: 'a@b.c',
    var: [],
    mode: 'test',
    'dry-run': false,
    watch: true,
  });
  assert.equal(
    parse(
      '--to=a@b.c',
      'receipt',
      '--var',
      'a=1',
      'x',
      '--dry-run',
      '--var=b==',
      'y',
      '--no-watch',
      '--mode',
      'live',
      '--json',
    ),
    {
      template: 'receipt',
      rest: ['x', 'y'],
      to: 'a@b.c',
      var: ['a=1', 'b=='],
      mode: 'live',
      'dry-run': true,
      watch: false,
    },
  );
});

test('arguments after -- are never options', () => {
  assert.equal(parse('--to', 'a', '--', '--dry-run', '-x')['rest'], ['-x']);
  assert.is(parse('--to', 'a', '--', '--dry-run')['template'], '--dry-run');
});

test('the error names an unknown option and suggests the most similar one', () => {
  assert.match(
    refusal(() => parse('receipt', '--to', 'a', '--dryrun')),
    /^Unknown option --dryrun\. Did you mean --dry-run\? See: postrider send --help$/,
  );
  assert.match(
    refusal(() => parse('receipt', '--to', 'a', '-x')),
    /^Unknown option -x\./,
  );
  assert.match(
    refusal(() => parse('receipt', '--to', 'a', '--no-mode')),
    /^Unknown option --no-mode\./,
  );
  assert.match(
    refusal(() => parse('receipt', '--to', 'a', '--jsno')),
    /Did you mean --json\?/,
  );
});

test('an option without its value never takes the next option as value', () => {
  assert.match(
    refusal(() => parse('receipt', '--to', '--dry-run')),
    /^--to needs a value\. To give --dry-run, write --to=--dry-run\.$/,
  );
  assert.match(
    refusal(() => parse('receipt', '--to')),
    /^--to needs a value\.$/,
  );
  assert.is(parse('receipt', '--to=--dry-run')['to'], '--dry-run');
  assert.is(parse('receipt', '--to', '-')['to'], '-');
});

test('missing, extra and repeated arguments and values outside the choices are refused', () => {
  assert.match(
    refusal(() => parse('--to', 'a')),
    /^postrider send needs TEMPLATE: the template\. See: postrider send --help$/,
  );
  assert.match(
    refusal(() => parse('receipt')),
    /^postrider send needs --to ADDRESS: the recipient\./,
  );
  assert.match(
    refusal(() => parse('receipt', '--to', 'a', '--to', 'b')),
    /^--to is given more than once\.$/,
  );
  assert.match(
    refusal(() => parse('receipt', '--to', 'a', '--mode', 'liv')),
    /^--mode is one of test, live, not "liv"\. Did you mean live\?$/,
  );
  assert.match(
    refusal(() => parse('receipt', '--to', 'a', '--dry-run=maybe')),
    /--dry-run is a switch/,
  );
  const { rest: _rest, ...others } = declaredArguments;
  assert.match(
    refusal(() => readArguments(['send', 'receipt', 'x', '--to', 'a'], 'send', others)),
    /^postrider send does not accept the argument "x"\./,
  );
});

test('the options of all commands may be anywhere in the call', () => {
  const { words, globals } = readCall([
    '--cwd',
    '/tmp',
    'migrate',
    '--json',
    'status',
    '--config=a.ts',
    '--workspace',
    'ws_1',
    '-h',
  ]);
  assert.equal(words, ['migrate', 'status']);
  assert.equal(globals, {
    json: true,
    workspace: 'ws_1',
    config: 'a.ts',
    cwd: '/tmp',
    verbose: false,
    help: true,
    version: false,
  });
  assert.equal(readCall(['send', 'receipt', '--to', 'a', 'b']).words, ['send', 'receipt']);
  assert.match(
    refusal(() => readCall(['--jsn', 'migrate'])),
    /^Unknown option --jsn\. Did you mean --json\? Put the options of a command after its name\.$/,
  );
  assert.match(
    refusal(() => readCall(['migrate', '--cwd'])),
    /^--cwd needs a value\.$/,
  );
});

test('a command cannot declare an option that all commands have', () => {
  assert.throws(
    () => readArguments(['x'], 'x', { json: { type: 'boolean', description: 'Mine' } }),
    /declares --json, which is an option of all commands/,
  );
});

test('the oldest supported Node is the version in package.json', async () => {
  const { engines } = JSON.parse(await readFile('package.json', 'utf8')) as { engines: { node: string } };
  assert.is(engines.node, `>=${minNode}`);
  for (const version of ['20.19.0', '20.20.2', '22.0.0', '24.1.0']) assert.ok(isNewEnough(version), version);
  for (const version of ['20.18.3', '18.20.0', '20.9.0']) assert.not.ok(isNewEnough(version), version);
});

test('only similar names are suggested', () => {
  const knownNames = ['migrate', 'migrate status', 'keys create', 'send', 'tools', 'init'];
  for (const [input, suggestion] of [
    ['migarte', 'migrate'],
    ['mig', 'migrate'],
    ['snd', 'send'],
    ['key create', 'keys create'],
    ['migrate statsu', 'migrate status'],
    ['toosl', 'tools'],
    ['INIT', 'init'],
    ['deploy', undefined],
    ['x', undefined],
  ] as const) {
    assert.is(suggestionFor(input, knownNames), suggestion, input);
  }
});

test.run();
