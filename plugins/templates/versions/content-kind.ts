// Lets approval policies hold the publishing of templates: defines the content on which members decide, and its preview.
import type {
  ContentJson,
  ContentKind,
  ContentPreview,
  ContentPreviewContext,
  ContentPreviewRequest,
  DecidedRequest,
  PublishableContent,
  ReadContext,
  WorkspaceHandle,
} from '../../../core/index.ts';
import { contentHash } from '../../../core/unstable.ts';
import { type DraftSource, draftContract, freezeContent } from '../authoring/contents.ts';
import { authoredSource, findLayout } from '../authoring/layouts.ts';
import { type ProposedChanges, withProposal } from '../authoring/proposed-changes.ts';
import { previewVariablesOf } from '../contract/sample.ts';
import type { Contract } from '../contract/schema.ts';
import { compileContract } from '../rendering/compiled-template.ts';
import { findTemplateById, findTemplateHead, findVersion, newestVersionAt } from '../store.ts';
import type { TemplateRow, TemplateVersionRow } from '../tables.ts';
import { loadTheme } from '../theme/theme.ts';
import type { VersionSource } from './version-cache.ts';

/** The parts of a version that its readers see, and the columns that decide how it is compiled. */
export type PublicParts = Pick<
  TemplateVersionRow,
  'mode' | 'source' | 'locale' | 'layout' | 'layout_version' | 'theme'
>;

const parsed = (json: string | null | undefined): unknown =>
  json === null || json === undefined ? null : JSON.parse(json);

/** The content of a version, for hashing: as authored, with the version of its layout and the values of its theme. */
export function publicContent(version: PublicParts): ContentJson {
  const { subject, previewText, body, text, variables, locales } = authoredSource(version);
  const layout = version.layout === null ? null : { key: version.layout, version: version.layout_version };
  return {
    ...{ subject, previewText, body, text, mode: version.mode, locale: version.locale, layout },
    variables: parsed(variables),
    locales: parsed(locales) ?? {},
    theme: parsed(version.theme),
  };
}

/**
 * The settings that are not part of a version but change the mail, such as whether recipients can unsubscribe. Empty
 * for a layout.
 */
export const settingsOf = (row: TemplateRow): ContentJson =>
  row.kind === 'layout'
    ? {}
    : {
        category: row.category,
        delivery: row.delivery,
        tracking: { opens: row.track_opens === 1, clicks: row.track_clicks === 1 },
        expiresIn: row.expires_in,
        topicKey: row.topic_key,
      };

/** The authored source of a working copy, as versions store it. */
export const sourceOf = (row: TemplateRow): string =>
  JSON.stringify({
    subject: row.subject,
    previewText: row.preview_text,
    body: row.body,
    text: row.text_part,
    variables: row.variables,
    locales: row.locales,
  });

/**
 * The state that a proposal is based on. An approval counts for this version and this working copy only. The working
 * copy is identified by its hash, not by its revision, because saving it unchanged changes nothing.
 */
export const baseOf = (row: TemplateRow) => ({
  base: { version: row.version, workingCopy: contentHash({ source: sourceOf(row) }) },
});

/** The public content of a template; null if nothing is published. */
export async function publishedContent(handle: WorkspaceHandle, row: TemplateRow): Promise<ContentJson | null> {
  const version = row.version === 0 ? undefined : await findVersion(handle, row.id, row.version);
  return version === undefined ? null : { ...publicContent(version), ...settingsOf(row) };
}

async function read(context: ReadContext, targetId: string): Promise<PublishableContent | undefined> {
  const { trx } = context;
  const row = await findTemplateById(trx, targetId);
  if (row === undefined || row.status === 'archived') return undefined;
  const workingDraft = await draftAt(context, row);
  return { name: row.key, content: contentOf(workingDraft, row), before: await publishedContent(trx, row) };
}

/** A template, with the layout and the theme that its drafts are compiled with. */
interface DraftContext {
  readonly row: TemplateRow;
  readonly layout: Awaited<ReturnType<typeof findLayout>>;
  readonly theme: Awaited<ReturnType<typeof loadTheme>>;
}

const draftAt = async (ctx: ReadContext, row: TemplateRow): Promise<DraftContext> => ({
  row,
  layout: await findLayout(ctx.trx, row.layout),
  theme: await loadTheme(ctx, row.theme_id),
});

