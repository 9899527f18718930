// The template of a send that is being accepted: checks its variables and renders its subject. Made by service.ts.
import type { ErrorDetail } from '../../core/index.ts';
import { hiddenValue, lineFault } from '../../core/unstable.ts';
import type { DraftSource } from './authoring/contents.ts';
import type { Contract } from './contract/node.ts';
import { examplesOf, previewVariablesOf } from './contract/sample.ts';
import { maskVariables } from './contract/write-only.ts';
import { refuseVariables } from './errors.ts';
import { isTemplateFault } from './language/fault.ts';
import { LINE_LIMIT } from './language/limits.ts';
import type { CompiledTemplate, OwnLine } from './rendering/compiled-template.ts';
import type { TemplateHead } from './store.ts';
import type { TemplateRow } from './tables.ts';
import type { ThemeContext } from './theme/theme.ts';
import type { OpenedVersion } from './versions/version-cache.ts';

type Variables = Readonly<Record<string, unknown>>;

/** Lines in the template language that replace those of a version, in each of its languages. */
export interface OwnLines {
  /** (Default: the subject of the version) */
  readonly subject?: string | undefined;
  /** (Default: the preview text of the version) */
  readonly previewText?: string | undefined;
}

/** The result of accepting a send. */
export interface AcceptedVariables {
  /** The variables with defaults filled in. */
  readonly variables: Variables;
  readonly subject: string;
  /** The preview text that replaces that of the version, rendered. Undefined: the version's own. */
  readonly previewText?: string | undefined;
  /** What may be shown outside of the mail, if the contract has writeOnly variables. Undefined: everything. */
  readonly shown?: VisibleVariables | undefined;
}

/** Variables and subject with •••• in place of the values of writeOnly variables. */
export interface VisibleVariables {
  readonly variables: Variables;
  readonly subject: string;
  readonly previewText?: string | undefined;
}

/** The template of a send that is being accepted. */
export interface ResolvedTemplate {
  readonly id: string;
  readonly key: string;
  /** The version that the send freezes; 0 for a draft, whose source is in `draft`. */
  readonly version: number;
  /** The chosen language; null if the author set no language. */
  readonly locale: string | null;
  readonly category: TemplateRow['category'];
  readonly delivery: TemplateRow['delivery'];
  readonly tracking: { readonly opens: boolean; readonly clicks: boolean };
  /** How long a send stays useful, as an ISO 8601 duration. Null: forever. */
  readonly expiresIn: string | null;
  /** The topic of a marketing template; null without one. */
  readonly topicKey: string | null;
  readonly draft: DraftSource | undefined;
  /** The contract of its variables, as JSON Schema. */
  readonly contract: Readonly<Record<string, unknown>>;
  /** The examples of the contract that are complete sets of variables. */
  examples(): readonly Variables[];
  /** Variables for a preview: the first example, or values that the contract's types allow. */
  previewVariables(): Variables;
  /**
   * Returns the variables with defaults filled in, and the rendered lines.
   * @throws variables_invalid, one detail for each fault
   */
  accept(variables: Variables, now: number): AcceptedVariables;
  /** The faults of the lines with which it was resolved: those that do not parse, or that read something else than the contract has. */
  lineFaults(): readonly ErrorDetail[];
}

/** A published version with the settings that it had when a plugin froze it. Plain data. */
export interface FrozenTemplate {
  readonly key: string;
  readonly templateId: string;
  readonly version: number;
  readonly category: TemplateRow['category'];
  readonly delivery: TemplateRow['delivery'];
  readonly tracking: { readonly opens: boolean; readonly clicks: boolean };
  readonly topicKey: string | null;
  readonly expiresIn: string | null;
  /** (Default: the lines of the version) */
  readonly lines?: OwnLines | undefined;
}

/** A template with its own lines, and the theme that it reads. */
interface Lined {
  readonly template: CompiledTemplate;
  readonly lines?: OwnLines | undefined;
  readonly theme?: ThemeContext | undefined;
}

const names = { subject: 'The subject', previewText: 'The preview text' } as const;

/** Renders lines of a mail, each checked to be a single line. Adds their faults to the details. */
function renderLine(part: keyof typeof names, render: () => string, details: ErrorDetail[]): string {
  try {
    const line = render();
    const long = `It has ${line.length} characters; ${LINE_LIMIT} are allowed.`;
    const fault = line.length > LINE_LIMIT ? long : lineFault(line);
    if (fault !== undefined) details.push({ path: part, code: 'line_invalid', message: `${names[part]}: ${fault}` });
    return line;
  } catch (error) {
    if (!isTemplateFault(error)) throw error;
    details.push({ path: part, code: error.code, message: error.message });
    return '';
  }
}

