import { defineMigration } from '../../../core/index.ts';

export const migration0001 = defineMigration({
  id: '0001-webhooks',
  changes: [
    {
      create: 'webhooks',
      columns: {
        id: 'id',
        workspace_id: 'id',
        sandbox: 'flag',
        url: 'text',
        events: 'json',
        description: 'text?',
        enabled: 'flag',
        secrets: 'bytes',
        secret_hint: 'text',
        failing_since: 'time?',
        disabled_at: 'time?',
        disabled_reason: 'text?',
        created_at: 'time',
        updated_at: 'time',
      },
      primaryKey: ['id'],
    },
    { index: 'webhooks_list', on: 'webhooks', columns: ['workspace_id', 'sandbox', 'created_at', 'id'] },
    {
      create: 'webhook_deliveries',
      columns: {
        id: 'id',
        workspace_id: 'id',
        sandbox: 'flag',
        webhook_id: 'id',
        event_id: 'id',
        event_type: 'key',
        status: 'id',
        attempts: 'json',
        tries: 'integer',
        replay: 'flag',
        next_attempt_at: 'time?',
        created_at: 'time',
      },
      primaryKey: ['id'],
    },
    {
      index: 'webhook_deliveries_list',
      on: 'webhook_deliveries',
      columns: ['workspace_id', 'sandbox', 'webhook_id', 'created_at', 'id'],
    },
    {
      index: 'webhook_deliveries_status',
      on: 'webhook_deliveries',
      columns: ['workspace_id', 'sandbox', 'webhook_id', 'status', 'created_at', 'id'],
    },
    // The two indexes below omit the side, because erasures and retention work on both sides.
    {
      index: 'webhook_deliveries_event',
      on: 'webhook_deliveries',
      columns: ['workspace_id', 'event_id', 'webhook_id'],
      unique: true,
    },
    { index: 'webhook_deliveries_age', on: 'webhook_deliveries', columns: ['workspace_id', 'created_at'] },
  ],
});
