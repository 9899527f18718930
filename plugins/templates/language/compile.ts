/**
 * The compiler of publishing: turns an authored body into HTML, a text part and a preheader that still contain their
 * Liquid. Only the compile threads load this file. It loads MJML, juice and html-to-text at first use, and none of
 * these packages reads a file or the network for a template.
 */
import { beginning } from '../../../core/contract/values/shorten.ts';
import { createMovableTest } from './bound-names.ts';
import { isTemplateFault, messageOf, type TemplateFault, type TemplateFaultCode } from './fault.ts';
import { type SourcePiece, splitSource } from './grammar.ts';
import { type HiddenLiquid, hideLiquid } from './hidden-liquid.ts';
import { inlineMjmlStyles, inlineStyles, takeMjmlSheets } from './inline-styles.ts';
import { composeLayout, fragmentRules, originOf, splitLayout } from './layout.ts';
import { BODY_LIMIT, LINE_LIMIT } from './limits.ts';
import { compileTemplate, type TemplateKind } from './liquid.ts';
import { isRightToLeft, rightToLeftMjml, setLanguage, setTitle } from './mail-language.ts';
import { deriveText } from './mail-text.ts';
import { createMarkupRules } from './markup-rules.ts';
import { readMjmlStructure } from './mjml-structure.ts';
import { once } from './once.ts';
import { optionalPackage } from './optional-package.ts';
import type { Placeholder } from './placeholders.ts';
import { insertPreheader } from './preheader.ts';
import { compileWorkFault } from './source-work.ts';
import { createLineFinder } from './syntax.ts';

/** A mail as its author wrote it. */
export interface MailSource {
  mode: 'mjml' | 'html';
  body: string;
  /** The text part; derived from the body when absent or null. */
  text?: string | null;
  subject: string;
  previewText: string;
  /**
   * The layout around the body, in the same mode. If the layout has a text part, an authored text part is put into it.
   */
  layout?: { readonly body: string; readonly text: string | null } | undefined;
  /** Whether this mail is itself a layout: it is compiled around a sample. */
  isLayout?: boolean;
  /** BCP 47: the mail's language if its author declared none. */
  lang?: string | undefined;
}

/** A mail ready to be parsed and rendered: each part is a Liquid source. */
export interface CompiledMail {
  html: string;
  text: string;
  subject: string;
  previewText: string;
  /** The placeholders of all parts together. */
  placeholders: readonly MailPlaceholder[];
}

export type MailPart = 'body' | 'text' | 'subject' | 'previewText' | 'layout.body' | 'layout.text';

/** A placeholder and the part that its line number refers to. */
export interface MailPlaceholder extends Placeholder {
  readonly part: MailPart;
}

export interface MailCompileFault {
  path: MailPart;
  /** From 1; absent if a fault appears only after compiling. */
  line?: number;
  code: TemplateFaultCode | 'mjml_invalid' | 'text_not_derived' | 'not_a_fragment' | 'too_expensive';
  message: string;
}

export type CompiledMailResult = { ok: true; mail: CompiledMail } | { ok: false; faults: MailCompileFault[] };

const FAULT_LIMIT = 50;

/** A result with its faults. */
interface WithFaults<T> {
  readonly value: T;
  readonly faults: readonly MailCompileFault[];
}

/** A step of compiling: loading packages, reading Liquid and markup, MJML, inlining CSS, deriving the text part. */
export type CompileStep = 'loading' | 'reading' | 'mjml' | 'inlining' | 'text';

/**
 * Sources that all languages of one template share are parsed and compiled once. Mails that share a memo differ only in
 * words and language.
 */
export class CompileMemo {
  /** Called before each step that can take long. */
  readonly step: (step: CompileStep) => void;

  constructor(step: (step: CompileStep) => void = () => undefined) {
    this.step = step;
  }

  readonly parts = new Map<string, WithFaults<ReadPart | undefined>>();
  readonly bodies = new Map<string, Promise<WithFaults<SharedBody | undefined>>>();
  readonly checked = new Map<string, WithFaults<readonly MailPlaceholder[]>>();
  readonly texts = new Map<string, Promise<string>>();
}

