// docs/command-line.md: it contains every command and option, its code runs, and the first outputs that it shows are real.
// full-run: slow
import { readFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { globalArguments } from '../../hosts/cli/arguments.ts';
import { commands } from '../../hosts/cli/commands.ts';
import { codeBlocks } from '../examples/documents.ts';
import { createProjectFolder } from './cli-bench.ts';

const test = suite('the documentation of the command line');
const document = 'docs/command-line.md';

/** These commands have their options documented on a separate page. */
const documentedElsewhere = /^mcp\b/;

test('docs/command-line.md names every command and every option', async () => {
  const text = await readFile(document, 'utf8');
  for (const name of Object.keys(globalArguments)) assert.ok(text.includes(`--${name}`), name);
  for (const { name, arguments: declaredArguments } of commands) {
    assert.ok(text.includes(`\`${name}\``) || text.includes(`\`postrider ${name}`), name);
    if (documentedElsewhere.test(name)) continue;
    for (const [option, { type, default: otherwise }] of Object.entries(declaredArguments)) {
      if (type === 'positional') continue;
      const writtenOption = otherwise === true ? `--no-${option}` : `--${option}`;
      assert.ok(text.includes(writtenOption), `${name} ${writtenOption}`);
    }
  }
});

test('the config and the plugin in docs/command-line.md work, and its errors are real', async () => {
  const [config = '', plugin = ''] = await codeBlocks(document, 'js');
  assert.ok(config.includes('export default createService('));
  const project = await createProjectFolder({
    'counting.mjs': plugin,
    'postrider.config.mjs': `import { countingPlugin } from './counting.mjs';\n${config.replace('plugins: standardPlugins', 'plugins: [...standardPlugins, countingPlugin()]')}`,
  });
  try {
    await project.json(['migrate']);
    await project.json(['workspaces', 'create', '--name', 'Acme', '--from', 'a@acme.example']);
    assert.equal(await project.json(['sends', 'count', '--status', 'bounced']), { count: 0 });
    assert.is((await project.run(['sends', 'count'])).stdout, '0 of the latest 100\n');

    const text = await readFile(document, 'utf8');
    const [, wrong = '', expectedError = ''] = /\$ postrider (keys craete)\n\s+(error .*)\n/.exec(text) ?? [];
    assert.is((await project.run(wrong.split(' '))).stderr, `${expectedError}\n`);
    const [, refusedCommand = '', line = ''] = /\$ postrider (send nothing .*)\n\s+(error .*) \[req_/.exec(text) ?? [];
    const { stderr } = await project.run(refusedCommand.split(' '));
    assert.is(stderr.replace(/ \[req_.*/s, ''), line);
  } finally {
    await project.remove();
  }
});

test.run();
