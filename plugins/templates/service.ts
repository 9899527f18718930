// `ctx.services.templates`, for other plugins: finds the version that a send uses, checks the variables and renders it.
import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type ErrorDetail, isPostriderError, type ReadContext, type WorkspaceHandle } from '../../core/index.ts';
import { lineFault } from '../../core/unstable.ts';
import { type Compiling, compileContents } from './authoring.ts';
import {
  type CompiledTemplate,
  compileContract,
  createCompiledTemplate,
  RecentlyUsed,
  type RenderedMail,
  type RenderedParts,
  weightOf,
} from './compiled-template.ts';
import { contentOf, type DraftSource, draftContract, freezeContent } from './contents.ts';
import { examplesOf, fillingOf } from './contract/sample.ts';
import { type Contract, checkContract } from './contract/schema.ts';
import { errors, refuseVariables } from './errors.ts';
import { isTemplateFault } from './language/fault.ts';
import { LINE_LIMIT } from './language/limits.ts';
import { findLayout, loadLayout, loadLayoutVersion } from './layouts.ts';
import { missingTemplate } from './missing.ts';
import {
  findTemplate,
  findTemplateHead,
  listDrafts,
  listSendable,
  listSendableVersions,
  markDrafts,
  type TemplateHead,
} from './store.ts';
import type { TemplateRow } from './tables.ts';
import { createTextTemplate, type TextSource, type TextTemplate } from './text-template.ts';
import { loadDefaultTheme, loadTheme, type ThemeContext } from './theme.ts';
import { createVersionMemory, type OpenedVersion, type VersionSource } from './version-memory.ts';

export type { DraftSource } from './contents.ts';
export type { VersionSource } from './version-memory.ts';

type Variables = Readonly<Record<string, unknown>>;

/** How to choose a content of a template. */
export interface ResolveOptions {
  /** Use the working copy if nothing is published. */
  readonly drafts: boolean;
  /** Use the working copy even if a version is published. (Default: false) */
  readonly workingCopy?: boolean;
  /** The recipient's language; the best match is chosen. (Default: the template's own content) */
  readonly locale?: string | undefined;
  /** For viewing only: archived templates and layouts are allowed. (Default: false) */
  readonly viewOnly?: boolean;
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
  readonly draft: DraftSource | undefined;
  /** The examples of the contract that are complete sets of variables. */
  examples(): readonly Variables[];
  /** Variables for a preview: the first example, or values that the contract's types allow. */
  filling(): Variables;
  /**
   * Returns the variables with defaults filled in, and the rendered subject.
   * @throws variables_invalid, one detail for each fault
   */
  accept(variables: Variables, now: number): { readonly variables: Variables; readonly subject: string };
}

/** A rendered message, or the permanent reason why the template cannot be rendered with these variables. */
export type Rendering<Mail = RenderedParts> =
  | { readonly ok: true; readonly mail: Mail }
  | { readonly ok: false; readonly reason: string };

/** A whole mail, rendered as a send renders it. */
export interface Preview extends RenderedMail {
  readonly subject: string;
  readonly previewText: string;
}

/** The part of the caller's context that rendering needs, outside any transaction. */
export interface RenderContext extends Compiling {
  read<T>(work: (ctx: ReadContext) => Promise<T>): Promise<T>;
}

/** A mail that the service itself sends, written in the template language. */
export interface BuiltInMail {
  readonly subject: string;
  readonly previewText: string;
  readonly html: string;
  readonly text: string;
  /** The contract of its variables, as JSON Schema. */
  readonly contract: Readonly<Record<string, unknown>>;
}

