// `ctx.services.templates`, for other plugins: finds the version for a send, checks the variables and renders the mail.
import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { isPostriderError, type ReadContext, type WorkspaceHandle } from '../../core/index.ts';
import { type Compiling, compileContents } from './authoring/authoring.ts';
import { contentOf, type DraftSource, draftContract, freezeContent } from './authoring/contents.ts';
import { findLayout, loadLayout, loadLayoutVersion } from './authoring/layouts.ts';
import { templateNotFound } from './authoring/template-not-found.ts';
import { previewVariablesOf } from './contract/sample.ts';
import { type Contract, checkContract } from './contract/schema.ts';
import { hasWriteOnly, withoutHidden } from './contract/write-only.ts';
import { errors, refuseVariables } from './errors.ts';
import { isTemplateFault } from './language/fault.ts';
import { withPreheader } from './language/preheader.ts';
import {
  type CompiledTemplate,
  compileContract,
  createCompiledTemplate,
  estimatedBytes,
  RecentlyUsed,
  type RenderedMail,
  type RenderedParts,
} from './rendering/compiled-template.ts';
import { createTextTemplate, type TextSource, type TextTemplate } from './rendering/text-template.ts';
import {
  acceptor,
  type FrozenTemplate,
  frozenResolved,
  type OwnLines,
  type ResolvedTemplate,
  resolved,
} from './resolved-template.ts';
import {
  draftsFingerprint,
  findTemplate,
  findTemplateHead,
  listDrafts,
  listSendable,
  listSendableVersions,
  type TemplateHead,
  themeOf,
} from './store.ts';
import { loadDefaultTheme, loadTheme, type ThemeContext } from './theme/theme.ts';
import { createVersionCache, type VersionSource } from './versions/version-cache.ts';

export type { DraftSource } from './authoring/contents.ts';
export type { FrozenTemplate, OwnLines, ResolvedTemplate, VisibleVariables } from './resolved-template.ts';
export type { VersionSource } from './versions/version-cache.ts';

type Variables = Readonly<Record<string, unknown>>;

/** Options for choosing the content of a template. */
export interface ResolveOptions {
  /** Use the working copy if nothing is published. */
  readonly drafts: boolean;
  /** Use the working copy even if a version is published. (Default: false) */
  readonly workingCopy?: boolean;
  /** The recipient's language; the best match is chosen. (Default: the template's own content) */
  readonly locale?: string | undefined;
  /** For viewing only: archived templates and layouts are allowed. (Default: false) */
  readonly viewOnly?: boolean;
  /** Replaces the subject and the preview text. (Default: those of the template) */
  readonly lines?: OwnLines | undefined;
}

/** A rendered message, or the permanent reason why the template cannot be rendered with these variables. */
export type Rendering<Mail = RenderedParts> =
  | { readonly ok: true; readonly mail: Mail }
  | { readonly ok: false; readonly reason: string };

/** A whole mail, rendered as a send renders it. */
export interface MailPreview extends RenderedMail {
  readonly subject: string;
  readonly previewText: string;
}

/** The context in which mails are rendered, outside any transaction. */
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
  /** Resolves a version that was frozen earlier, even if later versions have been published. */
  resolveFrozen(ctx: ReadContext, frozen: FrozenTemplate, locale: string | undefined): Promise<ResolvedTemplate>;
  /** Whether the contract of a published version marks variables `writeOnly`. */
  hidesVariables(ctx: ReadContext, version: VersionSource): Promise<boolean>;
  /**
   * Removes hidden values from a foreign text that may quote a mail, such as the answer of a mail server. `masked`: the masked variables
   * that `accept` returned as `shown`.
   */
  withoutHidden(text: string, variables: Variables, masked: Variables): string;
  /** Replaces the preview text of a rendered HTML body. */
  withPreviewText(html: string, previewText: string): Promise<string>;
  /** Resolves a built-in mail. Its source is in `draft`, and its sends have version 0. */
  resolveBuiltIn(key: string, mail: BuiltInMail): ResolvedTemplate;
  /** The theme that a version was published with; for version 0, the theme of the working copy. Null if it has none. */
  themeOf(handle: WorkspaceHandle, templateId: string, version: number): Promise<string | null>;
  /** Renders a version or a frozen draft, outside any transaction. */
  render(
    ctx: RenderContext,
    source: VersionSource | DraftSource,
    variables: Variables,
    now: number,
  ): Promise<Rendering>;
  /** Renders like `render`, and includes the subject. `render` leaves it out, because a send has already stored its subject. */
  renderWhole(
    ctx: RenderContext,
    source: VersionSource | DraftSource,
    variables: Variables,
    now: number,
  ): Promise<Rendering<RenderedMail & { readonly subject: string }>>;
  /**
   * Renders the whole mail, outside any transaction, with the same steps as accepting and delivering a send. Values of writeOnly variables show as ••••.
   * `areExamples`: the variables are examples of the contract, which every reader of the template sees, so they are not masked.
   * (Default: false)
   * @throws template_invalid for a draft that does not compile; variables_invalid, one detail for each fault
   */
  preview(
    ctx: RenderContext,
    template: ResolvedTemplate,
    variables: Variables,
    now: number,
    options?: { readonly areExamples?: boolean },
  ): Promise<MailPreview>;
  /**
   * The templates that the workspace's keys can send, each with its contract as JSON Schema: at most 500 published
   * templates. `drafts` (for sandbox keys) adds at most 100 templates that were never published.
   */
  sendable(
    handle: WorkspaceHandle,
    options?: { readonly drafts: boolean },
  ): Promise<readonly { readonly key: string; readonly name: string; readonly variables: Record<string, unknown> }[]>;
  /** A text that changes whenever the keys or contracts of `sendable` change. */
  sendableFingerprint(handle: WorkspaceHandle, options?: { readonly drafts: boolean }): Promise<string>;
  /** Example variables for a request with this contract: its first example, or values that its types allow. */
  previewVariables(contract: Readonly<Record<string, unknown>>): Variables;
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

