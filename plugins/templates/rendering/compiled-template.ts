// One language of a frozen version, ready to check variables and to render. It is parsed at first use and kept in
// memory.
import { setImmediate } from 'node:timers/promises';
import { type Contract, missingPlaceholders } from '../contract/schema.ts';
import {
  compileValidator,
  fillAbsent,
  type ValidatedVariables,
  type VariablesValidator,
} from '../contract/validator.ts';
import { type ParsedTemplate, parseTemplate, type RenderedPart } from '../language/liquid.ts';
import { hideMarks, showMarks } from '../language/marks.ts';
import { countSteps } from '../language/source-work.ts';
import { isThemeOfCallers } from '../theme/theme.ts';
import { findUnsafeUrls, urlPathsOf } from './url-variables.ts';

/** A rendered message body. */
export interface RenderedMail {
  readonly html: string;
  readonly text: string;
}

/** A rendered message body, and the static text that it shares with other mails of its template. */
export interface RenderedParts extends RenderedMail {
  readonly fixed: Readonly<Record<'html' | 'text', RenderedPart['fixed']>>;
}

/** A contract with its validator, which all languages of a version share. */
export interface CompiledContract {
  readonly contract: Contract;
  readonly validate: VariablesValidator;
}

export const compileContract = (contract: Contract): CompiledContract => ({
  contract,
  validate: compileValidator(contract),
});

/** The sources of one language, with the Liquid tags kept. */
export interface CompiledSources extends CompiledContract {
  readonly subject: string;
  readonly previewText: string;
  readonly html: string;
  readonly text: string;
  /** The value of the Liquid variable `theme`. (Default: the value passed with the variables) */
  readonly theme?: unknown;
}

type Variables = Readonly<Record<string, unknown>>;

/** A parsed subject or preview text that replaces the template's own. */
export interface OwnLine {
  /** The paths of the line's variables that the contract lacks, as dotted texts. */
  readonly unknownVariables: readonly string[];
  /** Renders it with checked variables. @throws TemplateFault */
  render(variables: Variables, now: number): string;
}

/** A parsed template. Rendering throws TemplateFault only. */
export interface CompiledTemplate {
  /** Whether it reads the theme of the workspace's default brand, which is passed with the variables as `theme`. */
  readonly readsDefaultTheme: boolean;
  check(variables: Variables): ValidatedVariables;
  subject(variables: Variables, now: number): string;
  previewText(variables: Variables, now: number): string;
  /** Parses a line that replaces the subject or the preview text of the template. @throws TemplateFault */
  line(source: string): OwnLine;
  /** Yields to the event loop after a part that took much work, before the next part begins. */
  render(variables: Variables, now: number): Promise<RenderedParts>;
}

const mentionsTheme = (source: string): boolean => /\btheme\b/.test(source);

/** Parses each part at first use. Accepting a send needs the subject, and the HTML for the variables in its URLs. */
export function createCompiledTemplate(sources: CompiledSources): CompiledTemplate {
  const { contract, validate, theme } = sources;
  const withDefaults = (variables: Variables): Variables => {
    const filled = fillAbsent(contract, variables);
    return theme === undefined ? filled : { ...filled, theme };
  };
  let subject: ParsedTemplate | undefined;
  let html: ParsedTemplate | undefined;
  let text: ParsedTemplate | undefined;
  let urls: readonly (readonly string[])[] | undefined;
  const isOwnLine = theme !== undefined || isThemeOfCallers(contract);
  return {
    readsDefaultTheme:
      !isOwnLine && [sources.subject, sources.previewText, sources.html, sources.text].some(mentionsTheme),
    check(variables) {
      const checked = validate(variables);
      if (checked.faults.length > 0) return checked;
      html ??= parseTemplate(hideMarks(sources.html), 'html');
      urls ??= urlPathsOf(html.placeholders);
      return { variables: checked.variables, faults: findUnsafeUrls(urls, checked.variables) };
    },
    subject(variables, now) {
      subject ??= parseTemplate(sources.subject, 'line');
      return subject.render(withDefaults(variables), { now });
    },
    // Only previews call this, because the HTML already contains the preview text.
    previewText: (variables, now) =>
      parseTemplate(sources.previewText, 'line').render(withDefaults(variables), { now }),
    line(source) {
      const parsed = parseTemplate(source, 'line');
      return {
        unknownVariables: missingPlaceholders(contract, parsed.placeholders).map(({ path }) => path.join('.')),
        render: (variables, now) => parsed.render(withDefaults(variables), { now }),
      };
    },
    async render(variables, now) {
      html ??= parseTemplate(hideMarks(sources.html), 'html');
      text ??= parseTemplate(hideMarks(sources.text), 'plain');
      const filled = withDefaults(variables);
      const body = html.renderParts(filled, { now });
      if (body.isExpensive) await setImmediate();
      const textPart = text.renderParts(filled, { now });
      // Large parts yield, too, because later work such as encoding the mail grows with their size.
      if (body.isExpensive || textPart.isExpensive) await setImmediate();
      return {
        html: showMarks(body.text, 'html'),
        text: showMarks(textPart.text, 'plain'),
        fixed: { html: body.fixed, text: textPart.fixed },
      };
    },
  };
}

/** The approximate size in bytes of a parsed Liquid step with its placeholder. */
const STEP_BYTES = 2_048;

/** The estimated size in bytes of a fully parsed template. */
export const estimatedBytes = ({
  subject,
  previewText,
  html,
  text,
}: Omit<CompiledSources, keyof CompiledContract>): number =>
  [subject, previewText, html, text].reduce(
    (sum, part) => sum + 2 * part.length + STEP_BYTES * countSteps(part),
    1_024,
  );

/** An LRU cache with a limit in bytes; each entry has a weight. */
export class RecentlyUsed<T> {
  readonly #entries = new Map<string, { readonly entry: T; readonly weight: number }>();
  readonly #budget: number;
  #weight = 0;

  constructor(budget: number) {
    this.#budget = budget;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): T | undefined {
    const cached = this.#entries.get(key);
    if (cached === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, cached);
    return cached.entry;
  }

  /** Stores an entry, unless it is larger than the whole cache. */
  set(key: string, entry: T, weight: number): void {
    this.#forget(key);
    if (weight > this.#budget) return;
    this.#entries.set(key, { entry, weight });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#budget) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    this.#entries.delete(key);
  }
}
