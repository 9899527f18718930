// The code of the documents: it type-checks against the sources, it runs, and what the text says of it holds.
// time-limit: 900
// full-run: slow
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { blockFates } from './block-fates.ts';
import {
  answerIn,
  answering,
  codeBlocks,
  createProgramFolder,
  everyBlock,
  removeFolder,
  runProgram,
  typeFaults,
} from './documents.ts';
import { questions } from './questions.ts';

/** Their programs make and stop services of their own. */
const withoutService: ReadonlySet<string> = new Set(['testing']);

/** Their code is built, tested and run against the packed package: test/package. */
const againstThePackage = ['writing-a-plugin', 'writing-an-adapter'];

const test = suite<{ folder: string }>('documents', { folder: '' });

const documentNames = async (): Promise<string[]> =>
  (await readdir('docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => basename(name, '.md'))
    .sort();

test.before(async (context) => {
  context.folder = await createProgramFolder();
  for (const [name, { ask }] of Object.entries(questions)) {
    const blocks = await codeBlocks(`docs/${name}.md`, 'ts');
    const end = withoutService.has(name) ? '' : 'await service.stop();';
    const program = [...blocks, answering(ask), end].join('\n').replace('app.listen(3000)', 'app.listen(0)');
    await writeFile(join(context.folder, `${name}.mts`), program);
  }
  const readme = await codeBlocks('README.md', 'ts');
  await writeFile(join(context.folder, 'readme.mts'), [...readme, 'void [send, key];'].join('\n'));
});

test.after(({ folder }) => removeFolder(folder));

test('every document is asked', async () => {
  const withCode: string[] = [];
  for (const name of await documentNames())
    if ((await codeBlocks(`docs/${name}.md`, 'ts')).length > 0) withCode.push(name);
  assert.equal(withCode, [...Object.keys(questions), ...againstThePackage].sort());
});

test('their code type-checks', async ({ folder }) => {
  assert.is(await typeFaults(folder), '');
});

for (const [name, { answer }] of Object.entries(questions)) {
  test(`docs/${name}.md does what it says`, async ({ folder }) => {
    // Each has a folder of its own for its database.
    const own = await createProgramFolder();
    try {
      await writeFile(join(own, 'program.mts'), await readFile(join(folder, `${name}.mts`), 'utf8'));
      assert.equal(answerIn(await runProgram(own, 'program.mts')), answer);
    } finally {
      await removeFolder(own);
    }
  });
}

test('each block of code is run by a test, or is an exception with a reason', async () => {
  const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md'];
  for (const name of await documentNames()) documents.push(`docs/${name}.md`);
  const met = new Set<number>();
  const faults: string[] = [];
  for (const document of documents) {
    for (const { language, code, line } of await everyBlock(document)) {
      const fate = blockFates.findIndex(
        (one) => one.document === document && one.language === language && code.includes(one.holds ?? ''),
      );
      met.add(fate);
      // The programs of the questions are all ts blocks of their document; the README's is type-checked and run as well.
      const isAsked = language === 'ts' && Object.keys(questions).some((name) => document === `docs/${name}.md`);
      if (fate === -1 && !isAsked) faults.push(`${document}:${line} (${language}) is in no row of block-fates.ts`);
    }
  }
  for (const [index, fate] of blockFates.entries()) {
    if (!met.has(index)) faults.push(`No block is left for the row ${JSON.stringify(fate)}`);
    if (fate.test === undefined) continue;
    const source = await readFile(fate.test, 'utf8');
    if (!source.includes(basename(fate.document))) faults.push(`${fate.test} does not name ${fate.document}`);
  }
  assert.equal(faults, []);
});

test('their links lead somewhere', async () => {
  const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'];
  for (const name of await documentNames()) documents.push(`docs/${name}.md`);
  for (const document of documents) {
    const text = await readFile(document, 'utf8');
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const path = join(dirname(document), target.split('#', 1)[0] ?? '');
      assert.ok(
        await stat(path).then(
          () => true,
          () => false,
        ),
        `${document} links to ${target}`,
      );
    }
  }
});

test.run();
