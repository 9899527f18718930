// The generated files of the reference: recorded examples, the page's style and script, the generated documents. Called
// by write-reference.ts, which writes them, and by the test that checks that they are up to date.
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Operation } from '../../core/contract/declaration/operation.ts';
import { createRegistry } from '../../core/kernel/registry.ts';
import { openapiDocument } from '../../core/projections/openapi.ts';
import { recordExamples } from '../../hosts/testing/record-examples.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { readDocument } from '../../plugins/reference/document.ts';
import { pagesWithTables } from './declared-tables.ts';
import { errorsMarkdown } from './errors-markdown.ts';
import { eventsMarkdown } from './events-markdown.ts';
import { lineByEntry } from './line-by-entry.ts';
import { operationsMarkdown } from './operations-markdown.ts';
import { standardExamples } from './standard-examples.ts';

const root = join(import.meta.dirname, '../..');
const notice = '// Made by `npm run docs`. Do not edit.';

/** The expected content of a file. */
export interface GeneratedFile {
  /** The path from the root of the project. */
  readonly path: string;
  readonly content: string;
}

async function examplesFile(): Promise<GeneratedFile> {
  const examples = await recordExamples(standardExamples);
  return {
    path: 'plugins/reference/examples.gen.ts',
    content: `${notice}
// The recorded examples of the standard plugins' operations. A function, so that it costs nothing until it is called.
import type { OperationExamples } from '../../core/index.ts';

export const examples = (): OperationExamples => (${lineByEntry(examples)});
`,
  };
}

async function bundle(name: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'plugins/reference/browser', name)],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    charset: 'utf8',
    target: ['chrome111', 'firefox113', 'safari16.4'],
    logLevel: 'error',
  });
  return JSON.stringify(outputFiles[0]?.text.trim() ?? '');
}

async function assetsFile(): Promise<GeneratedFile> {
  return {
    path: 'plugins/reference/assets.gen.ts',
    content: `${notice}
// The files of browser/ as one minified file.

export const style = ${await bundle('reference.css')};

export const script = ${await bundle('reference.js')};
`,
  };
}

/** The document of the standard plugins, for a program without a public address. */
export const standardDocument = () =>
  readDocument(openapiDocument(createRegistry(standardPlugins, []), { name: 'Postrider', publicUrl: undefined }));

/** Every generated file. The documents come from the composed plugins, the examples from real answers. */
export async function referenceFiles(): Promise<GeneratedFile[]> {
  const document = standardDocument();
  const operations = standardPlugins.flatMap((plugin): readonly Operation[] => plugin.operations);
  const alone = new Set(operations.filter(({ prepared }) => prepared).map(({ id }) => id));
  return [
    await examplesFile(),
    await assetsFile(),
    { path: 'docs/operations.md', content: operationsMarkdown(document, alone) },
    { path: 'docs/errors.md', content: errorsMarkdown(document) },
    { path: 'docs/events.md', content: eventsMarkdown(document) },
    ...(await pagesWithTables(createRegistry(standardPlugins, []), document)),
  ];
}
