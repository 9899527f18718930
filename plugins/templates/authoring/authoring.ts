// Checks the input of authors: contracts, themes, and whether the working copy compiles. Called by the authoring operations.
import { coreErrors, type ErrorDetail } from '../../../core/index.ts';
import { faultSummary } from '../../../core/unstable.ts';
import type { CompileCaller, TemplateCompiler } from '../compiler/compiler.ts';
import { type Contract, checkContract, declaredLike, missingPlaceholders } from '../contract/schema.ts';
import { errors } from '../errors.ts';
import type { CompiledMail } from '../language/compile.ts';
import { isTemplateFault } from '../language/fault.ts';
import {
  isThemeOfCallers,
  placeholdersOfCallers,
  themeVariable,
  unknownThemePath,
  unknownThemePaths,
} from '../theme/theme.ts';
import {
  contentsOf,
  contractOf,
  type LanguageContent,
  pathOf,
  sourceCostFault,
  sourcesOf,
  type WorkingCopy,
} from './contents.ts';
import type { PublishedLayout } from './layouts.ts';

/** One compiled language: Liquid sources, ready to be frozen. */
export interface CompiledContent {
  readonly locale: string | null;
  readonly subject: string;
  readonly previewText: string;
  readonly html: string;
  readonly text: string;
}

/** The error if another call changed the template after this call read it. */
export const changedMeanwhile = (key: string) =>
  coreErrors.state_conflict({ reason: `The template ${key} was changed at the same moment. Read it again and retry.` });

/** @throws template_invalid */
export function refuseTemplate(details: readonly ErrorDetail[]): never {
  throw errors.template_invalid({ summary: faultSummary(details) }, { details });
}

/** The author's contract in its checked form. @throws template_invalid naming each keyword that is not supported */
export function checkAuthoredContract(
  variables: Readonly<Record<string, unknown>> | null | undefined,
): Contract | undefined {
  if (variables === null || variables === undefined) return undefined;
  const checked = checkContract(variables);
  if (checked.ok) return checked.contract;
  return refuseTemplate(checked.faults.map(({ path, code, message }) => ({ path, code, message })));
}

/**
 * Limits the cost of parsing and compiling all contents, before either starts. Layouts are not limited here, because a
 * layout has one content.
 * @throws template_invalid
 */
export function checkSourceCost(
  working: Pick<WorkingCopy, 'kind' | 'mode'>,
  contents: readonly LanguageContent[],
  layout?: PublishedLayout,
): void {
  if (working.kind === 'layout') return;
  const bodies = [...new Set(contents.map(({ body }) => body))].map((body) => (layout?.body ?? '') + body);
  let message: string | undefined;
  try {
    message = sourceCostFault(sourcesOf(contents, working, layout), bodies);
  } catch (error) {
    // The compiler reports a layout that cannot be split.
    if (!isTemplateFault(error)) throw error;
  }
  if (message !== undefined) refuseTemplate([{ path: 'body', code: 'too_long', message }]);
}

const detailLimit = 50;

interface Compiled {
  readonly content: LanguageContent;
  readonly mail: CompiledMail;
}

/** The compiler, and the caller on whose behalf it works. */
export interface Compiling extends CompileCaller {
  readonly services: { readonly templateCompiler: TemplateCompiler };
}

/** Compiles contents, and reports the faults of all of them together. */
async function compileEach(
  by: Compiling,
  working: Pick<WorkingCopy, 'kind' | 'mode'>,
  contents: readonly LanguageContent[],
  layout: PublishedLayout | undefined,
): Promise<Compiled[]> {
  const isLayout = working.kind === 'layout';
  const around = layout === undefined ? undefined : { body: layout.body, text: layout.text };
  const mails = contents.map(({ subject, previewText, body, text, locale }) => {
    const lang = locale ?? undefined;
    return { mode: working.mode, subject, previewText, body, text, layout: around, isLayout, lang };
  });
  const results = await by.services.templateCompiler.compile(by, mails);
  const compiled: Compiled[] = [];
  // Languages inherit missing parts: a fault in such a part is reported once.
  const faults = new Map<string, ErrorDetail>();
  for (const [index, content] of contents.entries()) {
    const result = results[index];
    if (result?.ok) compiled.push({ content, mail: result.mail });
    for (const { path, line, code, message } of result?.ok === false ? result.faults : []) {
      const place = pathOf(content, path);
      const detail = { path: line === undefined ? place : `${place}:${line}`, code, message };
      faults.set(JSON.stringify(detail), detail);
    }
  }
  if (faults.size > 0) refuseTemplate([...faults.values()].slice(0, detailLimit));
  return compiled;
}

