// The code of the documents: it type-checks against the sources, it runs, and the statements in the text are true.
// time-limit: 900
// full-run: slow
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  codeBlocks,
  createProgramFolder,
  printedResult,
  removeFolder,
  resultIn,
  runProgram,
  typeFaults,
} from './documents.ts';
import { questions } from './questions.ts';

/** The programs of these documents create and stop their own services. */
const withoutService: ReadonlySet<string> = new Set(['testing']);

const test = suite<{ folder: string }>('documents', { folder: '' });

test.before(async (context) => {
  context.folder = await createProgramFolder();
  for (const [name, { ask }] of Object.entries(questions)) {
    const blocks = await codeBlocks(`docs/${name}.md`, 'ts');
    const end = withoutService.has(name) ? '' : 'await service.stop();';
    const program = [...blocks, printedResult(ask), end].join('\n').replace('app.listen(3000)', 'app.listen(0)');
    await writeFile(join(context.folder, `${name}.mts`), program);
  }
  const readme = await codeBlocks('README.md', 'ts');
  await writeFile(join(context.folder, 'readme.mts'), [...readme, 'void [send, key];'].join('\n'));
});

test.after(({ folder }) => removeFolder(folder));

test('the code of the documents type-checks', async ({ folder }) => {
  assert.is(await typeFaults(folder), '');
});

for (const [name, { answer }] of Object.entries(questions)) {
  test(`docs/${name}.md does what it says`, async ({ folder }) => {
    // Each program has its own folder for its database.
    const programFolder = await createProgramFolder();
    try {
      await writeFile(join(programFolder, 'program.mts'), await readFile(join(folder, `${name}.mts`), 'utf8'));
      assert.equal(resultIn(await runProgram(programFolder, 'program.mts')), answer);
    } finally {
      await removeFolder(programFolder);
    }
  });
}

test.run();