/** `ctx.services.templates`. */
export interface TemplatesService {
  /**
   * The published version of a key, or its working copy.
   * @throws template_not_found, template_archived, template_is_layout, template_not_published, and for working copies
   * layout_not_found, layout_not_published
   */
  resolve(ctx: ReadContext, key: string, options: ResolveOptions): Promise<ResolvedTemplate>;
  /** Resolves a built-in mail; its source is in `draft`. The send shows version 0. */
  builtIn(key: string, mail: BuiltInMail): ResolvedTemplate;
  /** Renders a version or a frozen draft, outside any transaction. */
  render(
    ctx: RenderContext,
    source: VersionSource | DraftSource,
    variables: Variables,
    now: number,
  ): Promise<Rendering>;
  /** Renders like `render`, and includes the subject. A send has stored its subject already. */
  renderWhole(
    ctx: RenderContext,
    source: VersionSource | DraftSource,
    variables: Variables,
    now: number,
  ): Promise<Rendering<RenderedMail & { readonly subject: string }>>;
  /**
   * Renders the whole mail, outside any transaction, as accepting and delivering do.
   * @throws template_invalid for a draft that does not compile; variables_invalid, one detail for each fault
   */
  preview(ctx: RenderContext, template: ResolvedTemplate, variables: Variables, now: number): Promise<Preview>;
  /**
   * The templates that the workspace's keys can send, each with its contract as JSON Schema: at most 500 published
   * templates. `drafts` (for sandbox keys) adds at most 100 templates that were never published.
   */
  sendable(
    handle: WorkspaceHandle,
    options?: { readonly drafts: boolean },
  ): Promise<readonly { readonly key: string; readonly name: string; readonly variables: Record<string, unknown> }[]>;
  /** A text that changes whenever the keys or contracts of `sendable` change. */
  sendableMark(handle: WorkspaceHandle, options?: { readonly drafts: boolean }): Promise<string>;
  /** Variables to show a request with this contract: its first example, or values that its types allow. */
  filling(contract: Readonly<Record<string, unknown>>): Variables;
  /** Parses a plain text in the template language, for messages without markup. @throws template_invalid */
  text(source: TextSource): TextTemplate;
}

/** `ctx.services.templateCallers`: the API keys that send from a template. Provided by the plugin that sends. */
export interface TemplateCallers {
  /**
   * Returns the ids of the API keys that sent since `since`, at most 20, and the number of sends without a key (in
   * process).
   */
  callersSince(
    handle: WorkspaceHandle,
    templateKey: string,
    since: number,
  ): Promise<{ readonly keys: readonly string[]; readonly withoutKey: number }>;
}

function accept(key: string, template: CompiledTemplate, given: Variables, now: number, theme?: ThemeContext) {
  const { variables, faults } = template.check(given);
  const details: ErrorDetail[] = [...faults];
  let subject = '';
  if (details.length === 0) {
    try {
      subject = template.subject(theme === undefined ? variables : { ...variables, theme }, now);
      const long = `It has ${subject.length} characters; ${LINE_LIMIT} are allowed.`;
      const fault = subject.length > LINE_LIMIT ? long : lineFault(subject);
      if (fault !== undefined)
        details.push({ path: 'subject', code: 'line_invalid', message: `The subject: ${fault}` });
    } catch (error) {
      if (!isTemplateFault(error)) throw error;
      details.push({ path: 'subject', code: error.code, message: error.message });
    }
  }
  if (details.length > 0) throw refuseVariables(key, details);
  return { variables, subject };
}

function resolved(
  head: TemplateHead,
  { template, contract, locale, theme }: OpenedVersion & { readonly theme: ThemeContext | undefined },
  draft: DraftSource | undefined,
): ResolvedTemplate {
  return {
    id: head.id,
    key: head.key,
    version: draft === undefined ? head.version : 0,
    locale,
    category: head.category,
    delivery: head.delivery,
    tracking: { opens: head.track_opens === 1, clicks: head.track_clicks === 1 },
    expiresIn: head.expires_in,
    draft,
    examples: () => examplesOf(contract),
    filling: () => fillingOf(contract),
    accept: (variables, now) => accept(head.key, template, variables, now, theme),
  };
}

