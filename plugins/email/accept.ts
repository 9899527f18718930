// The rules for accepting a send, in order. Runs inside the operation's transaction, with no I/O except the database.
import {
  coreErrors,
  normaliseAddress,
  type OperationContext,
  parseAddress,
  type ReadContext,
  type TransactionContext,
} from '../../core/index.ts';
import { exactDurationMs, lineFault } from '../../core/unstable.ts';
import type { Suppressed, SuppressionRow } from '../suppressions/index.ts';
import type { ResolvedTemplate, ResolveOptions } from '../templates/index.ts';
import { type DecodedAttachment, decodeAttachments } from './attachments.ts';
import { sealAttachments, sealContent } from './content.ts';
import { errors } from './errors.ts';
import type { SendEventType } from './events.ts';
import { checkHeaders } from './headers.ts';
import { listMailless } from './list-mailless.ts';
import { expectedProvider } from './mail-connection.ts';
import { answerSend, presentEvent, presentSend } from './present.ts';
import { parseRecipient, type Recipient } from './recipient.ts';
import type { SendBody, SendPublic, TestBody } from './schema.ts';
import { addSend } from './store.ts';
import type { SendEventRow, SendRow, SendStatus } from './tables.ts';
import { suppressedSentence } from './why-not-sent.ts';

const maxAheadMs = 30 * 86_400_000;
/** Tolerance for a caller's clock that is slightly wrong. */
const skewMs = 60_000;

/** The fields that a send and a test send share. */
interface Message extends Omit<SendBody, 'variables' | 'template'> {
  /** (Default: the first example of the contract) */
  readonly variables?: SendBody['variables'] | undefined;
}

/** The mode in which a message is accepted and sent. */
interface SendMode {
  /** If true, the message does not leave the process and is not counted or charged, even with a live key. */
  readonly sandbox: boolean;
  /** Whether this is a test send. Suppressions do not stop test sends. */
  readonly test: boolean;
  readonly source: Omit<ResolveOptions, 'locale'>;
}

/** Parses a recipient that the schema has already checked. */
function recipientOf(text: string): Recipient {
  const recipient = parseRecipient(text);
  if (recipient === undefined) throw new Error('The recipient of a send is no address.');
  return recipient;
}

export function senderOf(
  ctx: Pick<OperationContext, 'workspace'>,
  body: Pick<Message, 'from'>,
): { email: string; name: string } {
  const from = body.from ?? ctx.workspace.defaultFrom;
  const domain = parseAddress(from.email)?.domain ?? '';
  if (!ctx.workspace.sendingDomains.includes(domain)) {
    throw errors.from_not_allowed({ domain, allowed: ctx.workspace.sendingDomains });
  }
  return from;
}

export function replyToOf(ctx: OperationContext, body: Pick<Message, 'replyTo' | 'reply_to'>): string | undefined {
  const { replyTo, reply_to: plain } = body;
  if (replyTo !== undefined && plain !== undefined && replyTo.email !== plain) {
    ctx.refuse([{ path: 'reply_to', code: 'conflict', message: 'replyTo and reply_to differ. Give one of them.' }]);
  }
  return replyTo?.email ?? plain;
}

export function scheduledAtOf(ctx: OperationContext, body: Pick<Message, 'send_at'>): number | null {
  const { send_at: at } = body;
  if (at === undefined) return null;
  if (at < ctx.now - skewMs || at > ctx.now + maxAheadMs) throw errors.send_at_invalid();
  return at > ctx.now ? at : null;
}

