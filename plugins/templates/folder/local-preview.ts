// Renders template files without a server or a database. Called by the commands preview, types and push.
import { CommandError, isPostriderError } from '../../../core/index.ts';
import { compileContents, compileWorkingCopy } from '../authoring/authoring.ts';
import { contentsOf, draftContract, type WorkingCopy } from '../authoring/contents.ts';
import type { PublishedLayout } from '../authoring/layouts.ts';
import { chooseLocale } from '../authoring/locales.ts';
import type { TemplateCompiler } from '../compiler/compiler.ts';
import { type Contract, checkContract, compareContracts } from '../contract/schema.ts';
import { isTemplateFault } from '../language/fault.ts';
import { compileContract, createCompiledTemplate } from '../rendering/compiled-template.ts';
import { plainTheme } from '../theme/theme.ts';
import type { AuthoredTemplate } from './authored.ts';
import type { TemplateFiles, TemplateFolder } from './read-folder.ts';

/** The requested preview. */
export interface PreviewChoice {
  readonly locale: string | undefined;
  /** An index into the contract's examples. */
  readonly example: number;
}

/** A rendered mail, or sentences that explain why it cannot be rendered. */
export type LocalPreview =
  | {
      readonly ok: true;
      readonly subject: string;
      readonly previewText: string;
      readonly html: string;
      readonly text: string;
    }
  | { readonly ok: false; readonly faults: readonly string[] };

const workingCopyOf = (template: AuthoredTemplate): WorkingCopy => ({
  kind: template.kind === 'layout' ? 'layout' : null,
  mode: template.mode,
  body: template.body,
  text_part: template.text,
  subject: template.subject,
  preview_text: template.previewText,
  variables: template.variables === null ? null : JSON.stringify(template.variables),
  locale: template.locale,
  locales: Object.keys(template.locales).length === 0 ? null : JSON.stringify(template.locales),
});

/** The layout that a template names, from the same folder. @throws CommandError when it is missing */
function layoutOf(folder: TemplateFolder, template: AuthoredTemplate): PublishedLayout | undefined {
  if (template.layout === null) return undefined;
  const layoutTemplate = folder.templates.find(({ key }) => key === template.layout);
  if (layoutTemplate === undefined || layoutTemplate.template.kind !== 'layout')
    throw new CommandError(
      `The files of the layout ${template.layout} are missing. Get them: postrider templates pull ${template.layout}`,
    );
  const { mode, body, text } = layoutTemplate.template;
  const contract = draftContract(workingCopyOf(layoutTemplate.template), undefined);
  return { key: layoutTemplate.key, templateId: layoutTemplate.key, version: 0, mode, body, text, contract };
}

/**
 * The contract of a template in files: its author's, or the contract inferred from its placeholders.
 * @throws CommandError
 */
export const localContract = (folder: TemplateFolder, { template }: TemplateFiles): Contract =>
  draftContract(workingCopyOf(template), layoutOf(folder, template));

/** The languages of the template, its own language first. */
export const localLocales = ({ template }: TemplateFiles): string[] => [
  ...(template.locale === null ? [] : [template.locale]),
  ...Object.keys(template.locales),
];

/** Formats each fault as its place in the author's own files and a sentence. */
export const faultLines = (
  files: TemplateFiles,
  details: readonly { readonly path: string; readonly message: string }[],
): string[] =>
  details.map(({ path, message }) => {
    const [, part = path, line] = /^(.*?)(?::(\d+))?$/.exec(path) ?? [];
    return `${files.fileOf(part)}${line === undefined ? '' : `:${line}`}: ${message}`;
  });

const compilingWith = (templateCompiler: TemplateCompiler) => ({
  workspace: { id: 'files' },
  signal: undefined,
  services: { templateCompiler },
});

/**
 * The faults that would prevent publishing, placed in the author's own files; empty if there are none.
 * @throws CommandError
 */
export async function publishingFaults(
  templateCompiler: TemplateCompiler,
  folder: TemplateFolder,
  files: TemplateFiles,
): Promise<readonly string[]> {
  const layout = layoutOf(folder, files.template);
  try {
    await compileWorkingCopy(compilingWith(templateCompiler), workingCopyOf(files.template), layout);
    return [];
  } catch (error) {
    if (isPostriderError(error, 'template_invalid')) return faultLines(files, error.details ?? []);
    if (isTemplateFault(error)) return [`${files.fileOf('body')}: ${error.message}`];
    throw error;
  }
}

/**
 * The reasons why the files' contract would refuse variables that the published contract accepts; empty if it accepts them.
 * @throws CommandError
 */
export function breakingReasons(folder: TemplateFolder, files: TemplateFiles, published: unknown): readonly string[] {
  const current = checkContract(published);
  if (!current.ok) throw new Error(`The published contract of ${files.key} cannot be read.`);
  return compareContracts(current.contract, localContract(folder, files)).reasons.map(
    ({ path, reason }) => `${path}: ${reason}`,
  );
}

/** Compiles and renders, as publishing and sending would. */
export async function renderLocally(
  templateCompiler: TemplateCompiler,
  folder: TemplateFolder,
  files: TemplateFiles,
  { locale: requested, example }: PreviewChoice,
  now: number,
): Promise<LocalPreview> {
  const working = workingCopyOf(files.template);
  try {
    const contents = contentsOf(working);
    const locale = chooseLocale(requested, working.locale, (tag) => contents.some((content) => content.locale === tag));
    const content = contents.find((one) => one.locale === locale) ?? contents[0];
    const compiled = await compileContents(
      compilingWith(templateCompiler),
      working,
      content === undefined ? [] : [content],
      layoutOf(folder, files.template),
    );
    const [mail] = compiled.contents;
    if (mail === undefined) return { ok: false, faults: ['The template is empty.'] };
    const template = createCompiledTemplate({ ...mail, ...compileContract(compiled.contract) });
    const exampleVariables = (compiled.contract.examples ?? [])[example] ?? {};
    const { variables, faults } = template.check(exampleVariables as Record<string, unknown>);
    if (faults.length > 0) {
      const hint = 'Put a complete example into `variables.examples` of template.json: previews are filled with it.';
      return { ok: false, faults: [...faults.map(({ path, message }) => `${path}: ${message}`), hint] };
    }
    // The theme is plain, because files belong to no workspace, which could have a brand.
    const variablesWithTheme = template.readsDefaultTheme ? { ...variables, theme: plainTheme } : variables;
    const subject = template.subject(variablesWithTheme, now);
    const rendered = await template.render(variablesWithTheme, now);
    return { ok: true, subject, previewText: template.previewText(variablesWithTheme, now), ...rendered };
  } catch (error) {
    if (isPostriderError(error, 'template_invalid'))
      return { ok: false, faults: faultLines(files, error.details ?? []) };
    if (isTemplateFault(error) || error instanceof CommandError) return { ok: false, faults: [error.message] };
    throw error;
  }
}
