// docs/configuration.md names exactly the options of createService; docs/writing-an-adapter.md names every port of the standard plugins.
// full-run: slow
import { readFile } from 'node:fs/promises';
import ts from 'typescript';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { optionNames } from '../../core/kernel/options.ts';
import { standardPlugins } from '../../plugins/index.ts';

const test = suite('configuration');

/** The members of an exported interface. Members of nested object literals are named like `settings.jobPollMs`. */
async function memberNames(file: string, name: string, ignoredNames: readonly string[] = []): Promise<string[]> {
  const source = ts.createSourceFile(file, await readFile(file, 'utf8'), ts.ScriptTarget.Latest);
  const declaration = source.statements.find(
    (statement): statement is ts.InterfaceDeclaration =>
      ts.isInterfaceDeclaration(statement) && statement.name.text === name,
  );
  assert.ok(declaration, `${file} has no interface ${name}`);
  const namesOf = (members: ts.NodeArray<ts.TypeElement>, prefix: string): string[] =>
    members.flatMap((member) => {
      if (!ts.isPropertySignature(member) || !ts.isIdentifier(member.name)) return [];
      const path = `${prefix}${member.name.text}`;
      return member.type !== undefined && ts.isTypeLiteralNode(member.type)
        ? namesOf(member.type.members, `${path}.`)
        : [path];
    });
  return namesOf(declaration.members, '').filter((path) => !ignoredNames.includes(path));
}

/** The names in the first column of the tables of one section. */
async function tableNames(section: string): Promise<string[]> {
  const text = await readFile('docs/configuration.md', 'utf8');
  const [, part = ''] = text.split(`\n## ${section}\n`);
  const [tables = ''] = part.split('\n## ');
  return [...tables.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, name = '']) => name);
}

test('the page lists every option of createService', async () => {
  const core = await memberNames('core/kernel/options.ts', 'CoreOptions', ['outgoing']);
  const outgoing = await memberNames('core/outgoing/index.ts', 'OutgoingOptions', ['environment']);
  const options = [
    ...core,
    ...outgoing.map((name) => `outgoing.${name}`),
    'plugins',
    ...standardPlugins.flatMap((plugin) => Object.keys(plugin.ports ?? {})),
  ];
  assert.equal((await tableNames('The options of createService')).sort(), options.sort());
  // Checks that the interface in this file is the type of the options of createService.
  const first = new Set([...core, 'plugins', 'outgoing'].map((name) => name.split('.', 1)[0] ?? ''));
  assert.equal([...first].sort(), Object.keys(optionNames).sort());
});

test('the page lists every option of smtpMail', async () => {
  const options = await memberNames('adapters/mail/smtp.ts', 'SmtpMailOptions');
  assert.equal((await tableNames('Mail: smtpMail and captureMail')).sort(), options.sort());
});

test('the page of adapters has a row for each port of the standard plugins, with its shared tests', async () => {
  const text = await readFile('docs/writing-an-adapter.md', 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| '));
  for (const { id, ports } of standardPlugins)
    for (const [name, { suite: sharedSuite }] of Object.entries<{ readonly suite: string | undefined }>(ports ?? {})) {
      const [tests = '', modulePath = ''] = sharedSuite?.split(' of ') ?? [];
      const row = rows.find((line) => line.includes(`, of the ${id} plugin | `));
      assert.ok(row?.includes(`\` in \`postrider/plugins/${id}/port\` | `), `no row of the port ${name} of ${id}`);
      assert.ok(row?.includes(sharedSuite === undefined ? ' | – | ' : ` | \`${tests}\` in \`${modulePath}\` | `), row);
    }
});

test('the page lists the options of a new workspace', async () => {
  const members = await memberNames('core/kernel/provisioning.ts', 'NewWorkspace');
  const options = new Set(members.map((name) => name.split('.', 1)[0] ?? ''));
  assert.equal((await tableNames('Options of a workspace')).sort(), [...options].sort());
});

test.run();