/** When the message expires: by the call, else by the template. Null if neither sets it. */
export function expiresAtOf(
  ctx: OperationContext,
  { expiresAt, expiresIn, ...body }: Pick<Message, 'send_at' | 'expiresAt' | 'expiresIn'>,
  template: ResolvedTemplate,
): number | null {
  const sentAt = scheduledAtOf(ctx, body) ?? ctx.now;
  if (expiresAt !== undefined && expiresIn !== undefined)
    ctx.refuse([{ path: 'expiresIn', code: 'conflict', message: 'Give expiresAt or expiresIn, not both.' }]);
  if (expiresAt !== undefined && expiresAt <= sentAt)
    ctx.refuse([
      {
        path: 'expiresAt',
        code: 'too_early',
        message: 'This time is past, or not after send_at: nothing would be sent.',
      },
    ]);
  const life = exactDurationMs(expiresIn ?? template.expiresIn ?? '');
  return expiresAt ?? (life === undefined ? null : sentAt + life);
}

function scenarioOf(body: Message, { sandbox }: SendMode): SendRow['scenario'] {
  if (sandbox) return body.simulationScenario ?? 'delivered';
  if (body.simulationScenario !== undefined) throw coreErrors.sandbox_only({ field: 'simulationScenario' });
  return null;
}

/** @throws validation_failed if the body names another template than the path */
export function checkAgreement(ctx: OperationContext, key: string, body: SendBody): void {
  if (body.template === undefined || body.template === key) return;
  const message = `The path names the template ${key}. Leave template out, or give the same key.`;
  ctx.refuse([{ path: 'template', code: 'conflict', message }]);
}

export function checkRights(ctx: OperationContext, body: Pick<Message, 'from' | 'bypassSuppression'>): void {
  const fault = lineFault(body.from?.name ?? '');
  if (fault !== undefined) ctx.refuse([{ path: 'from.name', code: 'line_invalid', message: `The name: ${fault}` }]);
  if (body.bypassSuppression && !ctx.holds('suppressions:bypass'))
    throw coreErrors.insufficient_scope({ scopes: ['suppressions:bypass'] });
}

/** The initial status and event of an accepted message. */
export interface Outcome {
  readonly status: SendStatus;
  readonly event: SendEventType;
  readonly whyNotSent: string | null;
}

/** The outcome of a message that will be sent at once or later. */
export const acceptedAt = (scheduledAt: number | null): Outcome =>
  scheduledAt === null
    ? { status: 'sent', event: 'send.queued', whyNotSent: null }
    : { status: 'scheduled', event: 'send.scheduled', whyNotSent: null };

/** The outcome of a message that is accepted but not sent, because its recipient is suppressed. */
export const suppressedBy = (suppressed: Suppressed): Outcome => ({
  status: 'suppressed',
  event: 'transactional.suppressed',
  whyNotSent: suppressedSentence(suppressed),
});

/** The error of a send that exceeds the monthly budget. */
export function budgetExhausted({ workspace }: OperationContext, renewsAt: number) {
  const { monthlySendBudget: budget, name: plan } = workspace.plan;
  return errors.send_budget_exhausted({ budget, plan, renewsAt: new Date(renewsAt).toISOString() });
}

/** Decides whether a send is suppressed, scheduled or queued. A suppressed send does not count against the budget. */
async function decide(
  ctx: OperationContext,
  suppressed: Suppressed | undefined,
  scheduledAt: number | null,
  { sandbox, test }: SendMode,
): Promise<Outcome> {
  if (suppressed !== undefined && !test) return suppressedBy(suppressed);
  if (sandbox) return acceptedAt(scheduledAt);
  const spent = await ctx.spend('sends', 1, ctx.workspace.plan.monthlySendBudget);
  if (spent.exceeded) throw budgetExhausted(ctx, spent.renewsAt);
  return acceptedAt(scheduledAt);
}

/** Accepts one message for one recipient. */
export const acceptSend = (ctx: OperationContext, body: SendBody, reading: Promise<Looked>): Promise<SendPublic> =>
  accept(ctx, body, modeOf(ctx), () => reading);

const modeOf = ({ sandbox }: ReadContext): SendMode => ({ sandbox, test: false, source: { drafts: sandbox } });

