import { defineMigration } from '../../../core/index.ts';

export const migration0001 = defineMigration({
  id: '0001-campaigns',
  changes: [
    {
      create: 'planned_emails',
      columns: {
        id: 'id',
        workspace_id: 'id',
        name: 'text',
        schedule_at: 'time',
        timezone: 'key',
        description: 'text?',
        status: 'id',
        template_key: 'key?',
        broadcast_id: 'id?',
        creation_id: 'id?',
        created_at: 'time',
        updated_at: 'time',
      },
      primaryKey: ['id'],
    },
    { index: 'planned_emails_list', on: 'planned_emails', columns: ['workspace_id', 'created_at', 'id'] },
    { index: 'planned_emails_dates', on: 'planned_emails', columns: ['workspace_id', 'status', 'schedule_at', 'id'] },
  ],
});
