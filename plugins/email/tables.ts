import { column, defineTable, type RowOf, type StoredRow, type TableDeclaration } from '../../core/index.ts';
import type { SendPublic, SendTimelineDetails } from './schema.ts';

export type SendStatus = SendPublic['status'];

export const sends = defineTable(
  'sends',
  {
    id: column.id('snd'),
    sandbox: column.flag(),
    message_id: column.id('msg'),
    status: column.word<SendStatus>(),
    template_id: column.id('tpl'),
    template_key: column.key(),
    /** The topic of its template when the send was accepted; null without a topic. */
    topic_key: column.key().nullable(),
    /** 0 if a sandbox key sent a draft. The content row then contains the draft's source. */
    template_version: column.integer(),
    category: column.word<'marketing' | 'transactional' | 'system'>(),
    delivery: column.word<'at-least-once' | 'at-most-once'>(),
    /** The address as the caller wrote it; mail is sent to it. */
    to_address: column.text(),
    /** The normalised form, for lists. */
    to_normalised: column.address(),
    from_email: column.text(),
    from_name: column.text(),
    subject: column.text(),
    provider: column.word<string>(),
    api_key_id: column.id('key').nullable(),
    scenario: column.word<NonNullable<SendPublic['simulation']>['scenario']>().nullable(),
    bypass: column.flag(),
    tags: column.json<string[]>(),
    metadata: column.json<NonNullable<SendPublic['metadata']>>().nullable(),
    stripped_headers: column.json<string[]>(),
    why_not_sent: column.text().nullable(),
    opens: column.integer(),
    clicks: column.integer(),
    /** Set before an at-most-once hand-over. After a crash, such a hand-over is not retried. */
    handed_over_at: column.time().nullable(),
    created_at: column.time(),
    scheduled_at: column.time().nullable(),
    /** If the send is not handed over by then, it fails. */
    expires_at: column.time().nullable(),
    /** The chosen locale of the template; null if the template has none. */
    locale: column.word<string>().nullable(),
    /** Whether this is a test. A test counts against no cap. The test of a template is on the sandbox side, even with a live key. */
    test: column.flag(),
    /** The broadcast that the send is part of; null for any other send. */
    broadcast_id: column.id('brc').nullable(),
  },
  {
    sides: true,
    personal: {
      columns: {
        to_address: 'raw_address',
        to_normalised: 'address',
        subject: 'text',
        tags: 'mentions',
        metadata: 'text',
        why_not_sent: 'mentions',
      },
      // Erasing fails a send that has not gone out yet, and sets its status accordingly.
      rows: 'plugin',
    },
  },
);

/** The tags of sends, in the order in which a list of one tag shows its sends. */
export const sendTags = defineTable(
  'send_tags',
  { send_id: column.id('snd'), tag: column.key(), created_at: column.time() },
  // A send may have several tags.
  { sides: true, key: 'send_id', personal: { columns: { tag: 'mentions' }, rows: 'plugin' } },
);

/** The sealed rendering input. Erased some days after the final state. */
export const sendContents = defineTable(
  'send_contents',
  { send_id: column.id('snd'), sealed: column.bytes(), finished_at: column.time().nullable() },
  { sides: true, key: 'send_id' },
);

export const sendAttachments = defineTable(
  'send_attachments',
  {
    send_id: column.id('snd'),
    position: column.integer(),
    filename: column.text(),
    content_type: column.key(),
    inline: column.flag(),
    sealed: column.bytes(),
    finished_at: column.time().nullable(),
  },
  // A send may have several attachments.
  { sides: true, key: 'send_id' },
);

/** The targets of a send's tracked links, by number. Sealed, because a URL may contain a secret. */
export const sendLinks = defineTable(
  'send_links',
  { send_id: column.id('snd'), sealed: column.bytes() },
  { sides: true, key: 'send_id' },
);

export const sendEvents = defineTable(
  'send_events',
  {
    id: column.id('evt'),
    send_id: column.id('snd'),
    type: column.word<string>(),
    ts: column.time(),
    details: column.json<SendTimelineDetails>(),
  },
  { sides: true, personal: { columns: { details: 'mentions' }, rows: 'plugin' } },
);

/** An address for which marketing mail was accepted while a cap was set. Its row is locked while one mail is counted. */
export const cappedAddresses = defineTable(
  'capped_addresses',
  { address: column.address(), asked_at: column.time() },
  { sides: true, key: 'address', personal: { columns: { address: 'address' }, rows: 'remove' } },
);

export interface SendRow extends RowOf<typeof sends> {}
export interface SendTagRow extends RowOf<typeof sendTags> {}
export interface SendContentRow extends RowOf<typeof sendContents> {}
export interface SendAttachmentRow extends RowOf<typeof sendAttachments> {}
export interface SendLinksRow extends RowOf<typeof sendLinks> {}
export interface SendEventRow extends RowOf<typeof sendEvents> {}

declare module '../../core/contract/open.ts' {
  interface Tables {
    sends: StoredRow<typeof sends>;
    send_tags: StoredRow<typeof sendTags>;
    send_contents: StoredRow<typeof sendContents>;
    send_attachments: StoredRow<typeof sendAttachments>;
    send_links: StoredRow<typeof sendLinks>;
    send_events: StoredRow<typeof sendEvents>;
    capped_addresses: StoredRow<typeof cappedAddresses>;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = {
  sends,
  send_tags: sendTags,
  send_contents: sendContents,
  send_attachments: sendAttachments,
  send_links: sendLinks,
  send_events: sendEvents,
  capped_addresses: cappedAddresses,
};
