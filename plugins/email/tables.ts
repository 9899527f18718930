import type { TableDeclaration } from '../../core/index.ts';

export type SendStatus =
  | 'scheduled'
  | 'sent'
  | 'delivered'
  | 'delivery_delayed'
  | 'bounced'
  | 'complained'
  | 'failed'
  | 'suppressed'
  | 'canceled';

export interface SendRow {
  id: string;
  workspace_id: string;
  message_id: string;
  status: SendStatus;
  template_id: string;
  template_key: string;
  /** 0 when a sandbox key sent a draft: its source is in the contents then. */
  template_version: number;
  category: 'marketing' | 'transactional' | 'system';
  delivery: 'at-least-once' | 'at-most-once';
  /** As the caller wrote it; mail goes there. */
  to_address: string;
  /** The normalised form, for lists. */
  to_normalised: string;
  from_email: string;
  from_name: string;
  subject: string;
  provider: string;
  api_key_id: string | null;
  sandbox: number;
  scenario: string | null;
  bypass: number;
  tags: string;
  metadata: string | null;
  stripped_headers: string;
  why_not_sent: string | null;
  opens: number;
  clicks: number;
  /** Set before an at-most-once hand-over: after a crash it is not tried again. */
  handed_over_at: number | null;
  created_at: number;
  scheduled_at: number | null;
  /** The template's locale that was chosen; null where it has none. */
  locale: string | null;
  /** 1 for send_test: goes to the sandbox inbox, whoever asked. */
  test: number | null;
}

/** What is needed to render, sealed; erased some days after the final state. */
export interface SendContentRow {
  send_id: string;
  workspace_id: string;
  sealed: Uint8Array;
  finished_at: number | null;
}

export interface SendAttachmentRow {
  send_id: string;
  workspace_id: string;
  position: number;
  filename: string;
  content_type: string;
  inline: number;
  sealed: Uint8Array;
  finished_at: number | null;
}

export interface SendEventRow {
  id: string;
  workspace_id: string;
  send_id: string;
  type: string;
  ts: number;
  details: string;
}

declare module '../../core/contract/open.ts' {
  interface Tables {
    sends: SendRow;
    send_contents: SendContentRow;
    send_attachments: SendAttachmentRow;
    send_events: SendEventRow;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = {
  sends: {
    tenant: true,
    personal: {
      columns: {
        to_address: 'spelling',
        to_normalised: 'address',
        subject: 'words',
        metadata: 'words',
        why_not_sent: 'mentions',
      },
      // What has not gone out fails with it, and says so.
      rows: 'plugin',
    },
  },
  send_contents: { tenant: true },
  send_attachments: { tenant: true },
  send_events: { tenant: true, personal: { columns: { details: 'mentions' }, rows: 'plugin' } },
};
