/**
 * Compiles a placeholder to a function that prints it as its place in the markup requires: text, attribute value, style or
 * comment. Called by program.ts at compile time, so that rendering does only the work for this place.
 */
import { escapeHtml, findCssFault } from './escape.ts';
import { compileExpression, type Scope } from './expression.ts';
import { templateFault } from './fault.ts';
import { ESCAPING_FILTERS } from './filters.ts';
import type { MarkupContext } from './markup-listener.ts';
import { findMarkupFault } from './markup-rules.ts';
import type { RenderFrame } from './render-frame.ts';
import type { Expression } from './syntax.ts';

type Writer = (frame: RenderFrame, value: unknown) => void;

/** The cost factor of raw content, which is read as markup, character by character. */
const RAW_COST = 20;

/** Compiles a placeholder. If `context` is undefined, the placeholder is in plain text. */
export function compileOutput(
  value: Expression,
  raw: boolean,
  context: MarkupContext | undefined,
  scope: Scope,
  at: number,
): (frame: RenderFrame) => void {
  const last = value.filters.at(-1)?.name ?? '';
  const escaped = ESCAPING_FILTERS.has(last);
  const filters = [...value.filters];
  if (scope.html && last === 'newline_to_br' && !ESCAPING_FILTERS.has(filters.at(-2)?.name ?? '')) {
    filters.splice(-1, 0, { name: 'escape', args: [], at });
  }
  const read = compileExpression({ ...value, filters }, scope);
  const write = outputWriter(raw, escaped, context, scope.lineOf(at));
  return (frame) => write(frame, read(frame));
}

function outputWriter(raw: boolean, escaped: boolean, context: MarkupContext | undefined, line: number): Writer {
  if (!context) return (frame, value) => frame.write(typeof value === 'string' ? value : frame.textOf(value));
  if (context.kind === 'style' || context.attribute === 'style') {
    return (frame, value) => {
      const text = frame.textOf(value);
      const fault = findCssFault(text, context.allowsDeclarations);
      if (fault) throw templateFault('css_unsafe', fault, line);
      frame.write(context.kind === 'style' ? text : escapeHtml(text));
    };
  }
  if (raw && context.kind !== 'text') {
    throw templateFault('liquid_position', '`raw` is allowed only in text, not in an attribute or a comment.', line);
  }
  if (raw) {
    return (frame, value) => {
      const text = frame.textOf(value);
      frame.chargeMemory(text.length * RAW_COST);
      const fault = findMarkupFault(text);
      if (fault) throw templateFault(fault.code, `Raw content: ${fault.message}`, line);
      frame.write(text);
    };
  }
  if (escaped) return (frame, value) => frame.write(frame.textOf(value));
  return (frame, value) => frame.write(escapeHtml(typeof value === 'string' ? value : frame.textOf(value)));
}
