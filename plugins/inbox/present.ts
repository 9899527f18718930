// Messages as the routes show them.

import { toIsoTime } from '../../core/index.ts';
import type { SendPublic } from '../email/index.ts';
import { analyseMail } from './mail-content.ts';
import type { StoredMail } from './sealed-mail.ts';
import type { InboxMessageRow } from './tables.ts';
import type { MessageDetail, MessageHeader, MessageItem } from './wire.ts';

/** Whether there is a mail to open. */
export const hasMail = ({ size }: Pick<InboxMessageRow, 'size'>): boolean => size > 0;

export const presentItem = (row: InboxMessageRow, status: SendPublic['status'] | undefined): MessageItem => ({
  id: row.send_id,
  workspace: row.workspace_id,
  origin: row.origin,
  template: row.template_key,
  to: row.to_address,
  from: { email: row.from_email, name: row.from_name },
  subject: row.subject,
  created_at: toIsoTime(row.created_at),
  unread: row.seen_at === null,
  size: row.size,
  has_message: hasMail(row),
  attachments: row.attachments,
  status: status ?? null,
});

const boxText = ({ email, name = '' }: StoredMail['from']): string => (name === '' ? email : `${name} <${email}>`);

/** The headers, most important first. Extra headers follow in the order of the send. */
function headersOf(mail: StoredMail): MessageHeader[] {
  const header = (name: string, value: string): MessageHeader => ({ name, value });
  return [
    header('From', boxText(mail.from)),
    header('To', boxText(mail.to)),
    ...(mail.replyTo === undefined ? [] : [header('Reply-To', boxText(mail.replyTo))]),
    header('Subject', mail.subject),
    header('Date', new Date(mail.date).toUTCString()),
    header('Message-ID', mail.messageId),
    ...Object.entries(mail.headers).map(([name, value]) => header(name, value)),
  ];
}

export function presentMessage(
  row: InboxMessageRow,
  mail: StoredMail,
  send: SendPublic | undefined,
): MessageDetail<SendPublic> {
  return {
    ...presentItem(row, send?.status),
    to: { email: mail.to.email, name: mail.to.name ?? '' },
    headers: headersOf(mail),
    html: mail.html,
    text: mail.text,
    ...analyseMail(mail),
    attachments: mail.attachments.map(({ filename, contentType, size, inline, contentId }, index) => ({
      index,
      filename,
      content_type: contentType,
      size,
      inline,
      content_id: contentId ?? null,
    })),
    send: send ?? null,
  };
}
