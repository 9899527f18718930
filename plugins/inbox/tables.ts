import { column, defineTable, type RowOf, type StoredRow, type TableDeclaration } from '../../core/index.ts';
import { inboxTexts } from './phone/texts.ts';

/** The reason why a message stayed in the process: a sandbox key sent it, send_test did, or the mail adapter captures. */
export type MessageOrigin = 'sandbox' | 'test' | 'live';

/** A message, or a send without a mail. Contains only fields that sends also store unencrypted, and nothing of the body. */
export const inboxMessages = defineTable(
  'inbox_messages',
  {
    /** The id of the send is also the id of its only message. */
    send_id: column.id('snd'),
    origin: column.word<MessageOrigin>(),
    template_key: column.key(),
    to_address: column.text(),
    /** The normalised form, for `?to=`. */
    to_normalised: column.address(),
    from_email: column.text(),
    from_name: column.text(),
    subject: column.text(),
    /** The folded subject for `?subject=`, and the folded text for `?q=`. */
    subject_folded: column.text(),
    search_text: column.text(),
    /** Sealed bytes of all parts together; 0 if no mail was made. */
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
        to_address: 'raw_address',
        to_normalised: 'address',
        subject: 'text',
        subject_folded: 'text',
        search_text: 'text',
      },
      // The parts are deleted with their message.
      rows: 'plugin',
    },
  },
);

/** Position 0 is the message without its attachments, sealed; the attachments follow from 1. */
export const inboxParts = defineTable(
  'inbox_parts',
  { send_id: column.id('snd'), position: column.integer(), sealed: column.bytes(), created_at: column.time() },
  // The key is not unique, because a message has several parts.
  { sides: true, key: 'send_id' },
);

/** The row of a new message. */
export interface NewInboxMessage extends RowOf<typeof inboxMessages> {}
export interface NewInboxPart extends RowOf<typeof inboxParts> {}

/** A row with its workspace, because the routes show rows of several workspaces. */
export type InboxMessageRow = NewInboxMessage & { readonly workspace_id: string };
export type InboxPartRow = NewInboxPart & { readonly workspace_id: string };

declare module '../../core/contract/open.ts' {
  interface Tables {
    inbox_messages: StoredRow<typeof inboxMessages>;
    inbox_parts: StoredRow<typeof inboxParts>;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = {
  inbox_messages: inboxMessages,
  inbox_parts: inboxParts,
  inbox_texts: inboxTexts,
};
