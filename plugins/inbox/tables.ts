import type { TableDeclaration } from '../../core/index.ts';

/** Why a message stayed here: a sandbox key sent it, send_test did, or the mail adapter captures. */
export type MessageOrigin = 'sandbox' | 'test' | 'live';

/** What sends show in the clear, and nothing of the body. */
export interface InboxMessageRow {
  workspace_id: string;
  /** One message a send, so this is the message's id, too. */
  send_id: string;
  origin: MessageOrigin;
  template_key: string;
  to_address: string;
  /** The normalised form, for `?to=`. */
  to_normalised: string;
  from_email: string;
  from_name: string;
  subject: string;
  /** The subject folded, for `?subject=`; and with it everything else that `?q=` looks through. */
  subject_folded: string;
  search_text: string;
  /** Sealed bytes of all parts together. */
  size: number;
  attachments: number;
  seen_at: number | null;
  created_at: number;
}

/** Position 0 is the message without its attachments, sealed; the attachments follow from 1. */
export interface InboxPartRow {
  workspace_id: string;
  send_id: string;
  position: number;
  sealed: Uint8Array;
  created_at: number;
}

declare module '../../core/contract/open.ts' {
  interface Tables {
    inbox_messages: InboxMessageRow;
    inbox_parts: InboxPartRow;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = {
  inbox_messages: {
    tenant: true,
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
  inbox_parts: { tenant: true },
};
