// Seals a stored message in parts, and opens them. Bodies contain login codes and sign-in links, so they are never stored
// unencrypted. Called by the service that stores messages and by the routes that show them.
import type { Keyring } from '../../core/index.ts';
import type { MailAttachment, OutgoingMail } from '../email/port/index.ts';

/** An attachment without its bytes. */
export interface StoredAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly inline: boolean;
  readonly contentId: string | undefined;
  readonly size: number;
}

/** A message without the bytes of its attachments. */
export interface StoredMail extends Omit<OutgoingMail, 'attachments' | 'date'> {
  readonly attachments: readonly StoredAttachment[];
  /** Milliseconds since the epoch. */
  readonly date: number;
}

/** Binds a part to its position. A part that is copied to another message or workspace cannot be opened. */
const contextOf = (workspaceId: string, sendId: string, position: number): string =>
  `inbox:${workspaceId}:${sendId}:${position}`;

const describe = ({ filename, contentType, inline, contentId, content }: MailAttachment): StoredAttachment => ({
  filename,
  contentType,
  inline,
  contentId,
  size: content.byteLength,
});

/** The parts, in the order of their positions. */
export function sealMail(keyring: Keyring, workspaceId: string, sendId: string, mail: OutgoingMail): Uint8Array[] {
  const storedMail: StoredMail = { ...mail, attachments: mail.attachments.map(describe), date: mail.date.getTime() };
  const plain = [Buffer.from(JSON.stringify(storedMail)), ...mail.attachments.map(({ content }) => content)];
  return plain.map((bytes, position) => keyring.seal(bytes, contextOf(workspaceId, sendId, position)));
}

/** Opens one part. @throws if the part was altered, or the keyring no longer has its key */
export const openPart = (
  keyring: Keyring,
  { workspace_id: workspaceId, send_id: sendId, position, sealed }: PartLocation & { readonly sealed: Uint8Array },
): Uint8Array => keyring.open(sealed, contextOf(workspaceId, sendId, position));

interface PartLocation {
  readonly workspace_id: string;
  readonly send_id: string;
  readonly position: number;
}

/** The message in an opened part 0. */
export const readMail = (opened: Uint8Array): StoredMail =>
  JSON.parse(Buffer.from(opened).toString('utf8')) as StoredMail;

/** The message as it was passed to the inbox. An attachment without bytes is empty. */
export function toOutgoingMail(storedMail: StoredMail, contents: readonly Uint8Array[]): OutgoingMail {
  return {
    ...storedMail,
    date: new Date(storedMail.date),
    attachments: storedMail.attachments.map(({ filename, contentType, inline, contentId }, index) => ({
      filename,
      contentType,
      inline,
      content: contents[index] ?? new Uint8Array(),
      ...(contentId === undefined ? {} : { contentId }),
    })),
  };
}
