import type { RowOf, StoredRow } from '../../core/index.ts';
import { column, defineTable } from '../../core/index.ts';

/** Why a message stayed here: a sandbox key sent it, send_test did, or the mail adapter captures. */
export type MessageOrigin = 'sandbox' | 'test' | 'live';

/** What sends show in the clear, and nothing of the body. */
export const inboxMessages = defineTable(
  'inbox_messages',
  {
    /** One message a send, so this is the message's id, too. */
    send_id: column.id('snd'),
    origin: column.word<MessageOrigin>(),
    template_key: column.key(),
    to_address: column.text(),
    /** The normalised form, for `?to=`. */
    to_normalised: column.address(),
    from_email: column.text(),
    from_name: column.text(),
    subject: column.text(),
    /** The subject folded, for `?subject=`; and with it everything else that `?q=` looks through. */
    subject_folded: column.text(),
    search_text: column.text(),
    /** Sealed bytes of all parts together. */
    size: column.integer(),
    attachments: column.integer(),
    seen_at: column.time().nullable(),
    created_at: column.time(),
  },
  {
    sides: true,
    key: 'send_id',
    personal: {
      columns: {
        to_address: 'spelling',
        to_normalised: 'address',
        subject: 'words',
        subject_folded: 'words',
        search_text: 'words',
      },
      // Their parts go with them.
      rows: 'plugin',
    },
  },
);

/** Position 0 is the message without its attachments, sealed; the attachments follow from 1. */
export const inboxParts = defineTable(
  'inbox_parts',
  { send_id: column.id('snd'), position: column.integer(), sealed: column.bytes(), created_at: column.time() },
  // A message has several.
  { sides: true, key: 'send_id' },
);

/** A message to be kept. */
export type NewInboxMessage = RowOf<typeof inboxMessages>;
export type NewInboxPart = RowOf<typeof inboxParts>;

/** A row with its workspace: the routes show those of several. */
export type InboxMessageRow = NewInboxMessage & { readonly workspace_id: string };
export type InboxPartRow = NewInboxPart & { readonly workspace_id: string };

declare module '../../core/contract/open.ts' {
  interface Tables {
    inbox_messages: StoredRow<typeof inboxMessages>;
    inbox_parts: StoredRow<typeof inboxParts>;
  }
}

export const tables = { inbox_messages: inboxMessages, inbox_parts: inboxParts };
