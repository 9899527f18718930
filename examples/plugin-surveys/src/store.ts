import type { CursorPosition, WorkspaceHandle } from 'postrider';
import { olderThan } from 'postrider';
import type { SurveyRow, SurveyStatus } from './tables.js';

export async function insertSurvey(handle: WorkspaceHandle, row: SurveyRow): Promise<void> {
  await handle.db.insertInto('surveys').values(row).execute();
}

export async function findSurvey(handle: WorkspaceHandle, id: string): Promise<SurveyRow | undefined> {
  return handle.db
    .selectFrom('surveys')
    .selectAll()
    .where('workspace_id', '=', handle.workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export type Answer = Pick<SurveyRow, 'score' | 'comment'> & { answered_at: number };

/** Whether the answer was taken. The conditions stand in the statement, so that of two answers at once one is. */
export async function takeAnswer(handle: WorkspaceHandle, id: string, answer: Answer): Promise<boolean> {
  const { numUpdatedRows } = await handle.db
    .updateTable('surveys')
    .set({ ...answer, status: 'answered' })
    .where('workspace_id', '=', handle.workspaceId)
    .where('id', '=', id)
    .where('status', '=', 'open')
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', answer.answered_at)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Whether the survey was open until now. */
export async function markExpired(handle: WorkspaceHandle, id: string): Promise<boolean> {
  const { numUpdatedRows } = await handle.db
    .updateTable('surveys')
    .set({ status: 'expired' })
    .where('workspace_id', '=', handle.workspaceId)
    .where('id', '=', id)
    .where('status', '=', 'open')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export interface Page {
  limit: number;
  after: CursorPosition | undefined;
  status: SurveyStatus | undefined;
}

/** Newest first, and one row more than the limit: it tells that there is another page. */
export async function listRows(handle: WorkspaceHandle, page: Page): Promise<SurveyRow[]> {
  let query = handle.db.selectFrom('surveys').selectAll().where('workspace_id', '=', handle.workspaceId);
  if (page.status !== undefined) query = query.where('status', '=', page.status);
  if (page.after !== undefined) query = query.where(olderThan('created_at', 'id', page.after));
  return query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute();
}
