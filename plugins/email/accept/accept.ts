// The rules for accepting a send, in order. Runs inside the operation's transaction, with no I/O except the database.
import { coreErrors, type OperationContext, parseAddress, type ReadContext } from '../../../core/index.ts';
import { exactDurationMs, lineFault } from '../../../core/unstable.ts';
import type { SuppressionRow } from '../../suppressions/index.ts';
import type { ResolvedTemplate, ResolveOptions } from '../../templates/index.ts';
import { allowed } from '../decision/decide.ts';
import { decideToAccept } from '../decision/judge.ts';
import { expectedProvider } from '../delivery/mail-connection.ts';
import { errors } from '../errors.ts';
import { sendResponse } from '../present.ts';
import type { SendBody, SendPublic, TestBody } from '../schema.ts';
import type { SendRow } from '../tables.ts';
import { decodeAttachments } from './attachments.ts';
import { checkHeaders } from './headers.ts';
import { type InitialSendState, initialStateOf } from './initial-state.ts';
import { parseRecipient, type Recipient } from './recipient.ts';
import { recordSend, type SharedMessage } from './record-send.ts';

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
  /** Whether this is the test of a template. Suppressions do not stop it. */
  readonly test: boolean;
  readonly source: Omit<ResolveOptions, 'locale'>;
}

/** Parses a recipient that the schema has already checked. */
function recipientOf(text: string): Recipient {
  const recipient = parseRecipient(text);
  if (recipient === undefined) throw new Error('The recipient of a send is not an address.');
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

/** The time at which the message expires: the time that the call sets, otherwise the time that the template sets. Null if neither sets one. */
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
export function checkTemplateKey(ctx: OperationContext, key: string, body: SendBody): void {
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

/** The error of a send that exceeds the monthly budget. */
export function budgetExhausted({ workspace }: OperationContext, renewsAt: number) {
  const { monthlySendBudget: budget, name: plan } = workspace.plan;
  return errors.send_budget_exhausted({ budget, plan, renewsAt: new Date(renewsAt).toISOString() });
}

/** Counts the send against the monthly budget, unless the send is never delivered. @throws send_budget_exhausted */
async function spendSend(ctx: OperationContext, { finished }: InitialSendState, { sandbox }: SendMode): Promise<void> {
  if (finished || sandbox) return;
  const spent = await ctx.spend('sends', 1, ctx.workspace.plan.monthlySendBudget);
  if (spent.exceeded) throw budgetExhausted(ctx, spent.renewsAt);
}

/** Accepts one message for one recipient. */
export const acceptSend = (
  ctx: OperationContext,
  body: SendBody,
  prerequisites: Promise<SendPrerequisites>,
): Promise<SendPublic> => accept(ctx, body, modeOf(ctx), () => prerequisites);

const modeOf = ({ sandbox }: ReadContext): SendMode => ({ sandbox, test: false, source: { drafts: sandbox } });

/** Reads the rows that `acceptSend` needs from the database. */
export const readForSend = (ctx: ReadContext, key: string, body: SendBody): Promise<SendPrerequisites> =>
  lookUpFor(ctx, key, body, modeOf(ctx));

interface SendPrerequisites {
  readonly template: ResolvedTemplate;
  readonly suppression: SuppressionRow | undefined;
}

async function lookUpFor(
  ctx: ReadContext,
  key: string,
  { to, locale }: Pick<Message, 'to' | 'locale'>,
  { sandbox, source }: SendMode,
): Promise<SendPrerequisites> {
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
  readPrerequisites: () => Promise<SendPrerequisites>,
): Promise<SendPublic> {
  checkRights(ctx, body);
  const to = recipientOf(body.to);
  const scenario = scenarioOf(body, mode);
  const { template, suppression } = await readPrerequisites();
  const from = senderOf(ctx, body);
  const replyTo = replyToOf(ctx, body);
  const scheduledAt = scheduledAtOf(ctx, body);
  const expiresAt = mode.test ? null : expiresAtOf(ctx, body, template);
  const headers = checkHeaders(body.headers, ctx.ports.mail.known(ctx.workspace.id)?.reservedHeaders);
  const attachments = decodeAttachments(body.attachments);
  const accepted = template.accept(body.variables ?? template.previewVariables(), ctx.now);
  const bypass = body.bypassSuppression;
  const recipient = { email: to.email, suppression, bypass };
  const mailKind = { category: template.category, topicKey: template.topicKey, fromEmail: from.email };
  const decided = mode.test
    ? undefined
    : await decideToAccept(ctx, [recipient], { ...mailKind, scheduledAt, expiresAt });
  const initialState = initialStateOf(decided?.decisions[0] ?? allowed, scheduledAt, ctx.now);
  await spendSend(ctx, initialState, mode);
  const shared: SharedMessage = {
    mode,
    template,
    from,
    replyTo,
    expiresAt,
    headers,
    scenario,
    bypass,
    tags: body.tags,
    provider: await expectedProvider(ctx, template, mode.sandbox),
  };
  const metadata = body.metadata ?? null;
  const { send, shown } = recordSend(ctx, shared, {
    to,
    ...accepted,
    metadata,
    initialState,
    attachments,
  });
  if (send.status === 'sent') await decided?.slots?.take([send.id]);
  ctx.note({
    template: template.key,
    to_domain: parseAddress(to.email)?.domain ?? '',
    ...(bypass ? { bypass_suppression: true } : {}),
  });
  return sendResponse(ctx, send, shown);
}