/** Reads what `acceptSend` needs from the database. */
export const lookUp = (ctx: ReadContext, key: string, body: SendBody): Promise<Looked> =>
  lookUpFor(ctx, key, body, modeOf(ctx));

interface Looked {
  readonly template: ResolvedTemplate;
  readonly suppression: SuppressionRow | undefined;
}

async function lookUpFor(
  ctx: ReadContext,
  key: string,
  { to, locale }: Pick<Message, 'to' | 'locale'>,
  { sandbox, source }: SendMode,
): Promise<Looked> {
  const { trx, services, now } = ctx;
  // In parallel, so that a remote database needs only one round trip.
  const [template, suppression] = await Promise.all([
    services.templates.resolve(ctx, key, { ...source, locale }),
    services.suppressions.find(trx.onSide(sandbox), recipientOf(to).email, now),
  ]);
  return { template, suppression };
}

/** Accepts a test message. It only goes to the sandbox inbox, even with a live key. */
export function acceptTest(ctx: OperationContext, key: string, { draft, ...body }: TestBody): Promise<SendPublic> {
  const to = body.to ?? ctx.workspace.defaultFrom.email;
  const source = { drafts: draft, workingCopy: draft };
  const message = { ...body, to, bypassSuppression: false };
  const mode = { sandbox: true, test: true, source };
  return accept(ctx, message, mode, () => lookUpFor(ctx, key, message, mode));
}

async function accept(
  ctx: OperationContext,
  body: Message,
  mode: SendMode,
  look: () => Promise<Looked>,
): Promise<SendPublic> {
  checkRights(ctx, body);
  const to = recipientOf(body.to);
  const scenario = scenarioOf(body, mode);
  const { template, suppression } = await look();
  const from = senderOf(ctx, body);
  const replyTo = replyToOf(ctx, body);
  const scheduledAt = scheduledAtOf(ctx, body);
  const expiresAt = mode.test ? null : expiresAtOf(ctx, body, template);
  const headers = checkHeaders(body.headers, ctx.ports.mail.known(ctx.workspace.id)?.reservedHeaders);
  const attachments = decodeAttachments(body.attachments);
  const { variables, subject } = template.accept(body.variables ?? template.filling(), ctx.now);
  const suppressed = ctx.services.suppressions.stops(suppression, ctx.workspace, {
    category: template.category,
    bypass: body.bypassSuppression,
  });
  const outcome = await decide(ctx, suppressed, scheduledAt, mode);
  const bypass = body.bypassSuppression;
  const shared: SharedMessage = {
    mode,
    template,
    from,
    replyTo,
    scheduledAt,
    expiresAt,
    headers,
    scenario,
    bypass,
    tags: body.tags,
    provider: await expectedProvider(ctx, template, mode.sandbox),
  };
  const metadata = body.metadata ?? null;
  const { send, shown } = record(ctx, shared, { to, variables, subject, metadata, outcome, attachments });
  ctx.note({
    template: template.key,
    to_domain: parseAddress(to.email)?.domain ?? '',
    ...(bypass ? { bypass_suppression: true } : {}),
  });
  return answerSend(ctx, send, shown);
}

/** The context that accepting needs: an operation's context, or a job's effects with an actor. */
export type SendContext = TransactionContext & Pick<OperationContext, 'actor'>;

/** The fields that all recipients of a call share. */
export interface SharedMessage {
  readonly mode: Pick<SendMode, 'sandbox' | 'test'>;
  readonly template: ResolvedTemplate;
  readonly from: { readonly email: string; readonly name: string };
  readonly replyTo: string | undefined;
  readonly scheduledAt: number | null;
  readonly expiresAt: number | null;
  readonly headers: ReturnType<typeof checkHeaders>;
  readonly scenario: SendRow['scenario'];
  readonly bypass: boolean;
  readonly tags: string[];
  readonly provider: string;
  /** (Default: depends on the template's category) */
  readonly lane?: 'urgent' | 'normal' | 'bulk' | undefined;
}

