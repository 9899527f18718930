// The documents as texts: a test runs each code block, and each link leads to an existing file and heading.
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { blockCoverage } from './block-coverage.ts';
import { codeBlocks, everyBlock } from './documents.ts';
import { questions } from './questions.ts';

/** The code of these documents is built, tested and run against the packed package: test/package. */
const againstThePackage = ['writing-a-plugin', 'writing-an-adapter'];

const test = suite('documents as texts');

const documentNames = async (): Promise<string[]> =>
  (await readdir('docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => basename(name, '.md'))
    .sort();

test('every document with TypeScript code has a question or runs against the package', async () => {
  const withCode: string[] = [];
  for (const name of await documentNames())
    if ((await codeBlocks(`docs/${name}.md`, 'ts')).length > 0) withCode.push(name);
  assert.equal(withCode, [...Object.keys(questions), ...againstThePackage].sort());
});

test('each block of code is run by a test, or is an exception with a reason', async () => {
  const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md'];
  for (const name of await documentNames()) documents.push(`docs/${name}.md`);
  const metRows = new Set<number>();
  const faults: string[] = [];
  for (const document of documents) {
    for (const { language, code, line } of await everyBlock(document)) {
      const coverage = blockCoverage.findIndex(
        (one) => one.document === document && one.language === language && code.includes(one.containing ?? ''),
      );
      metRows.add(coverage);
      // The programs of the questions are all ts blocks of their document. The README's program is also type-checked and run.
      const isAsked = language === 'ts' && Object.keys(questions).some((name) => document === `docs/${name}.md`);
      if (coverage === -1 && !isAsked)
        faults.push(`${document}:${line} (${language}) is in no row of block-coverage.ts`);
    }
  }
  for (const [index, fate] of blockCoverage.entries()) {
    if (!metRows.has(index)) faults.push(`No block is left for the row ${JSON.stringify(fate)}`);
    if (fate.test === undefined) continue;
    const source = await readFile(fate.test, 'utf8');
    if (!source.includes(basename(fate.document))) faults.push(`${fate.test} does not name ${fate.document}`);
  }
  assert.equal(faults, []);
});

/** The anchors of a document: named anchors, and the anchors that GitHub makes from headings. */
function anchorsOf(text: string): Set<string> {
  const prose = text.replace(/^```.*?^```/gms, '');
  const namedAnchors = [...prose.matchAll(/<a id="([^"]+)">/g)].map(([, name = '']) => name);
  const headings = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
  return new Set([...namedAnchors, ...headings]);
}

test('the links of the documents lead to existing files and headings', async () => {
  const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'];
  for (const name of await documentNames()) documents.push(`docs/${name}.md`);
  const faults: string[] = [];
  for (const document of documents) {
    const text = await readFile(document, 'utf8');
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const [file = '', anchor] = target.split('#', 2);
      const path = file === '' ? document : join(dirname(document), file);
      const targetText = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) =>
        error.code === 'EISDIR' ? '' : undefined,
      );
      const leads =
        targetText !== undefined &&
        (anchor === undefined || !path.endsWith('.md') || anchorsOf(targetText).has(anchor));
      if (!leads) faults.push(`${document} links to ${target}`);
    }
  }
  assert.equal(faults, []);
});

test.run();