const outcomeOf = <T>(work: (found: MailCompileFault[]) => T, faults: MailCompileFault[] = []): WithFaults<T> => ({
  value: work(faults),
  faults,
});

/** Compiles a mail, or reports all its faults by part and line. */
export async function compileMail(source: MailSource, memo = new CompileMemo()): Promise<CompiledMailResult> {
  memo.step('reading');
  const faults: MailCompileFault[] = [];
  const [subject, previewText] = [source.subject.trim(), source.previewText.trim()];
  const collectFaults = <T>({ value: made, faults: found }: WithFaults<T>): T => {
    faults.push(...found);
    return made;
  };
  const read = (path: 'body' | 'text', input: string) =>
    collectFaults(
      once(memo.parts, `${path} ${input}`, () => outcomeOf((found) => readPart(path, source, input, found))),
    );
  const lines = [
    checkPart(plainPart('subject', source.subject), 'line', LINE_LIMIT, faults),
    checkPart(plainPart('previewText', source.previewText), 'line', LINE_LIMIT, faults),
  ];
  const text = typeof source.text === 'string' ? read('text', source.text) : undefined;
  const authored = read('body', source.body);
  const parts = [...lines, text?.placeholders ?? [], authored?.placeholders ?? []];
  if (faults.length > 0 || authored === undefined) return refuse(faults);
  const isRightToLeftMail = isRightToLeft(source.lang);
  const compileOnce = () => compileBody(authored.part, { mode: source.mode, rightToLeft: isRightToLeftMail }, memo);
  const compiled = collectFaults(await once(memo.bodies, `${isRightToLeftMail} ${source.body}`, compileOnce));
  if (!compiled) return refuse(faults);
  const { liquid, pieces } = compiled;
  memo.step('reading');
  const inLanguage = await insertPreheader(setLanguage(compiled.html, source.mode, source.lang), liquid, previewText);
  const html = setTitle(inLanguage, source.mode, subject);
  const title = html === inLanguage ? '' : subject;
  // The language is not part of the key, because it changes neither the variables in the markup nor their positions.
  const check = () => outcomeOf((found) => checkPart(plainPart('body', html), 'html', undefined, found));
  parts.push(collectFaults(once(memo.checked, JSON.stringify([previewText, title, source.body]), check)));
  const derive = () => deriveText(compiled.html, liquid, pieces, memo.step);
  const plainText = text?.part.source ?? (await once(memo.texts, source.body, derive));
  if (text === undefined) parts.push(checkDerivedText(plainText, faults));
  if (faults.length > 0) return refuse(faults);
  return { ok: true, mail: { html, text: plainText, subject, previewText, placeholders: parts.flat() } };
}

interface BodyForm {
  readonly mode: MailSource['mode'];
  /** Laid out from right to left. */
  readonly rightToLeft: boolean;
}

/** Compiles a body in its layout; the texts of the languages are added later. */
async function compileBody(
  part: Part,
  { mode, rightToLeft: turned }: BodyForm,
  { step }: CompileMemo,
): Promise<WithFaults<SharedBody | undefined>> {
  const faults: MailCompileFault[] = [];
  const tooMuch = compileWorkFault(part.source);
  if (tooMuch) return { value: undefined, faults: [{ path: 'body', code: 'too_long', message: tooMuch }] };
  const pieces = splitSource(part.source);
  const compiled =
    mode === 'mjml'
      ? await compileMjml(part, pieces, { faults, step, rightToLeft: turned })
      : await inlineCss(part, pieces, step);
  return { value: compiled && { ...compiled, pieces }, faults };
}

function refuse(faults: readonly MailCompileFault[]): CompiledMailResult {
  return { ok: false, faults: faults.slice(0, FAULT_LIMIT) };
}

/** A source to check, and a function that finds the authored line of each of its lines. */
interface Part {
  readonly path: MailPart;
  readonly source: string;
  /** @param variable the variable read there; it helps to distinguish two sources that share a line */
  locate(line: number, variable?: string): { readonly path: MailPart; readonly line: number };
}

interface ReadPart {
  readonly part: Part;
  readonly placeholders: readonly MailPlaceholder[];
}