/** Loads the theme of the default brand if the template reads it. */
const themeFor = async (
  ctx: ReadContext,
  { readsDefaultTheme }: CompiledTemplate,
): Promise<ThemeContext | undefined> => (readsDefaultTheme ? loadDefaultTheme(ctx) : undefined);

async function resolveDraft(ctx: ReadContext, head: TemplateHead, asked: string | undefined) {
  const row = await findTemplate(ctx.trx, head.key);
  if (row === undefined) throw await missingTemplate(ctx.trx, head.key);
  const layout = await loadLayout(ctx.trx, row.layout);
  const theme = await loadTheme(ctx, row.theme_id);
  const draft = freezeContent(row, asked, layout, theme);
  const contract = draftContract(row, layout);
  const { subject, preview_text: previewText, locale = null } = draft;
  const template = createCompiledTemplate({
    subject,
    previewText,
    html: '',
    text: '',
    theme,
    ...compileContract(contract),
  });
  return resolved(head, { template, contract, locale, theme: await themeFor(ctx, template) }, draft);
}

async function compileDraft(ctx: RenderContext, draft: DraftSource) {
  const { layout: name, kind = null } = draft;
  const layout = name ? await ctx.read(({ trx }) => loadLayoutVersion(trx, name)) : undefined;
  const { contents, contract } = await compileContents(ctx, { ...draft, kind }, [contentOf(draft)], layout);
  const [content] = contents;
  if (content === undefined) throw new Error('A working copy was compiled without its content.');
  const template = createCompiledTemplate({ ...content, theme: draft.theme, ...compileContract(contract) });
  return { template, weight: weightOf(content) };
}

/** The drafts that can be sent. A draft whose layout was never published cannot. */
async function sendableDrafts(handle: WorkspaceHandle) {
  const found: { key: string; name: string; variables: Record<string, unknown> }[] = [];
  for (const row of await listDrafts(handle)) {
    const layout = await findLayout(handle, row.layout);
    if (row.layout !== null && layout === undefined) continue;
    // Reading a large draft takes some milliseconds: let other work run between two drafts.
    await setImmediate();
    found.push({ key: row.key, name: row.name, variables: { ...draftContract(row, layout) } });
  }
  return found;
}

/** @throws TypeError for an invalid contract: the plugin that passed it has a bug */
function normalContract(given: Readonly<Record<string, unknown>>): Contract {
  const checked = checkContract(given);
  if (!checked.ok) throw new TypeError(`The contract of a built-in mail: ${checked.faults[0]?.message}`);
  return checked.contract;
}

/** The template id of built-in mails, which are not templates of the workspace. */
const builtInId = 'tpl_built_in';

/**
 * The cache limit for compiled working copies, in estimated bytes. Previews compile the same working copy repeatedly.
 */
const draftBytes = 16 * 1_048_576;

async function attempt<Mail>(render: () => Promise<Mail>): Promise<Rendering<Mail>> {
  try {
    return { ok: true, mail: await render() };
  } catch (error) {
    if (isTemplateFault(error) || isPostriderError(error, 'template_invalid'))
      return { ok: false, reason: error.message };
    throw error;
  }
}

