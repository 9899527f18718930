// Builds a finished message from a stored send: renders the frozen version with the stored variables.
// Called by the delivery jobs, outside any transaction.
import { type JobContext, parseAddress } from '../../core/index.ts';
import { openAttachment, openContent } from './content.ts';
import type { MailPreferences, PreferencesLink } from './mail-preferences.ts';
import type { MailAttachment, OutgoingMail } from './port/index.ts';
import { listAttachments } from './store.ts';
import type { SendAttachmentRow, SendContentRow, SendRow } from './tables.ts';
import { markMail } from './tracking/mark-mail.ts';

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
      readonly links: readonly string[];
      /** Whether attachments are stored under the send's own id. */
      readonly attached: boolean;
    }
  | { readonly ok: false; readonly reason: string };

/** The link to the page where the recipient of a marketing mail chooses which mail they get, if a plugin provides one. */
async function preferencesOf(ctx: JobContext, send: SendRow): Promise<PreferencesLink | undefined> {
  const preferences: MailPreferences | undefined = ctx.services.mailPreferences;
  if (preferences === undefined || send.category !== 'marketing') return undefined;
  const named = { id: send.id, email: send.to_normalised, locale: send.locale };
  return ctx.read(({ trx }) => preferences.linkOf(trx.onSide(send.sandbox), ctx.workspace, named));
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
  if (!rendering.ok) return { ok: false, reason: `The template cannot be rendered: ${rendering.reason}` };
  const marks = { tracking: content.tracking, preferences: await preferencesOf(ctx, send) };
  const { html, text, headers, links } = await markMail(ctx.ports, send, rendering.mail, marks);
  const domain = parseAddress(send.from_email)?.domain ?? 'localhost';
  const mail: OutgoingMail = {
    messageId: `<${send.message_id}@${domain}>`,
    from: { email: send.from_email, name: send.from_name },
    to: { email: send.to_address, ...(content.toName === undefined ? {} : { name: content.toName }) },
    ...(content.replyTo === undefined ? {} : { replyTo: { email: content.replyTo } }),
    subject: send.subject,
    html,
    text,
    headers: { ...content.headers, ...headers },
    attachments: attachments.map((row) => toAttachment(ctx, row)),
    // The time of the hand-over, because a message dated weeks back looks forged. The same for all attempts.
    date: new Date(send.scheduled_at ?? send.created_at),
    fixed: rendering.mail.fixed,
  };
  return { ok: true, mail, links, attached: attachments.length > 0 && content.attachmentsOf === undefined };
}
