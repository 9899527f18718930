/**
 * Publishing's compiler: an authored body becomes HTML, a text part and a preheader, with its Liquid kept.
 * Only publishing and drafts load this file; it loads MJML, juice and html-to-text when it first needs them,
 * and neither it nor they read a file or the network for a template.
 */
import { escapeHtml } from './escape.ts';
import type { TemplateFaultCode } from './fault.ts';
import { isTemplateFault, messageOf } from './fault.ts';
import type { Piece } from './grammar.ts';
import { splitSource } from './grammar.ts';
import type { HiddenLiquid } from './hidden-liquid.ts';
import { hideLiquid } from './hidden-liquid.ts';
import { BODY_LIMIT, ELEMENT_LIMIT, LINE_LIMIT, MJML_ELEMENT_LIMIT, STYLE_LIMIT, STYLE_WORK_LIMIT } from './limits.ts';
import type { TemplateKind } from './liquid.ts';
import { compileTemplate } from './liquid.ts';
import { deriveText } from './mail-text.ts';
import { createMarkupRules } from './markup-rules.ts';
import { readMjmlStructure } from './mjml-structure.ts';
import type { Placeholder } from './placeholders.ts';
import { createLineFinder } from './syntax.ts';

/** A mail as its author wrote it. */
export interface MailSource {
  mode: 'mjml' | 'html';
  body: string;
  /** The text part; derived from the body when absent or null. */
  text?: string | null;
  subject: string;
  previewText: string;
}

/** A mail ready to be parsed and rendered: each part is a Liquid source. */
export interface CompiledMail {
  html: string;
  text: string;
  subject: string;
  previewText: string;
  /** What all parts together read. */
  placeholders: readonly Placeholder[];
}

export type MailPart = 'body' | 'text' | 'subject' | 'previewText';

export interface MailFault {
  path: MailPart;
  /** From 1; absent where a fault shows only after compiling. */
  line?: number;
  code: TemplateFaultCode | 'mjml_invalid' | 'text_not_derived';
  message: string;
}

export type CompiledMailResult = { ok: true; mail: CompiledMail } | { ok: false; faults: MailFault[] };

const FAULT_LIMIT = 50;

/** Compiles a mail, or tells all that is wrong with it, by part and line. */
export async function compileMail(source: MailSource): Promise<CompiledMailResult> {
  const faults: MailFault[] = [];
  const parts = [
    checkPart('subject', source.subject, 'line', LINE_LIMIT, faults),
    checkPart('previewText', source.previewText, 'line', LINE_LIMIT, faults),
    typeof source.text === 'string' ? checkPart('text', source.text, 'plain', BODY_LIMIT, faults) : [],
    checkPart('body', source.body, 'html', BODY_LIMIT, faults),
  ];
  if (faults.length > 0) return refuse(faults);
  const tooMuch = compileWorkFault(source.body);
  if (tooMuch) return refuse([{ path: 'body', code: 'too_long', message: tooMuch }]);
  const pieces = splitSource(source.body);
  const body =
    source.mode === 'mjml' ? await compileMjml(source.body, pieces, faults) : await inlineCss(source, pieces);
  if (!body) return refuse(faults);
  const html = insertPreheader(body.html, body.liquid, source.previewText.trim());
  parts.push(checkPart('body', html, 'html', undefined, faults));
  const text = source.text ?? (await deriveText(body.html, body.liquid, pieces));
  if (typeof source.text !== 'string') parts.push(checkDerivedText(text, faults));
  if (faults.length > 0) return refuse(faults);
  const [subject, previewText] = [source.subject.trim(), source.previewText.trim()];
  return { ok: true, mail: { html, text, subject, previewText, placeholders: parts.flat() } };
}

function refuse(faults: readonly MailFault[]): CompiledMailResult {
  return { ok: false, faults: faults.slice(0, FAULT_LIMIT) };
}

/** Parses one part, adds its faults, and answers its placeholders. A compiled part (no limit) has no lines of its own. */
function checkPart(
  path: MailPart,
  source: string,
  kind: TemplateKind,
  limit: number | undefined,
  faults: MailFault[],
): readonly Placeholder[] {
  if (limit !== undefined && source.length > limit) {
    faults.push({ path, code: 'too_long', message: `This has more than ${limit} characters.` });
    return [];
  }
  const lineOf = createLineFinder(source);
  const add = (code: MailFault['code'], message: string, line: number | undefined) => {
    const fault: MailFault = { path, code, message: limit === undefined ? `After compiling: ${message}` : message };
    if (limit !== undefined && line !== undefined) fault.line = line;
    faults.push(fault);
  };
  const rules = createMarkupRules((code, message, at) => add(code, message, lineOf(at)), limit !== undefined);
  try {
    return compileTemplate(kind === 'line' ? source.trim() : source, kind, rules).placeholders;
  } catch (error) {
    if (!isTemplateFault(error)) throw error;
    add(error.code, error.message, error.line);
    return [];
  }
}

