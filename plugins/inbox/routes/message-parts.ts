// Serves the parts of a message as separate documents: HTML for a frame, text, source, attachments.

import { contentDisposition, coreErrors, z } from '../../../core/index.ts';
import { checkInput, pageRoute, plainResponse, queryOf } from '../../../core/unstable.ts';
import { gate } from '../access.ts';
import { displayHtml, mailPolicy } from '../display-html.ts';
import { errors } from '../errors.ts';
import type { InlinePart } from '../inline-parts.ts';
import { toOutgoingMail } from '../sealed-mail.ts';
import { mailOf, messageAt, partOf, wholeMailOf, workspaceQuery } from './find-message.ts';

const htmlQuery = z.strictObject({
  ...workspaceQuery,
  remote: z.enum(['0', '1']).default('0'),
  scheme: z.enum(['light', 'dark']).default('light'),
});

const sourceQuery = z.strictObject({ ...workspaceQuery, download: z.enum(['0', '1']).default('0') });

/** The HTML for a frame. Its policy allows no scripts, even outside of the frame. */
export const readHtml = pageRoute(
  gate,
  {
    http: 'GET /inbox/messages/{id}/html',
    description:
      'The HTML of a message, with a policy that allows no scripts. `scheme` is light or dark; `remote=1` loads pictures from other hosts.',
  },
  async (ctx, request, visitor) => {
    const query = checkInput(htmlQuery, queryOf(request));
    const message = await messageAt(ctx, request, visitor, query);
    const { mail, contents } = await wholeMailOf(ctx, message);
    const inline: InlinePart[] = mail.attachments.flatMap(({ contentId, contentType }, index) => {
      const content = contents[index];
      return contentId === undefined || content === undefined ? [] : [{ contentId, contentType, content }];
    });
    const displayOptions = { remote: query.remote === '1', scheme: query.scheme };
    return plainResponse('text/html; charset=utf-8', displayHtml(mail.html, inline, displayOptions), {
      'Content-Security-Policy': mailPolicy(displayOptions),
      // Without this header, browsers look up the hosts of a message's links.
      'X-DNS-Prefetch-Control': 'off',
    });
  },
);

/** The plain-text part. */
export const readText = pageRoute(
  gate,
  { http: 'GET /inbox/messages/{id}/text', description: 'The plain-text part of a message.' },
  async (ctx, request, visitor) => {
    const message = await messageAt(ctx, request, visitor);
    return plainResponse('text/plain; charset=utf-8', (await mailOf(ctx, message)).text);
  },
);

/** The message as a mail server receives it. */
export const readSource = pageRoute(
  gate,
  {
    http: 'GET /inbox/messages/{id}/source',
    description: 'The bytes of a message (RFC 5322); with `download=1` as a file that mail programs open.',
  },
  async (ctx, request, visitor) => {
    const query = checkInput(sourceQuery, queryOf(request));
    const message = await messageAt(ctx, request, visitor, query);
    const { mail, contents } = await wholeMailOf(ctx, message);
    const source = await ctx.services.mailSource(toOutgoingMail(mail, contents));
    if (!source.ok)
      throw coreErrors.state_conflict({ reason: `No mail server would take this message. ${source.reason}` });
    if (query.download === '0') return plainResponse('text/plain; charset=utf-8', source.bytes);
    return plainResponse('message/rfc822', source.bytes, {
      'Content-Disposition': contentDisposition('attachment', `${message.row.send_id}.eml`),
    });
  },
);

/** One attachment. Browsers always save it and never open it in place. */
export const readAttachment = pageRoute(
  gate,
  { http: 'GET /inbox/messages/{id}/attachments/{index}', description: 'One attachment of a message, as a file.' },
  async (ctx, request, visitor) => {
    const message = await messageAt(ctx, request, visitor);
    const mail = await mailOf(ctx, message);
    const { index = '' } = request.params;
    const attachment = /^\d{1,3}$/.test(index) ? mail.attachments[Number(index)] : undefined;
    if (attachment === undefined)
      throw errors.inbox_message_not_found({ id: `${message.row.send_id}/attachments/${index}`.slice(0, 100) });
    const content = await partOf(ctx, message, Number(index) + 1);
    return plainResponse(attachment.contentType, content, {
      'Content-Disposition': contentDisposition('attachment', attachment.filename),
    });
  },
);
