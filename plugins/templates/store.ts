// The only SQL of the templates plugin.
import {
  defineStatement,
  type ReadContext,
  type Reference,
  tenantRows,
  type WorkspaceHandle,
} from '../../core/index.ts';
import { type TemplateRow, type TemplateVersionRow, templates } from './tables.ts';

const byKey = defineStatement((db, p: { key: string }) =>
  db.selectFrom('templates').selectAll().where('key', '=', p.key),
);

const byId = defineStatement((db, p: { id: string }) => db.selectFrom('templates').selectAll().where('id', '=', p.id));

/** The columns of a template that accepting a send needs, without sources. */
const headByKey = defineStatement((db, p: { key: string }) =>
  db
    .selectFrom('templates')
    .select([
      'id',
      'key',
      'status',
      'version',
      'category',
      'delivery',
      'track_opens',
      'track_clicks',
      'expires_in',
      'topic_key',
      'kind',
    ])
    .where('key', '=', p.key),
);

const versionOf = defineStatement((db, p: { template_id: string; version: number }) =>
  db
    .selectFrom('template_versions')
    .selectAll()
    .where('template_id', '=', p.template_id)
    .where('version', '=', p.version),
);

const versionTheme = defineStatement((db, p: { template_id: string; version: number }) =>
  db
    .selectFrom('template_versions')
    .select('theme_id')
    .where('template_id', '=', p.template_id)
    .where('version', '=', p.version),
);

const workingTheme = defineStatement((db, p: { id: string }) =>
  db.selectFrom('templates').select('theme_id').where('id', '=', p.id),
);

/** The theme that a version was published with; for version 0, the theme of the working copy. */
export async function themeOf(handle: WorkspaceHandle, id: string, version: number): Promise<string | null> {
  const row =
    version === 0
      ? await handle.one(workingTheme, { id })
      : await handle.one(versionTheme, { template_id: id, version });
  return row?.theme_id ?? null;
}

/** Changes nothing, but waits until another transaction releases its row lock, and then sees its changes. */
const touchTemplate = defineStatement((db, p: { key: string }) =>
  db
    .updateTable('templates')
    .set(({ ref }) => ({ revision: ref('revision') }))
    .where('key', '=', p.key),
);

/** The templates of `listSendable`, without their contracts. */
const sendableVersions = defineStatement((db) =>
  db
    .selectFrom('templates')
    .select(['key', 'id', 'version'])
    .where('status', '=', 'published')
    .where('kind', 'is', null)
    .orderBy('key')
    .limit(500),
);

/** The working copies that a sandbox key can send: templates that were never published. Listed for the key's tools. */
const drafts = defineStatement((db) =>
  db
    .selectFrom('templates')
    .selectAll()
    .where('version', '=', 0)
    .where('status', '=', 'draft')
    .where('kind', 'is', null)
    .orderBy('key')
    .limit(100),
);

/** The rows that the contracts of drafts depend on: the drafts themselves and the layouts. */
const draftMarks = defineStatement((db) =>
  db
    .selectFrom('templates')
    .select(['id', 'revision', 'version'])
    .where('status', '!=', 'archived')
    .where((where) => where.or([where('version', '=', 0), where('kind', '=', 'layout')]))
    .orderBy('key')
    .limit(1_000),
);

export type TemplateHead = NonNullable<Awaited<ReturnType<typeof findTemplateHead>>>;

export async function findTemplate(handle: WorkspaceHandle, key: string): Promise<TemplateRow | undefined> {
  return handle.one(byKey, { key });
}

export async function findTemplateById(handle: WorkspaceHandle, id: string): Promise<TemplateRow | undefined> {
  return handle.one(byId, { id });
}

export async function findTemplateHead(handle: WorkspaceHandle, key: string) {
  return handle.one(headByKey, { key });
}

/**
 * Locks the template for this transaction: a concurrent transaction waits and then reads its changes. Calls that start
 * to use a layout and calls that archive it lock the layout first, so that no layout is archived while a template
 * adopts it.
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

/** Inserts templates and their published versions, with one statement for each table. */
export async function insertPublished(
  handle: WorkspaceHandle,
  rows: readonly TemplateRow[],
  versions: readonly TemplateVersionRow[],
): Promise<void> {
  await handle.db.insertInto('templates').values(rows).execute();
  await handle.db.insertInto('template_versions').values(versions).execute();
}

