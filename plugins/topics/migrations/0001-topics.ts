import { defineMigration } from '../../../core/index.ts';

export const migration0001 = defineMigration({
  id: '0001-topics',
  changes: [
    {
      create: 'topics',
      columns: {
        workspace_id: 'id',
        key: 'key',
        name: 'text',
        description: 'text',
        default_state: 'id',
        visibility: 'id',
        position: 'integer',
        version: 'integer',
        created_at: 'time',
        updated_at: 'time',
      },
      primaryKey: ['workspace_id', 'key'],
    },
    {
      create: 'topic_preferences',
      columns: {
        workspace_id: 'id',
        sandbox: 'flag',
        email: 'address',
        topic_key: 'key',
        subscribed: 'flag',
        source: 'id',
        consent_note: 'text?',
        at: 'time',
      },
      primaryKey: ['workspace_id', 'sandbox', 'email', 'topic_key'],
    },
    {
      index: 'topic_preferences_topic',
      on: 'topic_preferences',
      columns: ['workspace_id', 'sandbox', 'topic_key', 'email'],
    },
  ],
});
