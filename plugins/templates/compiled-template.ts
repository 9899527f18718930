// A frozen version, ready to check variables and to render. Compiled at its first use and kept in memory.
import type { Contract } from './contract/schema.ts';
import type { ValidatedVariables } from './contract/validator.ts';
import { compileValidator } from './contract/validator.ts';
import type { ParsedTemplate } from './language/liquid.ts';
import { parseTemplate } from './language/liquid.ts';

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

/** Parses lazily: accepting needs the subject only. */
export function createCompiledTemplate(sources: CompiledSources): CompiledTemplate {
  const check = compileValidator(sources.contract);
  let subject: ParsedTemplate | undefined;
  let html: ParsedTemplate | undefined;
  let text: ParsedTemplate | undefined;
  return {
    check,
    subject(variables, now) {
      subject ??= parseTemplate(sources.subject, 'line');
      return subject.render(variables, { now });
    },
    render(variables, now) {
      html ??= parseTemplate(sources.html, 'html');
      text ??= parseTemplate(sources.text, 'plain');
      return { html: html.render(variables, { now }), text: text.render(variables, { now }) };
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
