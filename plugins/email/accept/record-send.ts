// Writes one accepted message. Runs inside the transaction of the call or job that accepts it. Called whenever a send is
// accepted.
import { type Lane, normaliseAddress, type OperationContext, type TransactionContext } from '../../../core/index.ts';
import type { ResolvedTemplate, VisibleVariables } from '../../templates/index.ts';
import { sealAttachments, sealContent } from '../delivery/send-content.ts';
import { presentEvent, presentSend } from '../present.ts';
import type { SendBody, SendPublic } from '../schema.ts';
import { addSend } from '../store.ts';
import type { SendEventRow, SendRow } from '../tables.ts';
import { listSendWithoutMail } from '../timeline/list-send-without-mail.ts';
import type { LinkParameters } from '../tracking/link-parameters.ts';
import type { DecodedAttachment } from './attachments.ts';
import { enqueueDelivery } from './enqueue-delivery.ts';
import type { checkHeaders } from './headers.ts';
import type { InitialSendState } from './initial-state.ts';
import type { Recipient } from './recipient.ts';

/** The context that accepting needs: an operation's context, or a job's effects with an actor. */
export type SendContext = TransactionContext & Pick<OperationContext, 'actor'>;

/** The fields that all recipients of a call share. */
export interface SharedMessage {
  readonly mode: { readonly sandbox: boolean; readonly test: boolean };
  readonly template: ResolvedTemplate;
  readonly from: { readonly email: string; readonly name: string };
  readonly replyTo: string | undefined;
  readonly expiresAt: number | null;
  readonly headers: ReturnType<typeof checkHeaders>;
  readonly scenario: SendRow['scenario'];
  readonly bypass: boolean;
  readonly tags: string[];
  readonly provider: string;
  /** (Default: depends on the template's category) */
  readonly lane?: Lane | undefined;
  /** The broadcast that the message is part of. (Default: none) */
  readonly broadcastId?: string | undefined;
  /** Parameters for the links of the message. (Default: none) */
  readonly utm?: LinkParameters | undefined;
}

/** The fields of one recipient. */
export interface RecipientMessage {
  readonly to: Recipient;
  readonly variables: SendBody['variables'];
  readonly subject: string;
  /** A preview text in place of the template's. (Default: the template's) */
  readonly previewText?: string | undefined;
  /** The variables that reads and events may show, if the template has writeOnly variables. (Default: all variables) */
  readonly shown?: VisibleVariables | undefined;
  readonly metadata: SendRow['metadata'];
  readonly initialState: InitialSendState;
  /** The attachments of only this message. */
  readonly attachments: readonly DecodedAttachment[];
  /** The id under which the shared attachments of a batch are stored. */
  readonly attachmentsOf?: string | undefined;
}

/** Writes one accepted message: the send, its timeline, its event and its job. */
export function recordSend(
  ctx: SendContext,
  {
    mode: { sandbox, test },
    template,
    from,
    replyTo,
    expiresAt,
    headers,
    scenario,
    bypass,
    tags,
    provider,
    lane,
    broadcastId,
    utm,
  }: SharedMessage,
  {
    to,
    variables,
    subject,
    previewText,
    shown: shownVariables,
    metadata,
    initialState,
    attachments,
    attachmentsOf,
  }: RecipientMessage,
): { readonly send: SendRow; readonly shown: SendPublic } {
  const trx = ctx.trx.onSide(sandbox);
  const id = ctx.newId('snd');
  const send: SendRow = {
    id,
    sandbox,
    // Derived from the send's id, so that a report with this Message-ID finds the send by its key.
    message_id: `msg_${id.slice('snd_'.length)}`,
    status: initialState.status,
    template_id: template.id,
    template_key: template.key,
    topic_key: template.topicKey,
    template_version: template.version,
    category: template.category,
    delivery: template.delivery,
    to_address: to.email,
    to_normalised: normaliseAddress(to.email),
    from_email: from.email,
    from_name: from.name,
    subject: shownVariables?.subject ?? subject,
    provider,
    api_key_id: ctx.actor.keyId ?? null,
    scenario,
    bypass,
    tags,
    metadata,
    stripped_headers: headers.stripped,
    why_not_sent: initialState.whyNotSent,
    opens: 0,
    clicks: 0,
    handed_over_at: null,
    created_at: ctx.now,
    scheduled_at: initialState.scheduledAt,
    expires_at: expiresAt,
    locale: template.locale,
    test,
    broadcast_id: broadcastId ?? null,
  };
  const item: SendEventRow = {
    id: ctx.newId('evt'),
    send_id: id,
    type: initialState.event,
    ts: ctx.now,
    details: initialState.reason === undefined ? {} : { reason: initialState.reason },
  };
  const { keyring } = ctx.ports;
  // A send that is never delivered is never rendered. It is final now, and the retention of its content begins.
  const finishedAt = initialState.finished ? ctx.now : null;
  const toName = to.name === '' ? undefined : to.name;
  const storedContent = {
    variables,
    headers: headers.kept,
    replyTo,
    toName,
    draft: template.draft,
    attachmentsOf,
    tracking: template.tracking,
    utm,
    previewText,
    // `subject` contains the hidden values; `shownVariables` has •••• in their place.
    ...(shownVariables === undefined ? {} : { hidden: { subject, shownVariables: shownVariables.variables } }),
    attached: attachments.length > 0 || attachmentsOf !== undefined,
  };
  const content = sealContent(keyring, id, storedContent, finishedAt);
  const sealed = sealAttachments(keyring, id, attachments, finishedAt);
  addSend(trx, send, content, sealed, item);
  const shown = presentSend(send, [item]);
  const data = { ...shown, event: presentEvent(item) };
  ctx.emit(initialState.event, data, { synthetic: sandbox, id: item.id, subject: send.to_normalised });
  if (initialState.finished) listSendWithoutMail(ctx, send);
  else enqueueDelivery(ctx, send, initialState.waitsUntil, lane);
  return { send, shown };
}