/** Why a body would cost its compiler more than a second, in a sentence. */
function compileWorkFault(body: string): string | undefined {
  const count = (pattern: RegExp, text: string): number => text.match(pattern)?.length ?? 0;
  if (count(/<!--/g, body) > ELEMENT_LIMIT) return `The body has more than ${ELEMENT_LIMIT} comments.`;
  const styles = [...body.matchAll(/<(?:mj-)?style\b[^>]*>([\s\S]*?)(?:<\/|$)/gi)]
    .map(([, css]) => css ?? '')
    .join('\n');
  if (styles.length > STYLE_LIMIT) return `All styles together have at most ${STYLE_LIMIT} characters.`;
  // An MJML element becomes about five of HTML; `mj-selector` and `:has()` search more than other selectors do.
  const mjmlElements = count(/<mj-/gi, body);
  if (mjmlElements > MJML_ELEMENT_LIMIT) return `The body has more than ${MJML_ELEMENT_LIMIT} MJML elements.`;
  const elements = count(/<[a-z]/gi, body) + 5 * mjmlElements;
  const selectors = count(/[{,]/g, styles.replace(/\{[^{}]*\}/g, '{')) + 4 * count(/:has\(/gi, styles);
  const work = (selectors + 30 * count(/<mj-selector/gi, body)) * elements;
  return work > STYLE_WORK_LIMIT
    ? 'The body has too many selectors for so many elements: use fewer of either.'
    : undefined;
}

interface CompiledBody {
  /** HTML in which the Liquid is still hidden. */
  html: string;
  liquid: HiddenLiquid;
}

async function compileMjml(
  body: string,
  pieces: readonly Piece[],
  faults: MailFault[],
): Promise<CompiledBody | undefined> {
  const lineOf = createLineFinder(body);
  const { wrapped, layoutAt } = readMjmlStructure(pieces, (code, message, at) => {
    faults.push({ path: 'body', line: lineOf(at), code, message });
  });
  if (faults.length > 0) return undefined;
  const liquid = hideLiquid(body, pieces, wrapped);
  const { default: mjml2html } = await import('mjml');
  let html: string;
  try {
    const options = {
      validationLevel: 'soft',
      keepComments: true,
      ignoreIncludes: true,
      fonts: {},
      filePath: '',
    } as const;
    const result = await mjml2html(liquid.text, options);
    html = result.html;
    for (const { line, message } of result.errors) {
      // A value that Liquid fills in cannot have its type yet.
      if (liquid.isHidden(message)) continue;
      faults.push({ path: 'body', line: liquid.sourceLine(line), code: 'mjml_invalid', message: `MJML: ${message}` });
    }
  } catch (error) {
    const message = messageOf(error).slice(0, 200);
    faults.push({ path: 'body', code: 'mjml_invalid', message: `MJML: ${liquid.restore(message)}` });
    return undefined;
  }
  if (/\bNaN(?:px|%)?\b/.test(html) && !body.includes('NaN')) {
    const message = 'MJML computes with widths, paddings and borders: they must be figures, not placeholders.';
    faults.push({ path: 'body', line: lineOf(layoutAt ?? 0), code: 'mjml_invalid', message });
  }
  return faults.length > 0 ? undefined : { html, liquid };
}

async function inlineCss({ body }: MailSource, pieces: readonly Piece[]): Promise<CompiledBody> {
  const liquid = hideLiquid(body, pieces);
  const { default: juice } = await import('juice');
  // Called without its resource loader, juice reads nothing but this text. The style elements stay in place:
  // media queries, dark mode and what a client does with pseudo-classes live there.
  const html = juice(liquid.text, { removeStyleTags: false, resolveCSSVariables: false, inlinePseudoElements: false });
  return { html, liquid };
}

/** Fills the client's preview line, so that it doesn't go on with the body's first words. */
const PREHEADER_STYLE =
  'display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all';
const PREHEADER_FILL = '&#847;&zwnj;&nbsp;'.repeat(40);

function insertPreheader(html: string, liquid: HiddenLiquid, previewText: string): string {
  if (previewText === '') return liquid.restore(html);
  const shown = splitSource(previewText).map(({ kind, text }) => (kind === 'text' ? escapeHtml(text) : text));
  const preheader = `<div style="${PREHEADER_STYLE}">${shown.join('')}${PREHEADER_FILL}</div>`;
  const [open] = /<body\b[^>]*>/i.exec(html) ?? [];
  const at = open === undefined ? 0 : html.indexOf(open) + open.length;
  return liquid.restore(html.slice(0, at)) + preheader + liquid.restore(html.slice(at));
}

function checkDerivedText(text: string, faults: MailFault[]): readonly Placeholder[] {
  const found: MailFault[] = [];
  const placeholders = checkPart('text', text, 'plain', BODY_LIMIT, found);
  const [first] = found;
  if (first) {
    const message = `No text part can be derived from this body, please give one: ${first.message}`;
    faults.push({ path: 'text', code: 'text_not_derived', message });
  }
  return placeholders;
}
