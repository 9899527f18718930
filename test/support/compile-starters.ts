// Writes plugins/templates/starters/compiled.gen.ts: run `npx tsx test/support/compile-starters.ts` after a change of a starter
// or of the compiler. Creating a workspace and sending load the output, never this file. A test checks that it is up to date.
import { writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { compileWorkingCopy } from '../../plugins/templates/authoring/authoring.ts';
import type { WorkingCopy } from '../../plugins/templates/authoring/contents.ts';
import { createTemplateCompiler, type TemplateCompiler } from '../../plugins/templates/compiler/compiler.ts';
import { themed } from '../../plugins/templates/composing/style.ts';
import { starters } from '../../plugins/templates/starters/catalogue.ts';
import { type CompiledStarter, type Starter, starterLocale } from '../../plugins/templates/starters/starter.ts';
import { lineByEntry } from './line-by-entry.ts';

const target = new URL('../../plugins/templates/starters/compiled.gen.ts', import.meta.url);

/** Compiles the parts of a starter that publishing freezes. */
async function compileStarter(starter: Starter, templateCompiler: TemplateCompiler): Promise<CompiledStarter> {
  const working: WorkingCopy = {
    kind: null,
    mode: 'mjml',
    body: themed(starter.body),
    text_part: starter.text,
    subject: starter.subject,
    preview_text: starter.previewText,
    variables: JSON.stringify(starter.variables),
    locale: starterLocale,
    locales: null,
  };
  const by = { workspace: { id: '' }, signal: undefined, services: { templateCompiler } };
  const { contents, contract } = await compileWorkingCopy(by, working, undefined);
  const [content] = contents;
  if (content === undefined) throw new Error(`${starter.key} came out empty.`);
  const { subject, previewText, html, text } = content;
  return { subject, previewText, html, text, contract };
}

/** The content of compiled.gen.ts. */
export async function compiledSource(): Promise<string> {
  const compiled: Record<string, CompiledStarter> = {};
  const compiler = createTemplateCompiler();
  for (const starter of starters) compiled[starter.key] = await compileStarter(starter, compiler);
  await compiler.stop();
  return `// Made by test/support/compile-starters.ts from the starters beside it: what publishing them freezes. Don't edit it.
import type { CompiledStarter } from './starter.ts';

export const compiledStarters: Readonly<Record<string, CompiledStarter>> = ${lineByEntry(compiled)};
`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await writeFile(target, await compiledSource());