/**
 * Refuses variables that the contents use but that the contract, or the theme, does not have.
 * @throws template_invalid naming the first place of each variable
 */
function requireDeclared(contract: Contract, compiled: readonly Compiled[]): void {
  const themed = !isThemeOfCallers(contract);
  const missing = new Map<string, ErrorDetail>();
  for (const { content, mail } of compiled) {
    const absent = [
      ...missingPlaceholders(contract, placeholdersOfCallers(mail.placeholders, contract)),
      ...(themed ? unknownThemePaths(mail.placeholders) : []),
    ];
    for (const { path, line, part } of absent) {
      const name = path.join('.');
      if (missing.has(name)) continue;
      const place = pathOf(content, part);
      if (themed && path[0] === themeVariable) {
        const message = `Line ${line} of ${place} reads ${name}, ${unknownThemePath(name)}`;
        missing.set(name, { path: place, code: 'theme_path_unknown', message });
        continue;
      }
      const meant = declaredLike(contract, path);
      const message = `The contract does not declare ${name}, which this line reads.${meant === undefined ? '' : ` Did you mean ${meant}?`}`;
      missing.set(name, { path: `${place}:${line}`, code: 'placeholder_undeclared', message });
    }
  }
  if (missing.size > 0) refuseTemplate([...missing.values()].slice(0, detailLimit));
}

/**
 * Compiles contents of a working copy in their layout, and checks them against one contract.
 * @throws template_invalid by part and line; compiler_missing; compiler_busy
 */
export async function compileContents(
  by: Compiling,
  working: Pick<WorkingCopy, 'kind' | 'mode' | 'variables' | 'theme_id'>,
  contents: readonly LanguageContent[],
  layout: PublishedLayout | undefined,
): Promise<{ readonly contents: readonly CompiledContent[]; readonly contract: Contract }> {
  if (layout !== undefined && layout.mode !== working.mode) {
    const message = `The layout ${layout.key} is ${layout.mode}, and the body is ${working.mode}: both are of one mode.`;
    refuseTemplate([{ path: 'layout', code: 'conflict', message }]);
  }
  checkSourceCost(working, contents, layout);
  const compiled = await compileEach(by, working, contents, layout);
  const authored = checkAuthoredContract(
    working.variables === null ? null : (JSON.parse(working.variables) as Record<string, unknown>),
  );
  if (typeof working.theme_id === 'string' && authored?.properties[themeVariable] !== undefined) {
    const message =
      'The template has a theme, and reads it as theme: call the variable of the contract something else.';
    refuseTemplate([{ path: 'variables.properties.theme', code: 'conflict', message }]);
  }
  const contract = contractOf(
    authored,
    placeholdersOfCallers(
      compiled.flatMap(({ mail }) => mail.placeholders),
      authored,
      layout?.contract,
    ),
    layout,
  );
  requireDeclared(contract, compiled);
  const compiledContents = compiled.map(({ content, mail }) => {
    const { subject, previewText, html, text } = mail;
    return { locale: content.locale, subject, previewText, html, text };
  });
  return { contents: compiledContents, contract };
}

/** All languages of a working copy: its own first. @throws template_invalid by part and line */
export const compileWorkingCopy = (by: Compiling, working: WorkingCopy, layout: PublishedLayout | undefined) =>
  compileContents(by, working, contentsOf(working), layout);
