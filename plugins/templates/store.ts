// The only SQL of the templates plugin.
import type { WorkspaceHandle } from '../../core/index.ts';
import { defineStatement, tenantRows } from '../../core/index.ts';
import type { TemplateRow, TemplateVersionRow } from './tables.ts';
import { templates } from './tables.ts';

const byKey = defineStatement((db, p: { key: string }) =>
  db.selectFrom('templates').selectAll().where('key', '=', p.key),
);

/** What accepting a send needs of a template: no sources. */
const headByKey = defineStatement((db, p: { key: string }) =>
  db
    .selectFrom('templates')
    .select(['id', 'key', 'status', 'version', 'category', 'delivery', 'track_opens', 'track_clicks', 'kind'])
    .where('key', '=', p.key),
);

const versionOf = defineStatement((db, p: { template_id: string; version: number }) =>
  db
    .selectFrom('template_versions')
    .selectAll()
    .where('template_id', '=', p.template_id)
    .where('version', '=', p.version),
);

/** Changes nothing; it waits for whoever holds the row, and then finds it as that one left it. */
const touchTemplate = defineStatement((db, p: { key: string }) =>
  db
    .updateTable('templates')
    .set(({ ref }) => ({ revision: ref('revision') }))
    .where('key', '=', p.key),
);

/** The same as `listSendable` names, without their contracts. */
const sendableVersions = defineStatement((db) =>
  db
    .selectFrom('templates')
    .select(['key', 'id', 'version'])
    .where('status', '=', 'published')
    .where('kind', 'is', null)
    .orderBy('key')
    .limit(500),
);

export type TemplateHead = NonNullable<Awaited<ReturnType<typeof findTemplateHead>>>;

export async function findTemplate(handle: WorkspaceHandle, key: string): Promise<TemplateRow | undefined> {
  return handle.one(byKey, { key });
}

export async function findTemplateHead(handle: WorkspaceHandle, key: string) {
  return handle.one(headByKey, { key });
}

/**
 * Locks the template for this transaction: of two at once, the second one reads what the first one wrote. Who adopts a
 * layout and who archives it hold the layout first, so that none is archived that a template is just taking.
 */
export async function lockTemplate(handle: WorkspaceHandle, key: string): Promise<void> {
  await handle.run(touchTemplate, { key });
}

export async function findVersion(
  handle: WorkspaceHandle,
  templateId: string,
  version: number,
): Promise<TemplateVersionRow | undefined> {
  return handle.one(versionOf, { template_id: templateId, version });
}

export async function insertTemplate(handle: WorkspaceHandle, row: TemplateRow): Promise<void> {
  await handle.db.insertInto('templates').values(row).execute();
}

/** Templates and their published versions, in one statement a table. */
export async function insertPublished(
  handle: WorkspaceHandle,
  rows: readonly TemplateRow[],
  versions: readonly TemplateVersionRow[],
): Promise<void> {
  await handle.db.insertInto('templates').values(rows).execute();
  await handle.db.insertInto('template_versions').values(versions).execute();
}

/** Answers whether the working copy was still as it was read; archived ones stay as they are. */
export async function updateTemplate(
  handle: WorkspaceHandle,
  { id, revision }: Pick<TemplateRow, 'id' | 'revision'>,
  changes: Partial<TemplateRow>,
): Promise<boolean> {
  const { numUpdatedRows } = await handle.db
    .updateTable('templates')
    .set(changes)
    .where('id', '=', id)
    .where('revision', '=', revision)
    .where('status', '!=', 'archived')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function insertVersion(handle: WorkspaceHandle, row: TemplateVersionRow): Promise<void> {
  await handle.db.insertInto('template_versions').values(row).execute();
}

const listedColumns = [
  ...(['id', 'key', 'name', 'kind', 'category', 'mode', 'subject', 'preview_text', 'theme_id', 'version'] as const),
  ...(['status', 'contract_version', 'created_at', 'updated_at', 'published_at', 'delivery'] as const),
  ...(['track_opens', 'track_clicks', 'layout', 'locale'] as const),
] as const;

export type ListedColumn = (typeof listedColumns)[number];

/** Templates without their content: lists hold hundreds of them. */
export const listedRows = tenantRows(templates, { columns: listedColumns });

/** Who uses a layout, by key: each with the layout's version that its published version holds. */
export async function listUsers(
  handle: WorkspaceHandle,
  layout: string,
  limit: number,
): Promise<{ key: string; layout_version: number | null }[]> {
  return handle.db
    .selectFrom('templates')
    .leftJoin('template_versions', (join) =>
      join
        .onRef('template_versions.template_id', '=', 'templates.id')
        .onRef('template_versions.version', '=', 'templates.version')
        .onRef('template_versions.layout', '=', 'templates.layout'),
    )
    .select(['templates.key as key', 'template_versions.layout_version as layout_version'])
    .where('templates.layout', '=', layout)
    .where('templates.status', '!=', 'archived')
    .orderBy('templates.key')
    .limit(limit)
    .execute();
}

/** As many characters of a version's languages as hold their names: contents come behind them (frozen-locales.ts). */
const namesLength = 2_500;

/** Published versions without their content, the newest first. */
export async function listVersions(
  handle: WorkspaceHandle,
  templateId: string,
  limit: number,
  before: number | undefined,
) {
  let query = handle.db
    .selectFrom('template_versions')
    .select(['version', 'contract_version', 'created_at', 'subject', 'layout', 'layout_version', 'locale'])
    .select((builder) =>
      builder.fn<string | null>('substr', ['locales', builder.lit(1), builder.lit(namesLength)]).as('locale_names'),
    )
    .where('template_id', '=', templateId);
  if (before !== undefined) query = query.where('version', '<', before);
  return query
    .orderBy('version', 'desc')
    .limit(limit + 1)
    .execute();
}

export async function listSendableVersions(
  handle: WorkspaceHandle,
): Promise<{ key: string; id: string; version: number }[]> {
  return handle.all(sendableVersions, {});
}

/** Keys and contracts of what a live key can send, for the tool's schema. At most 500. */
export async function listSendable(
  handle: WorkspaceHandle,
): Promise<{ key: string; name: string; contract: string }[]> {
  return handle.db
    .selectFrom('templates')
    .innerJoin('template_versions', (join) =>
      join
        .onRef('template_versions.template_id', '=', 'templates.id')
        .onRef('template_versions.version', '=', 'templates.version'),
    )
    .select(['templates.key as key', 'templates.name as name', 'template_versions.contract as contract'])
    .where('templates.status', '=', 'published')
    .where('templates.kind', 'is', null)
    .orderBy('templates.key')
    .limit(500)
    .execute();
}
