// The only SQL of the templates plugin.
import type { CursorPosition, WorkspaceHandle } from '../../core/index.ts';
import { defineStatement, olderThan } from '../../core/index.ts';
import type { TemplateRow, TemplateVersionRow } from './tables.ts';

const byKey = defineStatement((db, p: { workspace_id: string; key: string }) =>
  db.selectFrom('templates').selectAll().where('workspace_id', '=', p.workspace_id).where('key', '=', p.key),
);

/** What accepting a send needs of a template: no sources. */
const headByKey = defineStatement((db, p: { workspace_id: string; key: string }) =>
  db
    .selectFrom('templates')
    .select(['id', 'key', 'status', 'version', 'category', 'delivery', 'track_opens', 'track_clicks'])
    .where('workspace_id', '=', p.workspace_id)
    .where('key', '=', p.key),
);

const versionOf = defineStatement((db, p: { workspace_id: string; template_id: string; version: number }) =>
  db
    .selectFrom('template_versions')
    .selectAll()
    .where('workspace_id', '=', p.workspace_id)
    .where('template_id', '=', p.template_id)
    .where('version', '=', p.version),
);

export type TemplateHead = NonNullable<Awaited<ReturnType<typeof findTemplateHead>>>;

export async function findTemplate(handle: WorkspaceHandle, key: string): Promise<TemplateRow | undefined> {
  return handle.one(byKey, { key });
}

export async function findTemplateHead(handle: WorkspaceHandle, key: string) {
  return handle.one(headByKey, { key });
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

/** Answers whether a row with this revision was there to change. */
export async function updateTemplate(
  handle: WorkspaceHandle,
  id: string,
  revision: number,
  changes: Partial<TemplateRow>,
): Promise<boolean> {
  const { numUpdatedRows } = await handle.db
    .updateTable('templates')
    .set(changes)
    .where('workspace_id', '=', handle.workspaceId)
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function insertVersion(handle: WorkspaceHandle, row: TemplateVersionRow): Promise<void> {
  await handle.db.insertInto('template_versions').values(row).execute();
}

export async function listTemplates(
  handle: WorkspaceHandle,
  filter: {
    readonly status: TemplateRow['status'] | undefined;
    readonly category: TemplateRow['category'] | undefined;
  },
  limit: number,
  after: CursorPosition | undefined,
): Promise<TemplateRow[]> {
  let query = handle.db.selectFrom('templates').selectAll().where('workspace_id', '=', handle.workspaceId);
  query =
    filter.status === undefined ? query.where('status', '!=', 'archived') : query.where('status', '=', filter.status);
  if (filter.category !== undefined) query = query.where('category', '=', filter.category);
  if (after !== undefined) query = query.where(olderThan('created_at', 'id', after));
  return query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
}

/** Keys and contracts of what a live key can send, for the tool's schema. At most 500. */
export async function listSendable(
  handle: WorkspaceHandle,
): Promise<{ key: string; name: string; contract: string }[]> {
  return handle.db
    .selectFrom('templates')
    .innerJoin('template_versions', (join) =>
      join
        .onRef('template_versions.workspace_id', '=', 'templates.workspace_id')
        .onRef('template_versions.template_id', '=', 'templates.id')
        .onRef('template_versions.version', '=', 'templates.version'),
    )
    .select(['templates.key as key', 'templates.name as name', 'template_versions.contract as contract'])
    .where('templates.workspace_id', '=', handle.workspaceId)
    .where('template_versions.workspace_id', '=', handle.workspaceId)
    .where('templates.status', '=', 'published')
    .orderBy('templates.key')
    .limit(500)
    .execute();
}
