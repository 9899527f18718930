// Templates as what an approval policy can hold: what a publish would freeze, and how it looks.
import type {
  Surface,
  SurfaceContent,
  SurfaceJson,
  SurfaceReader,
  SurfaceView,
  SurfaceViewer,
  WorkspaceHandle,
} from '../../core/index.ts';
import type { DraftSource } from './contents.ts';
import { draftContract, freezeContent } from './contents.ts';
import { fillingOf } from './contract/sample.ts';
import type { Contract } from './contract/schema.ts';
import { authoredSource, findLayout } from './layouts.ts';
import type { ProposedChanges } from './proposed-changes.ts';
import { withProposal } from './proposed-changes.ts';
import { findTemplateById, findTemplateHead, findVersion } from './store.ts';
import type { TemplateRow, TemplateVersionRow } from './tables.ts';
import { loadTheme } from './theme.ts';
import type { VersionSource } from './version-memory.ts';

/** The parts of a version that its readers see, and what decides how it is compiled. */
export type PublicParts = Pick<
  TemplateVersionRow,
  'mode' | 'source' | 'locale' | 'layout' | 'layout_version' | 'theme'
>;

const parsed = (json: string | null | undefined): unknown =>
  json === null || json === undefined ? null : JSON.parse(json);

/** The content of a version, to hash: as authored, with its layout's version and the values of its theme. */
export function publicContent(version: PublicParts): SurfaceJson {
  const { subject, previewText, body, text, variables, locales } = authoredSource(version);
  const layout = version.layout === null ? null : { key: version.layout, version: version.layout_version };
  return {
    ...{ subject, previewText, body, text, mode: version.mode, locale: version.locale, layout },
    variables: parsed(variables),
    locales: parsed(locales) ?? {},
    theme: parsed(version.theme),
  };
}

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

/** What is public of a template; null where nothing is. */
export async function publishedContent(handle: WorkspaceHandle, row: TemplateRow): Promise<SurfaceJson | null> {
  const version = row.version === 0 ? undefined : await findVersion(handle, row.id, row.version);
  return version === undefined ? null : publicContent(version);
}

async function read(context: SurfaceReader, targetId: string): Promise<SurfaceContent | undefined> {
  const { trx } = context;
  const row = await findTemplateById(trx, targetId);
  if (row === undefined || row.status === 'archived') return undefined;
  const layout = await findLayout(trx, row.layout);
  const theme = await loadTheme(context, trx, row.theme_id);
  const parts: PublicParts = {
    mode: row.mode,
    source: sourceOf(row),
    locale: row.locale,
    layout: row.layout,
    layout_version: layout?.version ?? null,
    theme: theme === undefined ? null : JSON.stringify(theme),
  };
  return { name: row.key, content: publicContent(parts), before: await publishedContent(trx, row) };
}

/** A mail to show. */
interface Shown {
  readonly source: VersionSource | DraftSource;
  readonly contract: Contract;
}

async function rendered(viewer: SurfaceViewer, { source, contract }: Shown): Promise<SurfaceView | null> {
  const { templates } = viewer.services;
  const caller = { ...viewer, workspace: { id: viewer.workspaceId }, signal: AbortSignal.timeout(20_000) };
  const result = await templates.renderWhole(caller, source, fillingOf(contract), viewer.now);
  return result.ok ? { subject: result.mail.subject, html: result.mail.html } : null;
}

/** Templates can be held. */
export const templateSurface: Surface = {
  kind: 'email_template',
  targetKind: 'template',
  read,
  idOf: async ({ trx }, key) => (await findTemplateHead(trx, key))?.id,
  async view(viewer, { targetId, operation, input }) {
    const found = await viewer.read(async (handle) => {
      const row = await findTemplateById(handle, targetId);
      if (row === undefined) return undefined;
      const layout = await findLayout(handle, row.layout);
      return { row, layout, theme: await loadTheme(viewer, handle, row.theme_id) };
    });
    if (found === undefined) return { before: null, after: null };
    const { row, layout, theme } = found;
    const version = async (number: number): Promise<Shown | undefined> => {
      const frozen = await viewer.read((handle) => findVersion(handle, row.id, number));
      if (frozen === undefined) return undefined;
      const source = { templateId: row.id, version: number, locale: frozen.locale };
      return { source, contract: JSON.parse(frozen.contract) as Contract };
    };
    const shown = async (of: Shown | undefined) => (of === undefined ? null : rendered(viewer, of));
    const working = operation === 'templates.propose' ? withProposal(row, input as ProposedChanges) : row;
    const after =
      operation === 'templates.rollback'
        ? await version(Number(input['version']))
        : {
            source: freezeContent(working, undefined, layout, theme),
            contract: draftContract(working, layout),
          };
    return {
      before: row.version === 0 ? null : await shown(await version(row.version)),
      after: await shown(after),
    };
  },
};
