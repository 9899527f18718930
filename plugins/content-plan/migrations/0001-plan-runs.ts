import { defineMigration } from '../../../core/index.ts';

export const migration0001 = defineMigration({
  id: '0001-plan-runs',
  changes: [
    {
      create: 'plan_runs',
      columns: {
        id: 'id',
        workspace_id: 'id',
        sandbox: 'flag',
        week_of: 'key',
        timezone: 'key',
        status: 'id',
        channels: 'json',
        accounts: 'json',
        themes: 'json',
        brief: 'text?',
        posts_per_channel: 'integer',
        gates: 'json',
        drafted: 'json',
        results: 'json',
        error: 'text?',
        hold_id: 'id?',
        price: 'integer',
        charged: 'integer',
        expires_at: 'time?',
        ended_at: 'time?',
        created_at: 'time',
        updated_at: 'time',
      },
      primaryKey: ['id'],
    },
    { index: 'plan_runs_list', on: 'plan_runs', columns: ['workspace_id', 'sandbox', 'created_at', 'id'] },
    {
      index: 'plan_runs_status',
      on: 'plan_runs',
      columns: ['workspace_id', 'sandbox', 'status', 'created_at', 'id'],
    },
    {
      index: 'plan_runs_week',
      on: 'plan_runs',
      columns: ['workspace_id', 'sandbox', 'week_of', 'status', 'created_at', 'id'],
    },
    {
      index: 'plan_runs_expires',
      on: 'plan_runs',
      columns: ['workspace_id', 'sandbox', 'expires_at', 'id'],
      present: 'expires_at',
    },
    { index: 'plan_runs_ended', on: 'plan_runs', columns: ['workspace_id', 'ended_at'] },
  ],
});
