/**
 * The entry point of the template language: a source is parsed once and rendered many times, synchronously and within
 * limits. Publishing parses to find faults and placeholders; sending renders. It reads no file and no prototype, and
 * reads the clock only on request.
 */
import { isTemplateFault, nameOf, templateFault } from './fault.ts';
import { parseSource } from './grammar.ts';
import { HtmlPosition } from './html-position.ts';
import type { MarkupListener } from './markup-listener.ts';
import { createMarkupRules } from './markup-rules.ts';
import { listPlaceholders, type Placeholder } from './placeholders.ts';
import { compileNodes, run } from './program.ts';
import { RenderFrame, type RenderVariables, type StaticText } from './render-frame.ts';
import { createLineFinder, type Node } from './syntax.ts';
import { isMarked, layOutText } from './text-marks.ts';

/**
 * The output of a template: `html` is escaped and checked for its place in the markup, `plain` is not escaped, `line`
 * is plain without a line break (subjects, preview texts).
 */
export type TemplateKind = 'html' | 'plain' | 'line';

export interface RenderOptions {
  /** The meaning of `now` and `today` in date filters, in milliseconds since 1970. (Default: the system's clock) */
  now?: number;
}

export interface ParsedTemplate {
  readonly kind: TemplateKind;
  /** Every variable that the template reads, in order. */
  readonly placeholders: readonly Placeholder[];
  /**
   * Renders with variables that contain JSON values. Reads own properties only and changes nothing.
   * @throws TemplateFault and nothing else
   */
  render(variables: RenderVariables, options?: RenderOptions): string;
  /** Renders like `render`, and also returns the static texts of the result. */
  renderParts(variables: RenderVariables, options?: RenderOptions): RenderedPart;
}

/** A rendered part, and the static texts in it, in order. */
export interface RenderedPart {
  readonly text: string;
  readonly fixed: readonly StaticText[];
  /** Whether rendering used a tenth of a part's limit for steps, memory or characters. */
  readonly isExpensive: boolean;
}

/**
 * Parses a template.
 * @throws TemplateFault with the line of the first mistake
 */
export function parseTemplate(source: string, kind: TemplateKind): ParsedTemplate {
  const lineOf = createLineFinder(source);
  const rules = createMarkupRules((code, message, at) => {
    throw templateFault(code, message, lineOf(at));
  });
  return compileTemplate(kind === 'line' ? source.trim() : source, kind, rules);
}

/**
 * Parses like parseTemplate, but with the caller's own markup listener, which can collect every fault instead of the
 * first.
 */
export function compileTemplate(source: string, kind: TemplateKind, listener: MarkupListener): ParsedTemplate {
  const nodes = parseSource(source);
  const lineOf = createLineFinder(source);
  const newPosition = () => (kind === 'html' ? new HtmlPosition(listener) : undefined);
  const position = newPosition();
  const assigned = collectAssigned(nodes);
  const urls = new Set<number>();
  const readSlots = new Set<number>();
  const scope = { html: kind === 'html', slots: new Map(), loops: 0, assigned, urls, lineOf, readSlots };
  const steps = compileNodes(nodes, { ...scope, position, newPosition });
  if (position && position.context?.kind !== 'text') {
    throw templateFault(
      'block_position',
      'The template ends inside a tag, a comment or a style.',
      lineOf(source.length),
    );
  }
  if (kind === 'line') checkStaticLine(nodes);
  const isDerived = kind === 'plain' && isMarked(source);
  const renderParts = (variables: RenderVariables, options?: RenderOptions): RenderedPart => {
    const frame = new RenderFrame(variables, options?.now);
    try {
      run(steps, frame);
      frame.write('');
    } catch (error) {
      if (isTemplateFault(error)) throw error;
      if (nameOf(error) === 'RangeError')
        throw templateFault('limit_memory', 'A variable is nested too deeply or too long.');
      throw templateFault('render_failed', 'The template cannot be rendered with these variables.');
    }
    const { out: text, fixed } = frame;
    if (kind === 'line' && LINE_BREAK.test(text)) {
      throw templateFault(
        'line_break',
        'A variable contains a line break or a control character, which a single line must not have.',
      );
    }
    // A derived text is laid out after rendering, so the positions of its static texts are not known here.
    return isDerived
      ? { text: layOutText(text), fixed: [], isExpensive: frame.isExpensive }
      : { text, fixed, isExpensive: frame.isExpensive };
  };
  return {
    kind,
    placeholders: listPlaceholders(nodes, lineOf, urls),
    render: (variables, options) => renderParts(variables, options).text,
    renderParts,
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a header line must not contain any of them.
const LINE_BREAK = /[\u0000-\u0008\u000a-\u001f\u007f\u0085\u2028\u2029]/;

function checkStaticLine(nodes: readonly Node[]): void {
  for (const node of nodes) {
    if (node.kind === 'text' && LINE_BREAK.test(node.text)) {
      throw templateFault('line_break', 'This must be a single line: remove the line break.', 1);
    }
  }
}

function collectAssigned(nodes: readonly Node[], names: Set<string> = new Set()): Set<string> {
  for (const node of nodes) {
    if (node.kind === 'assign' || node.kind === 'capture') names.add(node.name);
    if (node.kind === 'if' || node.kind === 'case')
      for (const branch of node.branches) collectAssigned(branch.body, names);
    if (node.kind === 'if' || node.kind === 'case' || node.kind === 'for') collectAssigned(node.otherwise, names);
    if (node.kind === 'for' || node.kind === 'capture') collectAssigned(node.body, names);
  }
  return names;
}
