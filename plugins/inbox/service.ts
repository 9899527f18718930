// `ctx.services.inbox`: stores messages that stayed in the process. The delivery jobs call it inside the transaction that records
// the result. It never sends a request to another service, and never stores an unencrypted body.
import { normaliseAddress, type ServiceContext, type TransactionContext } from '../../core/index.ts';
import { isLoopbackUrl } from '../../core/unstable.ts';
import type { OutgoingMail } from '../email/port/index.ts';
import { fold } from './fold.ts';
import { type SmsToStore, storeText } from './phone/texts.ts';
import { sealMail } from './sealed-mail.ts';
import { addMessage, findMessage, listSizes, readTotals, removeMessages } from './store.ts';
import type { MessageOrigin, NewInboxMessage } from './tables.ts';

/** The maximum number of messages of one workspace. The oldest are removed first. */
export const maxMessages = 1_000;
/** The maximum number of sealed bytes of one workspace. A message has at most about 14 MB. */
export const maxBytes = 200 * 1_048_576;

/** A message to store. */
export interface MessageToStore {
  readonly send: {
    readonly id: string;
    readonly templateKey: string;
    /** The reason why the message stays in the process. */
    readonly origin: MessageOrigin;
  };
  readonly mail: OutgoingMail;
}

/** A send without a mail: it was suppressed, or its mail could not be made. */
export interface SendWithoutMail {
  readonly send: MessageToStore['send'];
  readonly from: { readonly email: string; readonly name?: string | undefined };
  readonly to: { readonly email: string; readonly name?: string | undefined };
  readonly subject: string;
}

/** `ctx.services.inbox`. */
export interface InboxService {
  /** Stores the message of a send in the transaction. If the send already has a message, that message stays. */
  store(ctx: TransactionContext, message: MessageToStore): Promise<void>;
  /** Adds a new send without a mail to the list. Does not remove older messages; the next mail does. */
  list(ctx: TransactionContext, sendWithoutMail: SendWithoutMail): void;
  /** Stores the text of an SMS in the transaction. If the SMS already has a text, that text stays. */
  storeSms(ctx: TransactionContext, text: SmsToStore): Promise<void>;
  /** The URL of the message of a send or an SMS; undefined if no caller could open it. */
  urlOf(workspaceId: string, sendId: string): string | undefined;
}

/** Removes the oldest messages, so that a message of `added` bytes fits. */
async function makeRoom(ctx: TransactionContext, added: number): Promise<void> {
  const trx = ctx.trx.bothSides('both sides share the storage limits of the inbox');
  const totals = await readTotals(trx);
  if (totals.messages < maxMessages && totals.bytes + added <= maxBytes) return;
  let messages = 1;
  let bytes = added;
  const tooMany = (await listSizes(trx)).filter(({ size }) => {
    messages += 1;
    bytes += size;
    return messages > maxMessages || bytes > maxBytes;
  });
  await removeMessages(
    trx,
    tooMany.map(({ send_id: id }) => id),
  );
}

/** Whether any caller can open the inbox. */
function isReachable({ access, service }: ServiceContext['ports']): boolean {
  const { environment, publicUrl = '' } = service;
  return access.configured || (environment === 'development' && isLoopbackUrl(publicUrl));
}

/** The row of a message. */
function rowOf(
  { send, from, to, subject }: SendWithoutMail,
  now: number,
  size: number,
  attachments: number,
): NewInboxMessage {
  const searched = [subject, to.email, to.name ?? '', from.email, from.name ?? '', send.templateKey, send.id];
  return {
    send_id: send.id,
    origin: send.origin,
    template_key: send.templateKey,
    to_address: to.email,
    to_normalised: normaliseAddress(to.email),
    from_email: from.email,
    from_name: from.name ?? '',
    subject,
    subject_folded: fold(subject),
    search_text: fold(searched.join('\n')),
    size,
    attachments,
    seen_at: null,
    created_at: now,
  };
}

/** Makes the service. It has no state in memory. */
export const createInboxService = ({ ports }: ServiceContext): InboxService => ({
  async store(ctx, { send, mail }) {
    const { id: workspaceId } = ctx.workspace;
    if ((await findMessage(ctx.trx, send.id)) !== undefined) return;
    const sealed = sealMail(ports.keyring, workspaceId, send.id, mail);
    const size = sealed.reduce((sum, { byteLength }) => sum + byteLength, 0);
    await makeRoom(ctx, size);
    const files = mail.attachments.filter(({ inline }) => !inline).length;
    addMessage(
      ctx.trx,
      rowOf({ ...mail, send }, ctx.now, size, files),
      sealed.map((bytes, position) => ({
        send_id: send.id,
        position,
        sealed: bytes,
        created_at: ctx.now,
      })),
    );
  },

  list(ctx, sendWithoutMail) {
    const side = ctx.trx.onSide(sendWithoutMail.send.origin !== 'live');
    addMessage(side, rowOf(sendWithoutMail, ctx.now, 0, 0), []);
  },

  storeSms: (ctx, text) => storeText(ctx, ports.keyring, text),

  urlOf(workspaceId, sendId) {
    const { publicUrl } = ports.service;
    if (publicUrl === undefined || !isReachable(ports)) return undefined;
    const page = sendId.startsWith('sms_') ? 'phone' : 'm';
    return `${publicUrl}/inbox/${page}/${encodeURIComponent(sendId)}?workspace=${encodeURIComponent(workspaceId)}`;
  },
});
