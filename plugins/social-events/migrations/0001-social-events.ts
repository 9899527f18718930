import { defineMigration } from '../../../core/index.ts';

const side = ['workspace_id', 'sandbox'] as const;

export const migration0001 = defineMigration({
  id: '0001-social-events',
  changes: [
    {
      create: 'social_event_runs',
      columns: {
        id: 'id',
        workspace_id: 'id',
        sandbox: 'flag',
        event_key: 'key',
        outcome: 'id',
        captions: 'json',
        post_id: 'id?',
        dedupe_key: 'text?',
        created_at: 'time',
      },
      primaryKey: ['id'],
    },
    { index: 'social_event_runs_list', on: 'social_event_runs', columns: [...side, 'created_at', 'id'] },
    {
      index: 'social_event_runs_list_event',
      on: 'social_event_runs',
      columns: [...side, 'event_key', 'created_at', 'id'],
    },
    { index: 'social_event_runs_post', on: 'social_event_runs', columns: [...side, 'post_id'] },
    { index: 'social_event_runs_old', on: 'social_event_runs', columns: ['workspace_id', 'created_at'] },
    {
      create: 'social_event_variables',
      columns: { run_id: 'id', workspace_id: 'id', sandbox: 'flag', variables: 'json', created_at: 'time' },
      primaryKey: ['run_id'],
    },
    {
      index: 'social_event_variables_list',
      on: 'social_event_variables',
      columns: [...side, 'created_at', 'run_id'],
    },
    { index: 'social_event_variables_old', on: 'social_event_variables', columns: ['created_at', 'run_id'] },
    {
      create: 'social_event_keys',
      columns: { workspace_id: 'id', sandbox: 'flag', key_hash: 'key', run_id: 'id', expires_at: 'time' },
      primaryKey: ['workspace_id', 'sandbox', 'key_hash'],
    },
    { index: 'social_event_keys_old', on: 'social_event_keys', columns: ['expires_at', 'key_hash'] },
  ],
});
