// What other plugins ask of templates: which version a send freezes, whether its variables fit, and its rendering.
import type { ErrorDetail, WorkspaceHandle } from '../../core/index.ts';
import { isPostriderError, lineFault } from '../../core/index.ts';
import { compileWorkingCopy } from './authoring.ts';
import type { CompiledTemplate, RenderedMail } from './compiled-template.ts';
import { CompiledTemplates, createCompiledTemplate } from './compiled-template.ts';
import type { Contract } from './contract/schema.ts';
import { errors } from './errors.ts';
import { isTemplateFault } from './language/fault.ts';
import { draftContract } from './present.ts';
import type { TemplateHead } from './store.ts';
import { findTemplate, findTemplateHead, findVersion, listSendable } from './store.ts';
import type { TemplateRow } from './tables.ts';

/** A working copy as it was when a sandbox key sent it. */
export interface DraftSource {
  readonly mode: 'mjml' | 'html';
  readonly body: string;
  readonly text_part: string | null;
  readonly subject: string;
  readonly preview_text: string;
  readonly variables: string | null;
}

/** A published version by name. */
export interface VersionSource {
  readonly templateId: string;
  readonly version: number;
}

/** The template of a send that is being accepted. */
export interface ResolvedTemplate {
  readonly id: string;
  readonly key: string;
  /** The version that the send freezes; 0 for a draft, whose source is then in `draft`. */
  readonly version: number;
  readonly category: TemplateRow['category'];
  readonly delivery: TemplateRow['delivery'];
  readonly tracking: { readonly opens: boolean; readonly clicks: boolean };
  readonly draft: DraftSource | undefined;
  /** Defaults filled in, and the rendered subject. @throws variables_invalid, one detail a fault */
  accept(
    variables: Readonly<Record<string, unknown>>,
    now: number,
  ): { readonly variables: Readonly<Record<string, unknown>>; readonly subject: string };
}

/** A rendered message, or why the template cannot be rendered with these variables (no retry mends that). */
export type Rendering =
  | { readonly ok: true; readonly mail: RenderedMail }
  | { readonly ok: false; readonly reason: string };

type Read = <T>(work: (handle: WorkspaceHandle) => Promise<T>) => Promise<T>;

/** `ctx.services.templates`. */
export interface TemplatesService {
  /**
   * The published version of a key; with `drafts`, the working copy where nothing is published.
   * @throws template_not_found, template_archived, template_not_published
   */
  resolve(handle: WorkspaceHandle, key: string, options: { readonly drafts: boolean }): Promise<ResolvedTemplate>;
  /** Renders a version or a frozen draft, outside any transaction. */
  render(
    read: Read,
    source: VersionSource | DraftSource,
    variables: Readonly<Record<string, unknown>>,
    now: number,
  ): Promise<Rendering>;
  /** What live keys of the workspace can send, with each contract as JSON Schema. At most 500. */
  sendable(
    handle: WorkspaceHandle,
  ): Promise<readonly { readonly key: string; readonly name: string; readonly variables: Record<string, unknown> }[]>;
}

/** `ctx.services.templateCallers`: who sends from a template. Provided by the plugin that sends, where one is composed. */
export interface TemplateCallers {
  /** Ids of the API keys that sent since then, 20 at most. */
  keysSince(handle: WorkspaceHandle, templateKey: string, since: number): Promise<readonly string[]>;
}

const remembered = 500;

function accept(key: string, compiled: CompiledTemplate, given: Readonly<Record<string, unknown>>, now: number) {
  const { variables, faults } = compiled.check(given);
  const details: ErrorDetail[] = [...faults];
  let subject = '';
  if (details.length === 0) {
    try {
      subject = compiled.subject(variables, now);
      const fault = lineFault(subject);
      if (fault !== undefined)
        details.push({ path: 'subject', code: 'line_invalid', message: `The subject: ${fault}` });
    } catch (error) {
      if (!isTemplateFault(error)) throw error;
      details.push({ path: 'subject', code: error.code, message: error.message });
    }
  }
  const [first] = details;
  if (first !== undefined)
    throw errors.variables_invalid(
      { key, summary: `${first.path}: ${first.message}` },
      { details: details.slice(0, 50) },
    );
  return { variables, subject };
}

/** The service, with its memory of compiled versions. */
export function createTemplatesService(): TemplatesService {
  const compiled = new CompiledTemplates(remembered);

  const compiledVersion = async (
    handle: WorkspaceHandle,
    { templateId, version }: VersionSource,
  ): Promise<CompiledTemplate> => {
    const key = `${templateId}:${version}`;
    const known = compiled.get(key);
    if (known !== undefined) return known;
    const row = await findVersion(handle, templateId, version);
    if (row === undefined) throw new Error(`Version ${version} of ${templateId} is gone.`);
    const made = createCompiledTemplate({
      subject: row.subject,
      html: row.html,
      text: row.text_part,
      contract: JSON.parse(row.contract) as Contract,
    });
    compiled.set(key, made);
    return made;
  };

  const resolved = (
    head: TemplateHead,
    version: number,
    draft: DraftSource | undefined,
    template: CompiledTemplate,
  ): ResolvedTemplate => ({
    id: head.id,
    key: head.key,
    version,
    category: head.category,
    delivery: head.delivery,
    tracking: { opens: head.track_opens === 1, clicks: head.track_clicks === 1 },
    draft,
    accept: (variables, now) => accept(head.key, template, variables, now),
  });

  const resolveDraft = async (handle: WorkspaceHandle, head: TemplateHead): Promise<ResolvedTemplate> => {
    const row = await findTemplate(handle, head.key);
    if (row === undefined) throw errors.template_not_found({ key: head.key });
    const { mode, body, text_part, subject, preview_text, variables } = row;
    const template = createCompiledTemplate({ subject, html: '', text: '', contract: draftContract(row) });
    return resolved(head, 0, { mode, body, text_part, subject, preview_text, variables }, template);
  };

  return {
    async resolve(handle, key, { drafts }) {
      const head = await findTemplateHead(handle, key);
      if (head === undefined) throw errors.template_not_found({ key });
      if (head.status === 'archived') throw errors.template_archived({ key });
      if (head.version === 0) {
        if (!drafts) throw errors.template_not_published({ key });
        return resolveDraft(handle, head);
      }
      const template = await compiledVersion(handle, { templateId: head.id, version: head.version });
      return resolved(head, head.version, undefined, template);
    },

    async render(read, source, variables, now) {
      try {
        const template =
          'templateId' in source
            ? await read((handle) => compiledVersion(handle, source))
            : createCompiledTemplate(await compileWorkingCopy(source));
        return { ok: true, mail: template.render(variables, now) };
      } catch (error) {
        if (isTemplateFault(error) || isPostriderError(error, 'template_invalid'))
          return { ok: false, reason: error.message };
        throw error;
      }
    },

    async sendable(handle) {
      const rows = await listSendable(handle);
      return rows.map(({ key, name, contract }) => ({
        key,
        name,
        variables: JSON.parse(contract) as Record<string, unknown>,
      }));
    },
  };
}
