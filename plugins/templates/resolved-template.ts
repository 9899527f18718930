// Checks the variables of a send that is being accepted, and renders its subject, with the template that service.ts has found.
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

/** A subject and a preview text in the template language, which replace the subject and preview text of a version in each of its languages. */
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
  /** The rendered preview text that replaces the version's own. Undefined: the version's own is used. */
  readonly previewText?: string | undefined;
  /** The values that may be shown outside of the mail. Undefined: all of them, because the contract has no writeOnly variables. */
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
  /** The faults of the caller's own lines: lines that do not parse, and variables in them that the contract lacks. */
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
interface TemplateWithLines {
  readonly template: CompiledTemplate;
  readonly lines?: OwnLines | undefined;
  readonly theme?: ThemeContext | undefined;
}

const lineNames = { subject: 'The subject', previewText: 'The preview text' } as const;

/** Renders a line of a mail and checks that it is a single line. Adds its faults to the details. */
function renderLine(part: keyof typeof lineNames, render: () => string, details: ErrorDetail[]): string {
  try {
    const line = render();
    const lengthFault = `It has ${line.length} characters; ${LINE_LIMIT} are allowed.`;
    const fault = line.length > LINE_LIMIT ? lengthFault : lineFault(line);
    if (fault !== undefined)
      details.push({ path: part, code: 'line_invalid', message: `${lineNames[part]}: ${fault}` });
    return line;
  } catch (error) {
    if (!isTemplateFault(error)) throw error;
    details.push({ path: part, code: error.code, message: error.message });
    return '';
  }
}

/** A line with masked variables. If it cannot be rendered with them, only dots are shown; the line with real values has no fault. */
function shownLine(part: keyof typeof lineNames, render: () => string): string {
  const faults: ErrorDetail[] = [];
  const line = renderLine(part, render, faults);
  return faults.length > 0 ? hiddenValue : line;
}

/** Creates `accept` for a template with its own lines or the lines that replace them. Each replacing line is parsed once. */
export function acceptor(
  key: string,
  contract: Contract,
  { template, lines, theme }: TemplateWithLines,
): ResolvedTemplate['accept'] {
  const parsedLines = new Map<string, OwnLine>();
  const parsedLine = (source: string): OwnLine => {
    const line = parsedLines.get(source) ?? template.line(source);
    parsedLines.set(source, line);
    return line;
  };
  return (sendVariables, now) => {
    const { variables, faults } = template.check(sendVariables);
    if (faults.length > 0) throw refuseVariables(key, [...faults]);
    const details: ErrorDetail[] = [];
    const withTheme = (values: Variables): Variables => (theme === undefined ? values : { ...values, theme });
    const { subject: ownSubject, previewText: ownPreview } = lines ?? {};
    const subjectOf = (values: Variables) => (): string =>
      ownSubject === undefined
        ? template.subject(withTheme(values), now)
        : parsedLine(ownSubject).render(withTheme(values), now);
    const previewOf = (source: string, values: Variables) => (): string =>
      parsedLine(source).render(withTheme(values), now);
    const subject = renderLine('subject', subjectOf(variables), details);
    const previewText =
      ownPreview === undefined ? undefined : renderLine('previewText', previewOf(ownPreview, variables), details);
    if (details.length > 0) throw refuseVariables(key, details);
    const accepted = { variables, subject, ...(previewText === undefined ? {} : { previewText }) };
    const masked = maskVariables(contract, variables);
    if (masked === undefined) return accepted;
    const visible = {
      variables: masked,
      subject: shownLine('subject', subjectOf(masked)),
      ...(ownPreview === undefined ? {} : { previewText: shownLine('previewText', previewOf(ownPreview, masked)) }),
    };
    return { ...accepted, shown: visible };
  };
}

/** The faults of the lines that replace lines of a template. */
function faultsOf(template: CompiledTemplate, lines: OwnLines = {}): ErrorDetail[] {
  return (['subject', 'previewText'] as const).flatMap((path): ErrorDetail[] => {
    const source = lines[path];
    if (source === undefined) return [];
    try {
      return template.line(source).unknownVariables.map((name) => ({
        path,
        code: 'placeholder_unknown',
        message: `${lineNames[path]} uses ${name}, which the template does not know.`,
      }));
    } catch (error) {
      if (!isTemplateFault(error)) throw error;
      return [{ path, code: error.code, message: `${lineNames[path]}: ${error.message}` }];
    }
  });
}

/** A version or a working copy that was opened for a send. */
type OpenedTemplate = OpenedVersion & Pick<TemplateWithLines, 'lines' | 'theme'>;

/** The parts of a resolved template that depend only on the version or the working copy. */
const partsOfOpened = (key: string, { template, contract, locale, theme, lines }: OpenedTemplate) => ({
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
    ...partsOfOpened(head.key, opened),
  };
}

/** The template of a frozen version. */
export function frozenResolved(
  { lines, ...frozen }: Omit<FrozenTemplate, 'templateId'>,
  id: string,
  opened: OpenedVersion & Pick<TemplateWithLines, 'theme'>,
): ResolvedTemplate {
  return { ...frozen, id, draft: undefined, ...partsOfOpened(frozen.key, { ...opened, lines }) };
}
