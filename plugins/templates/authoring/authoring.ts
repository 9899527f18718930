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
 * Refuses contents that are too expensive to parse or compile, before that work starts. Layouts are not checked here, because
 * a layout has one content.
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
    // A layout that cannot be split is reported later, by the compiler.
    if (!isTemplateFault(error)) throw error;
  }
  if (message !== undefined) refuseTemplate([{ path: 'body', code: 'too_long', message }]);
}

const detailLimit = 50;

interface Compiled {
  readonly content: LanguageContent;
  readonly mail: CompiledMail;
}

/** The compiler with the caller's workspace and signal. */
export interface Compiling extends CompileCaller {
  readonly services: { readonly templateCompiler: TemplateCompiler };
}

/** Compiles contents, and reports the faults of all of them together. */
async function compileEach(
  caller: Compiling,
  working: Pick<WorkingCopy, 'kind' | 'mode'>,
  contents: readonly LanguageContent[],
  layout: PublishedLayout | undefined,
): Promise<Compiled[]> {
  const isLayout = working.kind === 'layout';
  const layoutSource = layout === undefined ? undefined : { body: layout.body, text: layout.text };
  const mails = contents.map(({ subject, previewText, body, text, locale }) => {
    const lang = locale ?? undefined;
    return { mode: working.mode, subject, previewText, body, text, layout: layoutSource, isLayout, lang };
  });
  const results = await caller.services.templateCompiler.compile(caller, mails);
  const compiled: Compiled[] = [];
  // Languages inherit missing parts, so a fault in an inherited part is reported once.
  const faults = new Map<string, ErrorDetail>();
  for (const [index, content] of contents.entries()) {
    const result = results[index];
    if (result?.ok) compiled.push({ content, mail: result.mail });
    for (const { path, line, code, message } of result?.ok === false ? result.faults : []) {
      const placeName = pathOf(content, path);
      const detail = { path: line === undefined ? placeName : `${placeName}:${line}`, code, message };
      faults.set(JSON.stringify(detail), detail);
    }
  }
  if (faults.size > 0) refuseTemplate([...faults.values()].slice(0, detailLimit));
  return compiled;
}

/**
 * Refuses contents that use variables which neither the contract nor the theme has.
 * @throws template_invalid naming the first place of each variable
 */
function requireDeclared(contract: Contract, compiled: readonly Compiled[]): void {
  const readsTheme = !isThemeOfCallers(contract);
  const missingVariables = new Map<string, ErrorDetail>();
  for (const { content, mail } of compiled) {
    const absentPlaceholders = [
      ...missingPlaceholders(contract, placeholdersOfCallers(mail.placeholders, contract)),
      ...(readsTheme ? unknownThemePaths(mail.placeholders) : []),
    ];
    for (const { path, line, part } of absentPlaceholders) {
      const name = path.join('.');
      if (missingVariables.has(name)) continue;
      const partName = pathOf(content, part);
      if (readsTheme && path[0] === themeVariable) {
        const message = `Line ${line} of ${partName} reads ${name}, ${unknownThemePath(name)}`;
        missingVariables.set(name, { path: partName, code: 'theme_path_unknown', message });
        continue;
      }
      const similarName = declaredLike(contract, path);
      const message = `The contract does not declare ${name}, which this line reads.${similarName === undefined ? '' : ` Did you mean ${similarName}?`}`;
      missingVariables.set(name, { path: `${partName}:${line}`, code: 'placeholder_undeclared', message });
    }
  }
  if (missingVariables.size > 0) refuseTemplate([...missingVariables.values()].slice(0, detailLimit));
}

/**
 * Compiles contents of a working copy in their layout, and checks them against one contract.
 * @throws template_invalid by part and line; compiler_missing; compiler_busy
 */
export async function compileContents(
  caller: Compiling,
  working: Pick<WorkingCopy, 'kind' | 'mode' | 'variables' | 'theme_id'>,
  contents: readonly LanguageContent[],
  layout: PublishedLayout | undefined,
): Promise<{ readonly contents: readonly CompiledContent[]; readonly contract: Contract }> {
  if (layout !== undefined && layout.mode !== working.mode) {
    const message = `The layout ${layout.key} is ${layout.mode}, and the body is ${working.mode}: both must have the same mode.`;
    refuseTemplate([{ path: 'layout', code: 'conflict', message }]);
  }
  checkSourceCost(working, contents, layout);
  const compiled = await compileEach(caller, working, contents, layout);
  const authored = checkAuthoredContract(
    working.variables === null ? null : (JSON.parse(working.variables) as Record<string, unknown>),
  );
  if (typeof working.theme_id === 'string' && authored?.properties[themeVariable] !== undefined) {
    const message =
      'The template reads its theme as `theme`, so a variable of the contract must not have this name: rename the variable.';
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

/** Compiles all languages of a working copy, its own language first. @throws template_invalid by part and line */
export const compileWorkingCopy = (caller: Compiling, working: WorkingCopy, layout: PublishedLayout | undefined) =>
  compileContents(caller, working, contentsOf(working), layout);
