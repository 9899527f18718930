// time-limit: 120
// The commands `import` and `contacts export`, called as a user calls them: the real command line in a project folder.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createProjectFolder, type ProjectFolder, sqliteConfig } from '../hosts/cli-bench.ts';

const test = suite<{ project: ProjectFolder; workspace: string }>('contacts commands');

test.before(async (context) => {
  context.project = await createProjectFolder({ 'postrider.config.mjs': sqliteConfig() });
  await context.project.json(['migrate']);
  const created = await context.project.json([
    'workspaces',
    'create',
    '--name',
    'Acme',
    '--from',
    'hello@acme.example',
  ]);
  context.workspace = created.id;
});

test.after(({ project }) => project.remove());

test('the commands import a file, export it, and import the export again', async ({ project, workspace }) => {
  await project.write('contacts.csv', 'external_id;email;plan\nu1;ada@example.org;pro\nu2;nobody;free\n=x;;max\n');
  const args = ['import', 'contacts.csv', '--workspace', workspace];
  const failure = await project.run(args);
  assert.is(failure.code, 1);
  assert.match(failure.stdout, '2 created, 0 updated, 0 unchanged, 1 rejected.');
  assert.match(failure.stderr, /line 3: email: This is not an email address/);
  assert.match(failure.stderr, /error 1 row was rejected\. Write it to a file with the reason: --rejected FILE/);
  const secondRun = await project.json([...args, '--rejected', 'bad.csv']);
  assert.equal(secondRun, {
    file: 'contacts.csv',
    dry_run: false,
    created: 0,
    updated: 0,
    unchanged: 2,
    rejected: 1,
    ignored_columns: [],
  });
  assert.match(await project.read('bad.csv'), /^external_id;email;plan;postrider_rejected_because\nu2;nobody;free;/);
  assert.equal(await project.json(['contacts', 'export', 'out.csv']), { file: 'out.csv', contacts: 2 });
  assert.match(await project.read('out.csv'), /,'=x,,/);
  assert.is((await project.json(['import', 'out.csv'])).unchanged, 2);
});

test('the help explains the columns, and a missing argument is reported', async ({ project }) => {
  const { stdout } = await project.run(['import', '--help']);
  assert.match(stdout, '--map HEADING=FIELD');
  assert.match(stdout, '--rejected FILE');
  assert.match(stdout, '--list LIST');
  assert.is((await project.run(['import'])).code, 2);
  const unknown = await project.run(['import', 'contacts.csv', '--list', 'lst_01ARZ3NDEKTSV4RRFFQ69G5FAV']);
  assert.is(unknown.code, 1);
  assert.match(unknown.stderr, 'There is no list lst_01ARZ3NDEKTSV4RRFFQ69G5FAV.');
  assert.is((await project.run(['contacts', 'export'])).code, 2);
});

test('Ctrl-C stops the import cleanly, reports the last imported line, and keeps the imported contacts', async ({
  project,
  workspace,
}) => {
  const rows = Array.from({ length: 150_000 }, (_, index) => `many${index},many${index}@example.org`);
  await project.write('many.csv', `external_id,email\n${rows.join('\n')}\n`);
  const call = project.start(['import', 'many.csv', '--workspace', workspace]);
  let contacts = 0;
  while (contacts < 1_000) ({ contacts } = await project.json(['contacts', 'export', 'so-far.csv']));
  const { code, stderr } = await call.stop();
  assert.is(code, 130, stderr);
  const [, line = ''] = /Stopped after line (\d+): the lines up to it are imported\./.exec(stderr) ?? [];
  assert.is((Number(line) - 1) % 1_000, 0);
  const after = await project.json(['contacts', 'export', 'after.csv']);
  assert.is(after.contacts, 2 + Number(line) - 1);
});

test.run();
