import { defineMigration } from '../../../core/index.ts';
import { broadcasts } from '../broadcasts.ts';

const side = ['workspace_id', 'sandbox'] as const;
const recipientIndex = (name: string, columns: readonly string[], unique = false) => ({
  index: `broadcast_recipients_${name}`,
  on: 'broadcast_recipients',
  columns: [...side, ...columns],
  ...(unique ? { unique } : {}),
});
const conversionIndex = (name: string, columns: readonly string[], unique = false) => ({
  index: `broadcast_conversions_${name}`,
  on: 'broadcast_conversions',
  columns: [...side, ...columns],
  ...(unique ? { unique } : {}),
});

export const migration0001 = defineMigration({
  id: '0001-broadcasts',
  changes: [
    ...broadcasts.createTable,
    { index: 'broadcasts_due', on: 'broadcasts', columns: [...side, 'due_at', 'id'] },
    {
      create: 'broadcast_recipients',
      columns: {
        id: 'id',
        workspace_id: 'id',
        sandbox: 'flag',
        broadcast_id: 'id',
        contact_id: 'id?',
        address: 'address?',
        domain: 'key?',
        basis: 'id',
        state: 'id',
        reason: 'key?',
        holdout: 'flag',
        variant: 'key?',
        send_id: 'id?',
        due_at: 'time?',
        at: 'time',
        delivered_at: 'time?',
        opened_at: 'time?',
        clicked_at: 'time?',
        bounced_at: 'time?',
        complained_at: 'time?',
        unsubscribed_at: 'time?',
        converted_at: 'time?',
        turn_at: 'time?',
        responded_at: 'time?',
        created_at: 'time',
      },
      primaryKey: ['id'],
    },
    // The address first, so that an erasure finds it in all broadcasts.
    recipientIndex('address', ['address', 'broadcast_id'], true),
    recipientIndex('due', ['broadcast_id', 'state', 'due_at', 'id']),
    recipientIndex('list', ['broadcast_id', 'created_at', 'id']),
    recipientIndex('contact', ['contact_id']),
    recipientIndex('send', ['send_id']),
    {
      index: 'broadcast_recipients_retention',
      on: 'broadcast_recipients',
      columns: ['workspace_id', 'created_at'],
    },
    {
      create: 'broadcast_tallies',
      columns: { id: 'id', workspace_id: 'id', sandbox: 'flag', broadcast_id: 'id', name: 'key', amount: 'integer' },
      primaryKey: ['id'],
    },
    { index: 'broadcast_tallies_broadcast', on: 'broadcast_tallies', columns: [...side, 'broadcast_id', 'name'] },
    {
      create: 'broadcast_conversions',
      columns: {
        id: 'id',
        workspace_id: 'id',
        sandbox: 'flag',
        event_id: 'id',
        event_type: 'key',
        contact_id: 'id?',
        send_id: 'id',
        source: 'key',
        source_id: 'key',
        step: 'key?',
        basis: 'id',
        whole: 'integer?',
        fraction: 'integer?',
        currency: 'key?',
        at: 'time',
        created_at: 'time',
      },
      primaryKey: ['id'],
    },
    conversionIndex('event', ['event_id'], true),
    conversionIndex('source', ['source', 'source_id']),
    conversionIndex('contact', ['contact_id']),
    conversionIndex('retention', ['created_at', 'id']),
  ],
});