const plainPart = (path: MailPart, source: string): Part => ({ path, source, locate: (line) => ({ path, line }) });

/** Parses a body or a text part: first alone, then inside its layout if it has one. */
function readPart(
  path: 'body' | 'text',
  { mode, layout, isLayout }: MailSource,
  source: string,
  faults: MailCompileFault[],
): ReadPart | undefined {
  const kind = path === 'body' ? 'html' : 'plain';
  const language = path === 'body' ? mode : 'plain';
  const layoutSource = isLayout ? source : layout?.[path];
  const faultsBefore = faults.length;
  const ownPart = plainPart(path, source);
  const inLayout = typeof layoutSource === 'string';
  const ownPlaceholders = isLayout ? [] : checkPart(ownPart, kind, BODY_LIMIT, faults, inLayout && path === 'body');
  if (faults.length > faultsBefore) return undefined;
  if (!inLayout) return { part: ownPart, placeholders: ownPlaceholders };
  const ownVariables = new Set(ownPlaceholders.map((placeholder) => placeholder.path.join('.')));
  let combined: Part;
  try {
    const parts = splitLayout(layoutSource, language);
    const content = isLayout ? parts.sample : source;
    combined = {
      path,
      source: composeLayout(parts, content),
      locate(line, variable) {
        const origin = originOf(parts, content, line);
        if (isLayout) return { path, line: origin.layout ?? line };
        // A fault in a line of both sources is the body's, because a published layout has compiled without faults.
        const isOwn = origin.body !== undefined && (variable === undefined || ownVariables.has(variable));
        return origin.layout === undefined || isOwn
          ? { path, line: origin.body ?? line }
          : { path: `layout.${path}`, line: origin.layout };
      },
    };
  } catch (error) {
    if (!isTemplateFault(error)) throw error;
    faults.push({ path: isLayout ? path : `layout.${path}`, ...faultOf(error) });
    return undefined;
  }
  return { part: combined, placeholders: checkPart(combined, kind, BODY_LIMIT, faults) };
}

const faultOf = ({ code, message, line }: TemplateFault) => ({
  code,
  message,
  ...(line === undefined ? {} : { line }),
});

/**
 * Parses one part, adds its faults and returns its placeholders. A compiled part (`limit` is undefined) has no source
 * lines.
 */
function checkPart(
  { path, source, locate }: Part,
  kind: TemplateKind,
  limit: number | undefined,
  faults: MailCompileFault[],
  isFragment = false,
): readonly MailPlaceholder[] {
  if (limit !== undefined && source.length > limit) {
    faults.push({ path, code: 'too_long', message: `This has more than ${limit} characters.` });
    return [];
  }
  const lineOf = createLineFinder(source);
  const add = (code: MailCompileFault['code'], message: string, line: number | undefined) => {
    const place = limit === undefined || line === undefined ? { path } : locate(line);
    faults.push({ ...place, code, message: limit === undefined ? `After compiling: ${message}` : message });
  };
  const rules = createMarkupRules((code, message, at) => add(code, message, lineOf(at)), limit !== undefined);
  const listener = isFragment
    ? fragmentRules(rules, (message, at) => add('not_a_fragment', message, lineOf(at)))
    : rules;
  try {
    const { placeholders } = compileTemplate(kind === 'line' ? source.trim() : source, kind, listener);
    return placeholders.map((placeholder) => {
      const { path: part, line } = locate(placeholder.line, placeholder.path.join('.'));
      return { ...placeholder, part, line };
    });
  } catch (error) {
    if (!isTemplateFault(error)) throw error;
    add(error.code, error.message, error.line);
    return [];
  }
}

interface CompiledBody {
  /** HTML in which the Liquid is still hidden. */
  html: string;
  liquid: HiddenLiquid;
}

type SharedBody = CompiledBody & { pieces: readonly SourcePiece[] };

const undecidedStyle = {
  code: 'mjml_invalid',
  message:
    'MJML, <mj-style>: styles are inlined when the template is published, but Liquid decides which of these rules apply. Take out inline="inline".',
} as const;