/** The content that publishing this working copy would make public. */
const contentOf = ({ layout, theme }: DraftContext, working: TemplateRow): ContentJson => ({
  ...publicContent({
    mode: working.mode,
    source: sourceOf(working),
    locale: working.locale,
    layout: working.layout,
    layout_version: layout?.version ?? null,
    theme: theme === undefined ? null : JSON.stringify(theme),
  }),
  ...settingsOf(working),
});

/** A mail to show. */
interface MailVersion {
  readonly source: VersionSource | DraftSource;
  readonly contract: Contract;
}

async function rendered(
  viewer: ContentPreviewContext,
  { source, contract }: MailVersion,
): Promise<ContentPreview | null> {
  const { templates } = viewer.services;
  const caller = { ...viewer, workspace: { id: viewer.workspaceId }, signal: AbortSignal.timeout(20_000) };
  // Defaults are filled in, as for a send.
  const { variables } = compileContract(contract).validate(previewVariablesOf(contract));
  const result = await templates.renderWhole(caller, source, variables, viewer.now);
  return result.ok ? { subject: result.mail.subject, html: result.mail.html } : null;
}

/** The template of a request; undefined if it no longer exists. */
const draftFor = (
  viewer: ContentPreviewContext,
  { targetId }: ContentPreviewRequest,
): Promise<DraftContext | undefined> =>
  viewer.read(async (ctx) => {
    const row = await findTemplateById(ctx.trx, targetId);
    return row === undefined ? undefined : draftAt(ctx, row);
  });

/** The working copy that a request is about. */
const workingOf = ({ row }: DraftContext, { operation, input }: ContentPreviewRequest): TemplateRow =>
  operation === 'templates.propose' ? withProposal(row, input as ProposedChanges) : row;

/** The preview of a version; null if the version does not exist. */
async function versionView(
  viewer: ContentPreviewContext,
  templateId: string,
  number: number,
): Promise<ContentPreview | null> {
  const frozen = await viewer.read(({ trx }) => findVersion(trx, templateId, number));
  if (frozen === undefined) return null;
  const source = { templateId, version: number, locale: frozen.locale };
  return rendered(viewer, { source, contract: JSON.parse(frozen.contract) as Contract });
}

/** The preview of the content that a request would make public. */
function afterView(
  viewer: ContentPreviewContext,
  draftContext: DraftContext,
  request: ContentPreviewRequest,
): Promise<ContentPreview | null> {
  const { row, layout, theme } = draftContext;
  if (request.operation === 'templates.rollback') return versionView(viewer, row.id, Number(request.input['version']));
  const working = workingOf(draftContext, request);
  const source = freezeContent(working, undefined, layout, theme);
  return rendered(viewer, { source, contract: draftContract(working, layout) });
}

/** Whether the content that a request would make public is still the content on which members decided. */
function isUnchanged(draftContext: DraftContext, request: DecidedRequest): boolean {
  // A version never changes.
  if (request.operation === 'templates.rollback') return true;
  const base = request.operation === 'templates.propose' ? baseOf(draftContext.row) : {};
  return contentHash({ ...contentOf(draftContext, workingOf(draftContext, request)), ...base }) === request.contentHash;
}

/** The content kind with which approval policies hold templates. */
export const templateContentKind: ContentKind = {
  kind: 'email_template',
  targetKind: 'template',
  read,
  idOf: async ({ trx }, key) => (await findTemplateHead(trx, key))?.id,

  async view(viewer, request) {
    const draftContext = await draftFor(viewer, request);
    if (draftContext === undefined) return { before: null, after: null };
    const { id, version } = draftContext.row;
    return { before: await versionView(viewer, id, version), after: await afterView(viewer, draftContext, request) };
  },

  async decided(viewer, request) {
    const draftContext = await draftFor(viewer, request);
    if (draftContext === undefined) return undefined;
    const { id } = draftContext.row;
    const { executedAt, decidedAt } = request;
    // If the call was executed, it created a version at that time. Until then, the version before it was public.
    const newestAt = (time: number) => viewer.read(({ trx }) => newestVersionAt(trx, id, time));
    const executedVersion = executedAt === undefined ? undefined : await newestAt(executedAt);
    if (executedVersion !== undefined && executedVersion.created_at === executedAt)
      return {
        before: await versionView(viewer, id, executedVersion.version - 1),
        after: await versionView(viewer, id, executedVersion.version),
      };
    if (!isUnchanged(draftContext, request)) return undefined;
    const { version = 0 } = (await newestAt(decidedAt)) ?? {};
    return { before: await versionView(viewer, id, version), after: await afterView(viewer, draftContext, request) };
  },
};
