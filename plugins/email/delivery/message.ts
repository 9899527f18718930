// Builds a finished message from a stored send: renders the frozen version with the stored variables.
// Called by the delivery jobs, outside any transaction.
import { type JobContext, parseAddress, type ServiceContext } from '../../../core/index.ts';
import type { MailAttachment, OutgoingMail } from '../port/index.ts';
import { listAttachments } from '../store.ts';
import type { SendAttachmentRow, SendContentRow, SendRow } from '../tables.ts';
import type { MailPreferences, PreferencesLink } from '../tracking/mail-preferences.ts';
import { type MailMarks, markMail } from '../tracking/mark-mail.ts';
import { postalAddressOf } from '../tracking/postal-address.ts';
import { type LinkTarget, openAttachment, openContent, type SendContent } from './send-content.ts';

function toAttachment(ctx: JobContext, row: SendAttachmentRow): MailAttachment {
  return {
    filename: row.filename,
    contentType: row.content_type,
    content: openAttachment(ctx.ports.keyring, row),
    inline: row.inline,
    ...(row.inline ? { contentId: row.filename } : {}),
  };
}

/** The message, or the permanent reason why it cannot be rendered. */
export type RenderedSend =
  | {
      readonly ok: true;
      readonly mail: OutgoingMail;
      /** The targets of the tracked links, by number. They must be stored before the message leaves. */
      readonly links: readonly LinkTarget[];
      readonly secrets: MailSecrets;
      /** Whether attachments are stored under the send's own id. */
      readonly attached: boolean;
    }
  | { readonly ok: false; readonly reason: string };

/** The values of the mail that only the mail may show. */
export interface MailSecrets {
  /** A text that may quote the mail, such as the answer of a server, with •••• in place of these values. */
  without(text: string): string;
}

/** The hidden values of a stored content. */
export const secretsOf = ({ services }: ServiceContext, { variables, hidden }: SendContent): MailSecrets => ({
  without: (text) =>
    hidden === undefined ? text : services.templates.withoutHidden(text, variables, hidden.shownVariables),
});

/**
 * The targets of the links that stay the same without the hidden values. Only these targets may be shown. Undefined if the send hides nothing.
 * Empty if the mail cannot be rendered without the hidden values.
 */
async function shownLinks(
  ctx: JobContext,
  send: SendRow,
  source: Parameters<JobContext['services']['templates']['render']>[1],
  { hidden }: SendContent,
  marks: MailMarks,
): Promise<ReadonlySet<string> | undefined> {
  if (hidden === undefined) return undefined;
  const masked = await ctx.services.templates.render(ctx, source, hidden.shownVariables, send.created_at);
  if (!masked.ok) return new Set();
  return new Set((await markMail(ctx.ports, send, masked.mail, marks)).links);
}

/** The link to the page where the recipient of a marketing mail chooses which mail they get, if a plugin provides one. */
async function preferencesOf(ctx: JobContext, send: SendRow): Promise<PreferencesLink | undefined> {
  const preferences: MailPreferences | undefined = ctx.services.mailPreferences;
  if (preferences === undefined || send.category !== 'marketing') return undefined;
  const recipient = { id: send.id, email: send.to_normalised, locale: send.locale };
  return ctx.read(({ trx }) => preferences.linkOf(trx.onSide(send.sandbox), ctx.workspace, recipient));
}

/** Renders the send from its stored content. */
export async function renderSend(
  ctx: JobContext,
  send: SendRow,
  stored: SendContentRow | undefined,
): Promise<RenderedSend> {
  if (stored === undefined) throw new Error(`The content of ${send.id} is gone.`);
  const content = openContent(ctx.ports.keyring, stored);
  const attachments =
    content.attached === false
      ? []
      : await ctx.read(({ trx }) => listAttachments(trx, content.attachmentsOf ?? send.id));
  const { template_id: templateId, template_version: version, locale } = send;
  const source = content.draft ?? { templateId, version, locale };
  const rendering = await ctx.services.templates.render(ctx, source, content.variables, send.created_at);
  const secrets = secretsOf(ctx, content);
  if (!rendering.ok)
    return { ok: false, reason: secrets.without(`The template cannot be rendered: ${rendering.reason}`) };
  const { html: ownHtml, text: ownText, fixed } = rendering.mail;
  const { previewText } = content;
  const rendered = {
    html: previewText === undefined ? ownHtml : await ctx.services.templates.withPreviewText(ownHtml, previewText),
    text: ownText,
  };
  const marks = {
    tracking: content.tracking,
    utm: content.utm,
    preferences: await preferencesOf(ctx, send),
    postalAddress: await postalAddressOf(ctx, send, rendered),
  };
  const { html, text, headers, links: urls } = await markMail(ctx.ports, send, rendered, marks);
  const shownUrls = urls.length === 0 ? undefined : await shownLinks(ctx, send, source, content, marks);
  const links = urls.map((url) => (shownUrls === undefined || shownUrls.has(url) ? { url } : { url, hidden: true }));
  const domain = parseAddress(send.from_email)?.domain ?? 'localhost';
  const mail: OutgoingMail = {
    messageId: `<${send.message_id}@${domain}>`,
    from: { email: send.from_email, name: send.from_name },
    to: { email: send.to_address, ...(content.toName === undefined ? {} : { name: content.toName }) },
    ...(content.replyTo === undefined ? {} : { replyTo: { email: content.replyTo } }),
    subject: content.hidden?.subject ?? send.subject,
    html,
    text,
    headers: { ...content.headers, ...headers },
    attachments: attachments.map((row) => toAttachment(ctx, row)),
    // The time at which the message should leave, because a message that is dated weeks back looks forged. The date is the same in all attempts.
    date: new Date(send.scheduled_at ?? send.created_at),
    fixed,
  };
  return { ok: true, mail, links, secrets, attached: attachments.length > 0 && content.attachmentsOf === undefined };
}
