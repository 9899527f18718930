// A frozen version, ready to check variables and to render. Compiled at its first use and kept in memory.
import type { Contract } from './contract/schema.ts';
import type { ValidatedVariables } from './contract/validator.ts';
import { compileValidator, fillAbsent } from './contract/validator.ts';
import type { ParsedTemplate } from './language/liquid.ts';
import { parseTemplate } from './language/liquid.ts';
import { findUnsafeUrls, urlPathsOf } from './url-variables.ts';

/** A rendered message body. */
export interface RenderedMail {
  readonly html: string;
  readonly text: string;
}

/** The sources of a version, with the Liquid tags kept. */
export interface CompiledSources {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly contract: Contract;
}

/** What a version can do. Rendering throws TemplateFault only. */
export interface CompiledTemplate {
  check(variables: Readonly<Record<string, unknown>>): ValidatedVariables;
  subject(variables: Readonly<Record<string, unknown>>, now: number): string;
  render(variables: Readonly<Record<string, unknown>>, now: number): RenderedMail;
}

/** Parses each part at its first use; accepting needs the subject, and the HTML for what stands in its URLs. */
export function createCompiledTemplate(sources: CompiledSources): CompiledTemplate {
  const validate = compileValidator(sources.contract);
  let subject: ParsedTemplate | undefined;
  let html: ParsedTemplate | undefined;
  let text: ParsedTemplate | undefined;
  let urls: readonly (readonly string[])[] | undefined;
  return {
    check(given) {
      const checked = validate(given);
      if (checked.faults.length > 0) return checked;
      html ??= parseTemplate(sources.html, 'html');
      urls ??= urlPathsOf(html.placeholders);
      return { variables: checked.variables, faults: findUnsafeUrls(urls, checked.variables) };
    },
    subject(variables, now) {
      subject ??= parseTemplate(sources.subject, 'line');
      return subject.render(fillAbsent(sources.contract, variables), { now });
    },
    render(variables, now) {
      html ??= parseTemplate(sources.html, 'html');
      text ??= parseTemplate(sources.text, 'plain');
      const filled = fillAbsent(sources.contract, variables);
      return { html: html.render(filled, { now }), text: text.render(filled, { now }) };
    },
  };
}

/** A bounded memory of compiled versions, the least recently used forgotten first. */
export class CompiledTemplates {
  readonly #entries = new Map<string, CompiledTemplate>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): CompiledTemplate | undefined {
    const entry = this.#entries.get(key);
    if (entry !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    }
    return entry;
  }

  set(key: string, entry: CompiledTemplate): void {
    this.#entries.set(key, entry);
    if (this.#entries.size <= this.#limit) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