export function createTemplatesService(): TemplatesService {
  const openVersion = createVersionMemory();
  const drafts = new RecentlyUsed<CompiledTemplate>(draftBytes);

  const open = async (ctx: RenderContext, source: VersionSource | DraftSource): Promise<CompiledTemplate> => {
    if ('templateId' in source) return (await ctx.read(({ trx }) => openVersion(trx, source))).template;
    // Cached by content: after a rollback or a restored backup, the same revision number can have another content.
    const key = hash('sha256', JSON.stringify(source));
    const known = drafts.get(key);
    if (known !== undefined) return known;
    const { template, weight } = await compileDraft(ctx, source);
    drafts.set(key, template, weight);
    return template;
  };

  /** The variables with the theme that the template reads. */
  const withTheme = async (ctx: RenderContext, template: CompiledTemplate, variables: Variables) => {
    const theme = await ctx.read((read) => themeFor(read, template));
    return theme === undefined ? variables : { ...variables, theme };
  };
  const openThemed = async (ctx: RenderContext, source: VersionSource | DraftSource, given: Variables) => {
    const template = await open(ctx, source);
    return { template, variables: template.readsDefaultTheme ? await withTheme(ctx, template, given) : given };
  };

  return {
    async resolve(ctx, key, { drafts: allowed, workingCopy = false, locale, viewOnly = false }) {
      const head = await findTemplateHead(ctx.trx, key);
      if (head === undefined) throw await missingTemplate(ctx.trx, key);
      if (head.status === 'archived' && !viewOnly) throw errors.template_archived({ key });
      if (head.kind === 'layout' && !viewOnly) throw errors.template_is_layout({ key });
      if (workingCopy || (head.version === 0 && allowed)) return resolveDraft(ctx, head, locale);
      if (head.version === 0) throw errors.template_not_published({ key });
      const opened = await openVersion(ctx.trx, { templateId: head.id, version: head.version, locale });
      return resolved(head, { ...opened, theme: await themeFor(ctx, opened.template) }, undefined);
    },

    filling: fillingOf,

    builtIn(key, { subject, previewText, html, text, contract }) {
      const compiled = compileContract(normalContract(contract));
      const template = createCompiledTemplate({ subject, previewText, html: '', text: '', ...compiled });
      const draft: DraftSource = {
        mode: 'html',
        body: html,
        text_part: text,
        subject,
        preview_text: previewText,
        variables: JSON.stringify(contract),
        locale: null,
      };
      return {
        id: builtInId,
        key,
        version: 0,
        locale: null,
        category: 'system',
        delivery: 'at-least-once',
        tracking: { opens: false, clicks: false },
        expiresIn: null,
        draft,
        examples: () => [],
        filling: () => fillingOf(contract),
        accept: (variables, now) => accept(key, template, variables, now),
      };
    },

    render: (ctx, source, variables, now) =>
      attempt(async () => {
        const opened = await openThemed(ctx, source, variables);
        return opened.template.render(opened.variables, now);
      }),

    renderWhole: (ctx, source, variables, now) =>
      attempt(async () => {
        const opened = await openThemed(ctx, source, variables);
        const subject = opened.template.subject(opened.variables, now);
        return { subject, ...(await opened.template.render(opened.variables, now)) };
      }),

    async preview(ctx, { id, key, version, locale, draft, ...template }, given, now) {
      // Compile errors of a draft are reported before its variables are checked.
      const opened = await open(ctx, draft ?? { templateId: id, version, locale });
      const { variables, subject } = template.accept(given, now);
      const themed = opened.readsDefaultTheme ? await withTheme(ctx, opened, variables) : variables;
      try {
        const { html, text } = await opened.render(themed, now);
        return { html, text, subject, previewText: opened.previewText(themed, now) };
      } catch (error) {
        if (!isTemplateFault(error)) throw error;
        throw refuseVariables(key, [{ path: 'body', code: error.code, message: error.message }]);
      }
    },

    async sendable(handle, { drafts: withDrafts } = { drafts: false }) {
      const rows = await listSendable(handle);
      const published = rows.map(({ key, name, contract }) => ({
        key,
        name,
        variables: JSON.parse(contract) as Record<string, unknown>,
      }));
      return withDrafts ? [...published, ...(await sendableDrafts(handle))] : published;
    },
    async sendableMark(handle, { drafts: withDrafts } = { drafts: false }) {
      const versions = (await listSendableVersions(handle)).map(({ key, id, version }) => `${key} ${id} ${version}`);
      return withDrafts ? `${versions.join()};${await markDrafts(handle)}` : versions.join();
    },
    text: createTextTemplate,
  };
}
