// Writes plugins/templates/starters/compiled.gen.ts: run `npx tsx test/support/compile-starters.ts` after a change of a starter or of the
// compiler. Creating a workspace and sending mail load the output, never this file. A test checks that it is up to date.
import { writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { compileWorkingCopy } from '../../plugins/templates/authoring/authoring.ts';
import type { WorkingCopy } from '../../plugins/templates/authoring/contents.ts';
import { createTemplateCompiler, type TemplateCompiler } from '../../plugins/templates/compiler/compiler.ts';
import { themed } from '../../plugins/templates/composing/style.ts';
import { starterLayouts } from '../../plugins/templates/starters/catalogue.ts';
import { turned } from '../../plugins/templates/starters/marks.ts';
import type { CompiledStarter, StarterLayout } from '../../plugins/templates/starters/starter.ts';
import { lineByEntry } from './line-by-entry.ts';

const target = new URL('../../plugins/templates/starters/compiled.gen.ts', import.meta.url);

type Direction = 'ltr' | 'rtl';

/** Compiles a layout in one direction. Its texts remain marks, which the compiler treats as text. */
async function compileLayout(layout: StarterLayout, direction: Direction, templateCompiler: TemplateCompiler) {
  const { subject, previewText, body, text } = layout.marked();
  const working: WorkingCopy = {
    kind: null,
    mode: 'mjml',
    body: turned(themed(body), direction),
    text_part: text,
    subject,
    preview_text: previewText,
    variables: JSON.stringify(layout.variables),
    locale: 'en',
    locales: null,
  };
  const by = { workspace: { id: '' }, signal: undefined, services: { templateCompiler } };
  const { contents, contract } = await compileWorkingCopy(by, working, undefined);
  const [content] = contents;
  if (content === undefined) throw new Error(`${layout.key} came out empty.`);
  return { html: content.html, contract };
}

/** One source for both directions: where they differ, a mark has both. */
function merged(ltr: string, rtl: string, key: string): string {
  const [left, right] = [ltr, rtl].map((html) => html.split(/([\s;:"'<>=]+)/)) as [string[], string[]];
  const words = left.map((word, index) => (word === right[index] ? word : `[[${word}~${right[index]}]]`));
  const both = words.join('');
  if (turned(both, 'ltr') !== ltr || turned(both, 'rtl') !== rtl)
    throw new Error(`The two directions of ${key} differ in more than some words.`);
  return both;
}

/** Compiles the parts of a starter that publishing freezes. */
async function compileStarter(layout: StarterLayout, compiler: TemplateCompiler): Promise<CompiledStarter> {
  const [ltr, rtl] = [await compileLayout(layout, 'ltr', compiler), await compileLayout(layout, 'rtl', compiler)];
  return { html: merged(ltr.html, rtl.html, layout.key), contract: ltr.contract };
}

/** The content of compiled.gen.ts. */
export async function compiledSource(): Promise<string> {
  const compiledStarters: Record<string, CompiledStarter> = {};
  const compiler = createTemplateCompiler();
  for (const layout of starterLayouts) compiledStarters[layout.key] = await compileStarter(layout, compiler);
  await compiler.stop();
  return `// Made by test/support/compile-starters.ts from the starters beside it: what publishing them freezes. Don't edit it.
// A function, so that it costs nothing until it is called.
import type { CompiledStarter } from './starter.ts';

export const compiledStarters = (): Readonly<Record<string, CompiledStarter>> => (${lineByEntry(compiledStarters)});
`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await writeFile(target, await compiledSource());
