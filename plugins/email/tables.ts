import { column, defineTable, type RowOf, type StoredRow, type TableDeclaration } from '../../core/index.ts';
import type { SendPublic, TimelineDetails } from './schema.ts';

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
    /** Whether this is a test send. It goes to the sandbox inbox, even with a live key. */
    test: column.flag(),
  },
  {
    sides: true,
    personal: {
      columns: {
        to_address: 'spelling',
        to_normalised: 'address',
        subject: 'words',
        metadata: 'words',
        why_not_sent: 'mentions',
      },
      // Erasing fails a send that has not gone out yet, and sets its status accordingly.
      rows: 'plugin',
    },
  },
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
    details: column.json<TimelineDetails>(),
  },
  { sides: true, personal: { columns: { details: 'mentions' }, rows: 'plugin' } },
);

export interface SendRow extends RowOf<typeof sends> {}
export interface SendContentRow extends RowOf<typeof sendContents> {}
export interface SendAttachmentRow extends RowOf<typeof sendAttachments> {}
export interface SendLinksRow extends RowOf<typeof sendLinks> {}
export interface SendEventRow extends RowOf<typeof sendEvents> {}

declare module '../../core/contract/open.ts' {
  interface Tables {
    sends: StoredRow<typeof sends>;
    send_contents: StoredRow<typeof sendContents>;
    send_attachments: StoredRow<typeof sendAttachments>;
    send_links: StoredRow<typeof sendLinks>;
    send_events: StoredRow<typeof sendEvents>;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = {
  sends,
  send_contents: sendContents,
  send_attachments: sendAttachments,
  send_links: sendLinks,
  send_events: sendEvents,
};