/** The fields of one recipient. */
export interface OneMessage {
  readonly to: Recipient;
  readonly variables: SendBody['variables'];
  readonly subject: string;
  readonly metadata: SendRow['metadata'];
  readonly outcome: Outcome;
  /** The attachments of only this message. */
  readonly attachments: readonly DecodedAttachment[];
  /** The id under which the shared attachments of a batch are stored. */
  readonly attachmentsOf?: string | undefined;
}

/** Writes one accepted message: the send, its timeline, its event and its job. */
export function record(
  ctx: SendContext,
  {
    mode: { sandbox, test },
    template,
    from,
    replyTo,
    scheduledAt,
    expiresAt,
    headers,
    scenario,
    bypass,
    tags,
    provider,
    lane = laneOf(template),
  }: SharedMessage,
  { to, variables, subject, metadata, outcome, attachments, attachmentsOf }: OneMessage,
): { readonly send: SendRow; readonly shown: SendPublic } {
  const trx = ctx.trx.onSide(sandbox);
  const id = ctx.newId('snd');
  const send: SendRow = {
    id,
    sandbox,
    // Derived from the send's id, so that a report with this Message-ID finds the send by its key.
    message_id: `msg_${id.slice('snd_'.length)}`,
    status: outcome.status,
    template_id: template.id,
    template_key: template.key,
    template_version: template.version,
    category: template.category,
    delivery: template.delivery,
    to_address: to.email,
    to_normalised: normaliseAddress(to.email),
    from_email: from.email,
    from_name: from.name,
    subject,
    provider,
    api_key_id: ctx.actor.keyId ?? null,
    scenario,
    bypass,
    tags,
    metadata,
    stripped_headers: headers.stripped,
    why_not_sent: outcome.whyNotSent,
    opens: 0,
    clicks: 0,
    handed_over_at: null,
    created_at: ctx.now,
    scheduled_at: scheduledAt,
    expires_at: expiresAt,
    locale: template.locale,
    test,
  };
  const item: SendEventRow = {
    id: ctx.newId('evt'),
    send_id: id,
    type: outcome.event,
    ts: ctx.now,
    details: outcome.whyNotSent === null ? {} : { reason: outcome.whyNotSent },
  };
  const { keyring } = ctx.ports;
  // A suppressed send is never rendered. It is final now, and the retention of its content begins.
  const finishedAt = outcome.status === 'suppressed' ? ctx.now : null;
  const toName = to.name === '' ? undefined : to.name;
  const kept = {
    variables,
    headers: headers.kept,
    replyTo,
    toName,
    draft: template.draft,
    attachmentsOf,
    tracking: template.tracking,
    attached: attachments.length > 0 || attachmentsOf !== undefined,
  };
  const content = sealContent(keyring, id, kept, finishedAt);
  const sealed = sealAttachments(keyring, id, attachments, finishedAt);
  addSend(trx, send, content, sealed, item);
  const shown = presentSend(send, [item]);
  const data = { ...shown, event: presentEvent(item) };
  ctx.emit(outcome.event, data, { synthetic: sandbox, id: item.id, subject: send.to_normalised });
  if (outcome.status === 'suppressed') listMailless(ctx, send);
  else {
    ctx.enqueue({
      kind: sandbox ? 'email.simulate' : 'email.deliver',
      payload: { sendId: id },
      sandbox,
      lane,
      subject: send.to_normalised,
      // The key lets cancelling find the job.
      ...(scheduledAt === null ? {} : { key: id, runAt: scheduledAt }),
    });
  }
  return { send, shown };
}

/** The lane of a send: login codes (at-most-once) and system mail first, then other mail, marketing last. */
function laneOf(template: ResolvedTemplate): 'urgent' | 'normal' | 'bulk' {
  if (template.delivery === 'at-most-once' || template.category === 'system') return 'urgent';
  return template.category === 'marketing' ? 'bulk' : 'normal';
}