/** Loads the theme of the default brand if the template reads it. */
const themeFor = async (
  ctx: ReadContext,
  { readsDefaultTheme }: CompiledTemplate,
): Promise<ThemeContext | undefined> => (readsDefaultTheme ? loadDefaultTheme(ctx) : undefined);

async function resolveDraft(
  ctx: ReadContext,
  head: TemplateHead,
  requested: string | undefined,
  lines: OwnLines | undefined,
) {
  const row = await findTemplate(ctx.trx, head.key);
  if (row === undefined) throw await templateNotFound(ctx.trx, head.key);
  const layout = await loadLayout(ctx.trx, row.layout);
  const theme = await loadTheme(ctx, row.theme_id);
  const draft = freezeContent(row, requested, layout, theme);
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
  return resolved(head, { template, contract, locale, lines, theme: await themeFor(ctx, template) }, draft);
}

async function compileDraft(ctx: RenderContext, draft: DraftSource) {
  const { layout: name, kind = null } = draft;
  const layout = name ? await ctx.read(({ trx }) => loadLayoutVersion(trx, name)) : undefined;
  const { contents, contract } = await compileContents(ctx, { ...draft, kind }, [contentOf(draft)], layout);
  const [content] = contents;
  if (content === undefined) throw new Error('A working copy was compiled without its content.');
  const template = createCompiledTemplate({ ...content, theme: draft.theme, ...compileContract(contract) });
  return { template, weight: estimatedBytes(content) };
}

/** The drafts that can be sent. A draft whose layout was never published cannot. */
async function sendableDrafts(handle: WorkspaceHandle) {
  const sendable: { key: string; name: string; variables: Record<string, unknown> }[] = [];
  for (const row of await listDrafts(handle)) {
    const layout = await findLayout(handle, row.layout);
    if (row.layout !== null && layout === undefined) continue;
    // Reading a large draft takes some milliseconds: let other work run between two drafts.
    await setImmediate();
    sendable.push({ key: row.key, name: row.name, variables: { ...draftContract(row, layout) } });
  }
  return sendable;
}

/** @throws TypeError for an invalid contract: the plugin that passed it has a bug */
function normalContract(values: Readonly<Record<string, unknown>>): Contract {
  const checked = checkContract(values);
  if (!checked.ok) throw new TypeError(`The contract of a built-in mail: ${checked.faults[0]?.message}`);
  return checked.contract;
}

/** The template id of built-in mails, which are not templates of the workspace. */
const builtInId = 'tpl_built_in';

/**
 * The cache limit for compiled working copies, in estimated bytes. Previews compile the same working copy repeatedly.
 */
const maxDraftBytes = 16 * 1_048_576;

async function renderSafely<Mail>(render: () => Promise<Mail>): Promise<Rendering<Mail>> {
  try {
    return { ok: true, mail: await render() };
  } catch (error) {
    if (isTemplateFault(error) || isPostriderError(error, 'template_invalid'))
      return { ok: false, reason: error.message };
    throw error;
  }
}

