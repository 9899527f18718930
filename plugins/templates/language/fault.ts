/**
 * The only kind of error that the template language throws: a fault of the template or of its variables. Publishing
 * converts it to details by line; sending converts it to a failed send. It never quotes a variable's value.
 */

/** The kind of fault: in the template's syntax, in its markup, or with its variables. */
export type TemplateFaultCode =
  | 'syntax'
  | 'unknown_tag'
  | 'unknown_filter'
  | 'too_long'
  | 'too_many_tags'
  | 'too_deep'
  | 'liquid_position'
  | 'block_position'
  | 'content_misplaced'
  | 'markup_unsafe'
  | 'url_unsafe'
  | 'line_break'
  | 'css_unsafe'
  | 'variable_missing'
  | 'not_text'
  | 'filter_failed'
  | 'limit_output'
  | 'limit_memory'
  | 'limit_loop'
  | 'limit_time'
  | 'render_failed';

/** A fault with the line of the template's source (from 1), if the line is known. */
export interface TemplateFault extends Error {
  readonly name: 'TemplateFault';
  readonly code: TemplateFaultCode;
  readonly line: number | undefined;
}

/** Makes a fault to throw. */
export function templateFault(code: TemplateFaultCode, message: string, line?: number): TemplateFault {
  return Object.assign(new Error(message), { name: 'TemplateFault' as const, code, line });
}

/** The `name` of any thrown value. */
export function nameOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : '';
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : '';
}

/** Whether an error is a fault of the template, not of the program. */
export function isTemplateFault(error: unknown): error is TemplateFault {
  return typeof error === 'object' && error !== null && 'code' in error && nameOf(error) === 'TemplateFault';
}