const columnsUnderApproval = [
  'revision',
  'version',
  'category',
  'delivery',
  'track_opens',
  'track_clicks',
  'expires_in',
  'topic_key',
] as const;

/**
 * Updates the template. Returns false, without an update, if it was archived or published since it was read, or if its
 * working copy or settings changed: an approval policy decides on these.
 */
export async function updateTemplate(
  handle: WorkspaceHandle,
  row: Pick<TemplateRow, 'id' | (typeof columnsUnderApproval)[number]>,
  changes: Partial<TemplateRow>,
): Promise<boolean> {
  const unchanged = handle.db.updateTable('templates').set(changes).where('status', '!=', 'archived');
  const { numUpdatedRows } = await (['id', ...columnsUnderApproval] as const)
    .reduce((query, column) => query.where(column, row[column] === null ? 'is' : '=', row[column]), unchanged)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function insertVersion(handle: WorkspaceHandle, row: TemplateVersionRow): Promise<void> {
  await handle.db.insertInto('template_versions').values(row).execute();
}

const listedColumns = [
  ...(['id', 'key', 'name', 'kind', 'category', 'mode', 'subject', 'preview_text', 'theme_id', 'version'] as const),
  ...(['status', 'contract_version', 'created_at', 'updated_at', 'published_at', 'delivery'] as const),
  ...(['track_opens', 'track_clicks', 'expires_in', 'topic_key', 'layout', 'locale'] as const),
] as const;

export type ListedColumn = (typeof listedColumns)[number];

/** Templates without their content, because lists contain hundreds of them. */
export const listedRows = tenantRows(templates, { columns: listedColumns });

/** The templates that use a layout, by key, each with the layout version that its published version contains. */
export async function listTemplatesUsingLayout(
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

/** The ids of the templates that use a layout. */
export async function templatesInLayout({ db }: WorkspaceHandle, layout: string): Promise<string[]> {
  const rows = await db
    .selectFrom('templates')
    .select('id')
    .where('layout', '=', layout)
    .where('status', '!=', 'archived')
    .execute();
  return rows.map(({ id }) => id);
}

/** The templates that use a theme, at most 20. Archived templates do not count. */
export async function themeReferences({ trx: { db } }: ReadContext, themeId: string): Promise<readonly Reference[]> {
  const rows = await db
    .selectFrom('templates')
    .select('key')
    .where('theme_id', '=', themeId)
    .where('status', '!=', 'archived')
    .limit(20)
    .execute();
  return rows.map(({ key }) => ({ kind: 'template', name: key }));
}

/** The templates with a topic, at most 20. Archived templates do not count. */
export async function topicReferences({ trx: { db } }: ReadContext, topicKey: string): Promise<readonly Reference[]> {
  const rows = await db
    .selectFrom('templates')
    .select('key')
    .where('topic_key', '=', topicKey)
    .where('status', '!=', 'archived')
    .limit(20)
    .execute();
  return rows.map(({ key }) => ({ kind: 'template', name: key }));
}

/** The number of characters to read from the column `locales` for the names of the languages, which come first (frozen-locales.ts). */
const namesLength = 2_500;

/** Published versions without their content, newest first. */
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

/** The version that was the newest at this time; undefined if there was none. */
export const newestVersionAt = (
  handle: WorkspaceHandle,
  templateId: string,
  time: number,
): Promise<Pick<TemplateVersionRow, 'version' | 'created_at'> | undefined> =>
  handle.db
    .selectFrom('template_versions')
    .select(['version', 'created_at'])
    .where('template_id', '=', templateId)
    .where('created_at', '<=', time)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();

export async function listSendableVersions(
  handle: WorkspaceHandle,
): Promise<{ key: string; id: string; version: number }[]> {
  return handle.all(sendableVersions, {});
}

/** At most 100. */
export const listDrafts = (handle: WorkspaceHandle): Promise<TemplateRow[]> => handle.all(drafts, {});

/** A text that changes whenever the drafts or their contracts may have changed. */
export const draftsFingerprint = async (handle: WorkspaceHandle): Promise<string> =>
  (await handle.all(draftMarks, {})).map(({ id, revision, version }) => `${id} ${revision} ${version}`).join();

/** Keys and contracts of the templates that a live key can send, for the tool's schema. At most 500. */
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