export function createTemplatesService(): TemplatesService {
  const openVersion = createVersionCache();
  const drafts = new RecentlyUsed<CompiledTemplate>(maxDraftBytes);

  const open = async (ctx: RenderContext, source: VersionSource | DraftSource): Promise<CompiledTemplate> => {
    if ('templateId' in source) return (await ctx.read(({ trx }) => openVersion(trx, source))).template;
    // Cached by content: after a rollback or a restored backup, the same revision number can have another content.
    const key = hash('sha256', JSON.stringify(source));
    const cached = drafts.get(key);
    if (cached !== undefined) return cached;
    const { template, weight } = await compileDraft(ctx, source);
    drafts.set(key, template, weight);
    return template;
  };

  /** The variables with the theme that the template reads. */
  const withTheme = async (ctx: RenderContext, template: CompiledTemplate, variables: Variables) => {
    const theme = await ctx.read((read) => themeFor(read, template));
    return theme === undefined ? variables : { ...variables, theme };
  };
  const openThemed = async (ctx: RenderContext, source: VersionSource | DraftSource, variables: Variables) => {
    const template = await open(ctx, source);
    return { template, variables: template.readsDefaultTheme ? await withTheme(ctx, template, variables) : variables };
  };

  return {
    async resolve(ctx, key, { drafts: allowed, workingCopy = false, locale, viewOnly = false, lines }) {
      const head = await findTemplateHead(ctx.trx, key);
      if (head === undefined) throw await templateNotFound(ctx.trx, key);
      if (head.status === 'archived' && !viewOnly) throw errors.template_archived({ key });
      if (head.kind === 'layout' && !viewOnly) throw errors.template_is_layout({ key });
      if (workingCopy || (head.version === 0 && allowed)) return resolveDraft(ctx, head, locale, lines);
      if (head.version === 0) throw errors.template_not_published({ key });
      const openedVersion = await openVersion(ctx.trx, { templateId: head.id, version: head.version, locale });
      return resolved(head, { ...openedVersion, lines, theme: await themeFor(ctx, openedVersion.template) }, undefined);
    },

    async resolveFrozen(ctx, { templateId: id, ...frozen }, locale) {
      const openedVersion = await openVersion(ctx.trx, { templateId: id, version: frozen.version, locale });
      const theme = await themeFor(ctx, openedVersion.template);
      return frozenResolved(frozen, id, { ...openedVersion, theme });
    },

    hidesVariables: async (ctx, version) => hasWriteOnly((await openVersion(ctx.trx, version)).contract),
    withoutHidden,
    withPreviewText: withPreheader,
    previewVariables: previewVariablesOf,
    themeOf,

    resolveBuiltIn(key, { subject, previewText, html, text, contract }) {
      const checked = normalContract(contract);
      const compiled = compileContract(checked);
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
        topicKey: null,
        draft,
        contract,
        examples: () => [],
        previewVariables: () => previewVariablesOf(contract),
        accept: acceptor(key, checked, { template }),
        lineFaults: () => [],
      };
    },

    render: (ctx, source, variables, now) =>
      renderSafely(async () => {
        const compiled = await openThemed(ctx, source, variables);
        return compiled.template.render(compiled.variables, now);
      }),

    renderWhole: (ctx, source, variables, now) =>
      renderSafely(async () => {
        const compiled = await openThemed(ctx, source, variables);
        const subject = compiled.template.subject(compiled.variables, now);
        return { subject, ...(await compiled.template.render(compiled.variables, now)) };
      }),

    async preview(
      ctx,
      { id, key, version, locale, draft, ...template },
      callerVariables,
      now,
      { areExamples = false } = {},
    ) {
      // Compile errors of a draft are reported before its variables are checked.
      const compiled = await open(ctx, draft ?? { templateId: id, version, locale });
      const accepted = template.accept(callerVariables, now);
      const { variables, subject, previewText } = areExamples ? accepted : (accepted.shown ?? accepted);
      const themed = compiled.readsDefaultTheme ? await withTheme(ctx, compiled, variables) : variables;
      try {
        const { html, text } = await compiled.render(themed, now);
        if (previewText === undefined) return { html, text, subject, previewText: compiled.previewText(themed, now) };
        return { html: await withPreheader(html, previewText), text, subject, previewText };
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
    async sendableFingerprint(handle, { drafts: withDrafts } = { drafts: false }) {
      const versions = (await listSendableVersions(handle)).map(({ key, id, version }) => `${key} ${id} ${version}`);
      return withDrafts ? `${versions.join()};${await draftsFingerprint(handle)}` : versions.join();
    },
    text: createTextTemplate,
  };
}
