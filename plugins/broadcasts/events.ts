import { defineEvent, type EventDeclaration, type z } from '../../core/index.ts';
import { type BroadcastResource, broadcasts } from './broadcasts.ts';
import { exclusions } from './schema.ts';

const noExclusions = Object.fromEntries(
  exclusions.map((reason) => [reason, 0]),
) as BroadcastResource['counts']['excluded'];

const example: BroadcastResource = {
  broadcastId: 'brc_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
  name: 'Spring news',
  status: 'sending',
  templateKey: 'spring-news',
  templateVersion: 3,
  variables: { name: '{{ contact.attributes.name }}' },
  from: { email: 'news@example.com', name: 'Example' },
  replyTo: null,
  topicKey: 'news',
  audience: { include: [{ listId: 'lst_01JD3Q5S8ZK2M4N6P8R0T2V4W6' }], exclude: [] },
  sendAt: '2026-12-01T08:00:00.000Z',
  timezone: 'UTC',
  pace: null,
  utm: null,
  experiment: null,
  holdoutPercent: 0,
  ceiling: 1_100,
  counts: {
    audience: 1_000,
    recipients: 990,
    excluded: { ...noExclusions, suppressed: 10 },
    waiting: 990,
    accepted: 0,
    failed: 0,
    canceled: 0,
    delivered: 0,
    opened: 0,
    clicked: 0,
    bounced: 0,
    complained: 0,
    unsubscribed: 0,
    converted: 0,
  },
  contentHash: 'c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00',
  approval: null,
  pausedBy: null,
  error: null,
  campaignId: null,
  creationId: null,
  sandbox: false,
  version: 4,
  createdAt: '2026-11-20T15:04:05.000Z',
  updatedAt: '2026-12-01T08:00:01.000Z',
  startedAt: '2026-12-01T08:00:00.000Z',
  finishedAt: null,
};

const changes = {
  scheduled: ['A broadcast was scheduled.', { status: 'scheduled', startedAt: null }],
  started: ['The time of a broadcast has come: its audience is being stored.', { status: 'preparing' }],
  paused: [
    'A broadcast was paused, by a call or by the service: pausedBy tells why. Nothing leaves until it is resumed.',
    { status: 'paused', pausedBy: 'budget' },
  ],
  resumed: ['A paused broadcast continues.', {}],
  canceled: ['A broadcast was canceled. Mails that were not handed over are never sent.', { status: 'canceled' }],
  sent: [
    'Every recipient of a broadcast was handed over, has failed or was excluded. Reports still change its counts.',
    { status: 'sent', finishedAt: '2026-12-01T08:30:00.000Z' },
  ],
} as const satisfies Readonly<Record<string, readonly [string, Partial<BroadcastResource>]>>;

/** The changes of a broadcast that have an event. */
export type BroadcastChange = keyof typeof changes;

export const events: readonly EventDeclaration[] = Object.entries(changes).map(([change, [description, differs]]) =>
  defineEvent({
    type: `broadcast.${change}`,
    description,
    data: broadcasts.item as z.ZodType<BroadcastResource, BroadcastResource>,
    example: { ...example, ...differs },
  }),
);

declare module '../../core/contract/open.ts' {
  interface EventMap {
    'broadcast.scheduled': BroadcastResource;
    'broadcast.started': BroadcastResource;
    'broadcast.paused': BroadcastResource;
    'broadcast.resumed': BroadcastResource;
    'broadcast.canceled': BroadcastResource;
    'broadcast.sent': BroadcastResource;
  }
}
