// The buttons of the inbox. They simulate reports of a provider or actions of the recipient.
import {
  coreErrors,
  isStorageError,
  type PublicRouteContext,
  type TransactionContext,
  z,
} from '../../../core/index.ts';
import { checkInput, jsonResponse, pageRoute } from '../../../core/unstable.ts';
import type { ReportResult, SendReport } from '../../email/index.ts';
import type { BounceDetails } from '../../email/port/index.ts';
import { gate } from '../access.ts';
import { errors } from '../errors.ts';
import { analyseMail } from '../mail-content.ts';
import { checkChange, type VisibleMessage } from '../visible-workspaces.ts';
import { mailOf, messageAt } from './find-message.ts';

const reportBody = z.strictObject({
  type: z.enum(['delivered', 'soft_bounce', 'hard_bounce', 'complaint', 'open', 'click']),
  /** The clicked link. (Default: the message's first link) */
  url: z.string().max(4_000).optional(),
});

const bounces: Readonly<Record<'soft_bounce' | 'hard_bounce', BounceDetails>> = {
  soft_bounce: {
    class: 'soft',
    subType: 'mailbox_full',
    smtpCode: 452,
    enhancedCode: '4.2.2',
    diagnostic: 'Reported in the inbox: the mailbox is full.',
  },
  hard_bounce: {
    class: 'hard',
    subType: 'no_mailbox',
    smtpCode: 550,
    enhancedCode: '5.1.1',
    diagnostic: 'Reported in the inbox: no such mailbox.',
  },
};

const bot = { verdict: 'human', reason: 'Reported in the inbox.' } as const;

async function clickedLink(ctx: PublicRouteContext, message: VisibleMessage, url: string | undefined): Promise<string> {
  const { links } = analyseMail(await mailOf(ctx, message));
  const clicked = links.find((link) => (url === undefined ? /^https?:/i.test(link.url) : link.url === url));
  if (clicked !== undefined) return clicked.url;
  const fault = url === undefined ? 'The message has no link to click.' : 'The message has no such link.';
  const details = [{ path: 'url', code: 'link_unknown', message: fault }];
  throw coreErrors.validation_failed({ summary: `url: ${fault}` }, { details });
}

async function reportOf(
  ctx: PublicRouteContext,
  message: VisibleMessage,
  { type, url }: z.output<typeof reportBody>,
): Promise<SendReport> {
  switch (type) {
    case 'delivered':
      return { kind: 'delivered' };
    case 'complaint':
      return { kind: 'complained' };
    case 'open':
      return { kind: 'opened', bot };
    case 'click':
      return { kind: 'clicked', url: await clickedLink(ctx, message, url), bot };
    default:
      return { kind: 'bounced', bounce: bounces[type] };
  }
}

/** Reports an event of a message's send, as its provider would. */
export const reportMessage = pageRoute(
  gate,
  {
    http: 'POST /inbox/messages/{id}/reports',
    description: 'Reports delivered, soft_bounce, hard_bounce, complaint, open or click of the send of a message.',
  },
  async (ctx, request, visitor) => {
    const body = checkInput(reportBody, await request.json());
    const message = await messageAt(ctx, request, visitor);
    const { visible, row } = message;
    checkChange(visible);
    const report = await reportOf(ctx, message, body);
    const { sendReports } = ctx.services;
    const work = (tx: TransactionContext): Promise<ReportResult | undefined> =>
      sendReports.report(tx, row.send_id, report);
    const run = () => ctx.transact(row.workspace_id, work);
    // If another transaction suppressed the address at the same moment, the retry finds the suppression.
    const result = await run().catch((error: unknown) => {
      if (!isStorageError(error, 'unique')) throw error;
      return run();
    });
    if (result === undefined) throw errors.inbox_message_not_found({ id: row.send_id });
    return jsonResponse(request, result);
  },
);
