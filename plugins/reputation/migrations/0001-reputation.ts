import { defineMigration } from '../../../core/index.ts';

export const migration0001 = defineMigration({
  id: '0001-reputation',
  changes: [
    {
      create: 'reputation_states',
      columns: {
        workspace_id: 'id',
        sandbox: 'flag',
        category: 'id',
        state: 'id',
        counted_since: 'time',
        merged_until: 'time',
        warned_at: 'time?',
        changed_at: 'time',
      },
      primaryKey: ['workspace_id', 'sandbox', 'category'],
    },
    {
      create: 'reputation_hand_overs',
      columns: {
        workspace_id: 'id',
        sandbox: 'flag',
        minute: 'time',
        id: 'id',
        domain: 'address',
        receiver: 'id',
        mails: 'integer',
      },
      primaryKey: ['workspace_id', 'sandbox', 'minute', 'id'],
      clustered: true,
    },
    {
      create: 'reputation_faults',
      columns: {
        workspace_id: 'id',
        sandbox: 'flag',
        minute: 'time',
        id: 'id',
        handed_over_at: 'time',
        domain: 'address',
        receiver: 'id',
        kind: 'id',
      },
      primaryKey: ['workspace_id', 'sandbox', 'minute', 'id'],
      clustered: true,
    },
    {
      create: 'reputation_history',
      columns: {
        id: 'id',
        workspace_id: 'id',
        sandbox: 'flag',
        state: 'id',
        changed_by: 'key',
        note: 'text',
        created_at: 'time',
      },
      primaryKey: ['id'],
    },
    {
      index: 'reputation_history_list',
      on: 'reputation_history',
      columns: ['workspace_id', 'sandbox', 'created_at', 'id'],
    },
  ],
});