/** A line of masked variables. A line that cannot be made of them is hidden as a whole: the faults of the real one count. */
function shownLine(part: keyof typeof names, render: () => string): string {
  const faults: ErrorDetail[] = [];
  const line = renderLine(part, render, faults);
  return faults.length > 0 ? hiddenValue : line;
}

/** Accepts variables with the lines of the template, or its own. Each own line is parsed once. */
export function acceptor(
  key: string,
  contract: Contract,
  { template, lines, theme }: Lined,
): ResolvedTemplate['accept'] {
  const parsed = new Map<string, OwnLine>();
  const own = (source: string): OwnLine => {
    const line = parsed.get(source) ?? template.line(source);
    parsed.set(source, line);
    return line;
  };
  return (given, now) => {
    const { variables, faults } = template.check(given);
    if (faults.length > 0) throw refuseVariables(key, [...faults]);
    const details: ErrorDetail[] = [];
    const themed = (some: Variables): Variables => (theme === undefined ? some : { ...some, theme });
    const { subject: ownSubject, previewText: ownPreview } = lines ?? {};
    const subjectOf = (some: Variables) => (): string =>
      ownSubject === undefined ? template.subject(themed(some), now) : own(ownSubject).render(themed(some), now);
    const previewOf = (source: string, some: Variables) => (): string => own(source).render(themed(some), now);
    const subject = renderLine('subject', subjectOf(variables), details);
    const previewText =
      ownPreview === undefined ? undefined : renderLine('previewText', previewOf(ownPreview, variables), details);
    if (details.length > 0) throw refuseVariables(key, details);
    const accepted = { variables, subject, ...(previewText === undefined ? {} : { previewText }) };
    const masked = maskVariables(contract, variables);
    if (masked === undefined) return accepted;
    const shown = {
      variables: masked,
      subject: shownLine('subject', subjectOf(masked)),
      ...(ownPreview === undefined ? {} : { previewText: shownLine('previewText', previewOf(ownPreview, masked)) }),
    };
    return { ...accepted, shown };
  };
}

/** The faults of lines that replace those of a template. */
function faultsOf(template: CompiledTemplate, lines: OwnLines = {}): ErrorDetail[] {
  return (['subject', 'previewText'] as const).flatMap((path): ErrorDetail[] => {
    const source = lines[path];
    if (source === undefined) return [];
    try {
      return template.line(source).unknown.map((name) => ({
        path,
        code: 'placeholder_unknown',
        message: `${names[path]} uses ${name}, which the template does not know.`,
      }));
    } catch (error) {
      if (!isTemplateFault(error)) throw error;
      return [{ path, code: error.code, message: `${names[path]}: ${error.message}` }];
    }
  });
}

/** A version or a working copy that was opened for a send. */
type OpenedTemplate = OpenedVersion & Pick<Lined, 'lines' | 'theme'>;

/** The parts that depend on what was opened alone. */
const openedParts = (key: string, { template, contract, locale, theme, lines }: OpenedTemplate) => ({
  locale,
  contract: { ...contract },
  examples: () => examplesOf(contract),
  previewVariables: () => previewVariablesOf(contract),
  accept: acceptor(key, contract, { template, lines, theme }),
  lineFaults: () => faultsOf(template, lines),
});

export function resolved(head: TemplateHead, opened: OpenedTemplate, draft: DraftSource | undefined): ResolvedTemplate {
  return {
    id: head.id,
    key: head.key,
    version: draft === undefined ? head.version : 0,
    category: head.category,
    delivery: head.delivery,
    tracking: { opens: head.track_opens === 1, clicks: head.track_clicks === 1 },
    expiresIn: head.expires_in,
    topicKey: head.topic_key,
    draft,
    ...openedParts(head.key, opened),
  };
}

/** The template of a frozen version. */
export function frozenResolved(
  { lines, ...frozen }: Omit<FrozenTemplate, 'templateId'>,
  id: string,
  opened: OpenedVersion & Pick<Lined, 'theme'>,
): ResolvedTemplate {
  return { ...frozen, id, draft: undefined, ...openedParts(frozen.key, { ...opened, lines }) };
}
