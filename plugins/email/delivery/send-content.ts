// The stored rendering input of a send: sealed, and erased some days after the send's final state.
import type { Keyring } from '../../../core/index.ts';
import type { DraftSource } from '../../templates/index.ts';
import type { DecodedAttachment } from '../accept/attachments.ts';
import type { SendAttachmentRow, SendContentRow, SendLinksRow } from '../tables.ts';
import type { LinkParameters } from '../tracking/link-parameters.ts';
import type { Tracking } from '../tracking/mark-mail.ts';

/** The content of one send. */
export interface SendContent {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly replyTo: string | undefined;
  /** The recipient's name, if the caller gave one. */
  readonly toName?: string | undefined;
  /** The working copy that a sandbox key sent, frozen. */
  readonly draft: DraftSource | undefined;
  /** The id under which the attachments of its batch are stored. (Default: the send's own id) */
  readonly attachmentsOf?: string | undefined;
  /** The template's tracking setting when the send was accepted. (Default: nothing is tracked) */
  readonly tracking?: Tracking | undefined;
  /** Whether the send has attachments, of its own or of a batch. Undefined for a send that was accepted by an earlier release. */
  readonly attached?: boolean | undefined;
  /** Parameters for the links of the message. (Default: none) */
  readonly utm?: LinkParameters | undefined;
  /** A preview text in place of the template's. (Default: the template's) */
  readonly previewText?: string | undefined;
  /** Set if the template has writeOnly variables. (Default: nothing is hidden) */
  readonly hidden?: HiddenContent | undefined;
}

/** The content that only the mail itself may show. */
export interface HiddenContent {
  /** The subject of the mail. The subject of the send has •••• in it. */
  readonly subject: string;
  /** The variables with •••• in place of the hidden values. */
  readonly shownVariables: Readonly<Record<string, unknown>>;
}

const contextOf = (sendId: string): string => `send:${sendId}`;
const attachmentContext = (sendId: string, position: number): string => `send:${sendId}:attachment:${position}`;

export function sealContent(
  keyring: Keyring,
  sendId: string,
  content: SendContent,
  finishedAt: number | null,
): SendContentRow {
  const sealed = keyring.seal(Buffer.from(JSON.stringify(content)), contextOf(sendId));
  return { send_id: sendId, sealed, finished_at: finishedAt };
}

export function openContent(keyring: Keyring, row: SendContentRow): SendContent {
  return JSON.parse(Buffer.from(keyring.open(row.sealed, contextOf(row.send_id))).toString('utf8')) as SendContent;
}

export function sealAttachments(
  keyring: Keyring,
  sendId: string,
  attachments: readonly DecodedAttachment[],
  finishedAt: number | null,
): SendAttachmentRow[] {
  return attachments.map((attachment, position) => ({
    send_id: sendId,
    position,
    filename: attachment.filename,
    content_type: attachment.contentType,
    inline: attachment.inline,
    sealed: keyring.seal(attachment.content, attachmentContext(sendId, position)),
    finished_at: finishedAt,
  }));
}

export const openAttachment = (keyring: Keyring, row: SendAttachmentRow): Uint8Array =>
  keyring.open(row.sealed, attachmentContext(row.send_id, row.position));

const linksContext = (sendId: string): string => `send:${sendId}:links`;

/** The target of a tracked link. */
export interface LinkTarget {
  readonly url: string;
  /** Whether the target contains the value of a writeOnly variable, so that the timeline must not show it. (Default: false) */
  readonly hidden?: boolean;
}

/** The targets of a send's tracked links, by number. */
export const sealLinks = (keyring: Keyring, sendId: string, links: readonly LinkTarget[]): SendLinksRow => ({
  send_id: sendId,
  sealed: keyring.seal(Buffer.from(JSON.stringify(links)), linksContext(sendId)),
});

export const openLinks = (keyring: Keyring, row: SendLinksRow): readonly LinkTarget[] =>
  JSON.parse(Buffer.from(keyring.open(row.sealed, linksContext(row.send_id))).toString('utf8')) as LinkTarget[];
