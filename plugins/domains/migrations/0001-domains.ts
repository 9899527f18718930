import { defineMigration } from '../../../core/index.ts';

export const migration0001 = defineMigration({
  id: '0001-domains',
  changes: [
    {
      create: 'domains',
      columns: {
        id: 'id',
        workspace_id: 'id',
        domain: 'address',
        selector: 'id',
        public_key: 'text',
        ramp: 'json?',
        verified_at: 'time?',
        checked_at: 'time?',
        created_at: 'time',
        updated_at: 'time',
      },
      primaryKey: ['id'],
    },
    { index: 'domains_list', on: 'domains', columns: ['workspace_id', 'created_at', 'id'] },
    {
      create: 'domain_ramp_days',
      columns: { workspace_id: 'id', sandbox: 'flag', domain: 'address', day: 'time', taken: 'integer' },
      primaryKey: ['workspace_id', 'sandbox', 'domain', 'day'],
    },
    {
      create: 'domain_ramp_slots',
      columns: { workspace_id: 'id', sandbox: 'flag', send_id: 'id', day: 'time' },
      primaryKey: ['workspace_id', 'sandbox', 'send_id'],
    },
    { index: 'domain_ramp_slots_old', on: 'domain_ramp_slots', columns: ['day'] },
    { index: 'domains_name', on: 'domains', columns: ['workspace_id', 'domain'], unique: true },
  ],
});
