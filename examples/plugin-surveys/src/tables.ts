import { column, defineMigration, defineTable, type RowOf, type StoredRow, tenantRows, timestamps } from 'postrider';

export const statuses = ['open', 'answered', 'expired'] as const;

export const surveys = defineTable(
  'surveys',
  {
    id: column.id('srv'),
    status: column.word(...statuses),
    email: column.address(),
    question: column.text(500),
    tags: column.json<string[]>(),
    score: column.integer().nullable(),
    comment: column.text(5000).nullable(),
    expires_at: column.time().nullable(),
    answered_at: column.time().nullable(),
    ...timestamps,
  },
  { sides: true, personal: { columns: { email: 'address', comment: 'words' } } },
);
export type SurveyRow = RowOf<typeof surveys>;
export const rows = tenantRows(surveys);

declare module 'postrider/open' {
  interface Tables {
    surveys: StoredRow<typeof surveys>;
  }
}

export const migration0001 = defineMigration({
  id: '0001-surveys',
  changes: [
    {
      create: 'surveys',
      columns: {
        id: 'id',
        workspace_id: 'id',
        sandbox: 'flag',
        status: 'id',
        email: 'address',
        question: 'text',
        tags: 'json',
        score: 'integer?',
        comment: 'text?',
        expires_at: 'time?',
        answered_at: 'time?',
        created_at: 'time',
        updated_at: 'time',
      },
      primaryKey: ['id'],
    },
    { index: 'surveys_list', on: 'surveys', columns: ['workspace_id', 'sandbox', 'created_at', 'id'] },
    { index: 'surveys_status', on: 'surveys', columns: ['workspace_id', 'sandbox', 'status', 'created_at', 'id'] },
    { index: 'surveys_email', on: 'surveys', columns: ['workspace_id', 'sandbox', 'email', 'created_at', 'id'] },
    { index: 'surveys_answered', on: 'surveys', columns: ['answered_at', 'id'] },
  ],
});