async function compileMjml(
  { source: body, locate }: Part,
  pieces: readonly SourcePiece[],
  {
    faults,
    step,
    rightToLeft: turned,
  }: Pick<BodyForm, 'rightToLeft'> & { readonly faults: MailCompileFault[]; readonly step: CompileMemo['step'] },
): Promise<CompiledBody | undefined> {
  if (body.trim() === '') {
    faults.push({
      path: 'body',
      code: 'mjml_invalid',
      message: 'The body is empty. Give it MJML, from <mjml> to </mjml>.',
    });
    return undefined;
  }
  const isMjml = /<mjml[\s>]/i.test(body);
  const noMjml = 'The body has no <mjml> element. For a body of plain HTML, set mode: html.';
  // Checked first, because otherwise each HTML element would be reported as a fault.
  if (!isMjml && /<(?:a|body|br|div|h[1-6]|html|p|span|table)[\s>/]/i.test(body)) {
    faults.push({ path: 'body', code: 'mjml_invalid', message: noMjml });
    return undefined;
  }
  const lineOf = createLineFinder(body);
  const { wrapped } = readMjmlStructure(pieces, (code, message, at) => {
    faults.push({ ...locate(lineOf(at)), code, message });
  });
  if (faults.length > 0) return undefined;
  if (!isMjml) {
    faults.push({ path: 'body', code: 'mjml_invalid', message: noMjml });
    return undefined;
  }
  const liquid = hideLiquid(body, pieces, wrapped);
  step('loading');
  const { default: mjml2html } = await optionalPackage('mjml', () => import('mjml'));
  step('mjml');
  let html: string;
  try {
    const options = {
      validationLevel: 'soft',
      keepComments: true,
      ignoreIncludes: true,
      fonts: {},
      filePath: '',
    } as const;
    const { mjml, sheets } = takeMjmlSheets(liquid.text);
    const result = await mjml2html(turned ? rightToLeftMjml(mjml) : mjml, options);
    html = result.html;
    if (sheets.length > 0) {
      const { default: juice } = await optionalPackage('juice', () => import('juice'));
      const inlined = inlineMjmlStyles(html, sheets, juice, { liquid, pieces, isMovable: createMovableTest(body) });
      if (inlined === undefined)
        faults.push({
          ...locate(liquid.sourceLine(createLineFinder(liquid.text)(sheets[0]?.at ?? 0))),
          ...undecidedStyle,
        });
      html = inlined ?? html;
    }
    for (const { line, message, tagName } of result.errors) {
      // The type of a value that contains Liquid is not known yet, so MJML's check of it does not count.
      if (liquid.isHidden(message)) continue;
      faults.push({
        ...locate(liquid.sourceLine(line)),
        code: 'mjml_invalid',
        message: `MJML, <${tagName}>: ${message}`,
      });
    }
  } catch (error) {
    const message = beginning(messageOf(error), 200);
    faults.push({ path: 'body', code: 'mjml_invalid', message: `MJML: ${liquid.restore(message)}` });
    return undefined;
  }
  if (/\bNaN(?:px|%)?\b/.test(html) && !body.includes('NaN')) {
    const message = 'MJML cannot compute with a width, padding or border of this body: write them as numbers.';
    faults.push({ path: 'body', code: 'mjml_invalid', message });
  }
  return faults.length > 0 ? undefined : { html, liquid };
}

async function inlineCss(
  { source }: Part,
  pieces: readonly SourcePiece[],
  step: CompileMemo['step'],
): Promise<CompiledBody> {
  const liquid = hideLiquid(source, pieces);
  step('loading');
  const { default: juice } = await optionalPackage('juice', () => import('juice'));
  step('inlining');
  return { html: inlineStyles(liquid.text, juice, { liquid, pieces, isMovable: createMovableTest(source) }), liquid };
}

function checkDerivedText(text: string, faults: MailCompileFault[]): readonly MailPlaceholder[] {
  const derivedFaults: MailCompileFault[] = [];
  const placeholders = checkPart(plainPart('text', text), 'plain', BODY_LIMIT, derivedFaults);
  const [first] = derivedFaults;
  if (first) {
    const message = `No text part can be derived from this body, please give one: ${first.message}`;
    faults.push({ path: 'text', code: 'text_not_derived', message });
  }
  return placeholders;
}
