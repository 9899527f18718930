// The rules for accepting an SMS, in order. Runs inside the operation's transaction, with no I/O except the database.
import { type OperationContext, toIsoTime } from '../../../core/index.ts';
import { lockWorkspace } from '../../../core/unstable.ts';
import { isInForce } from '../consent/consents.ts';
import { originOf, type SmsOrigin } from '../delivery/sms-connection.ts';
import { sealText } from '../delivery/sms-content.ts';
import { measureSms } from '../encoding/segments.ts';
import { errors, segmentLimit } from '../errors.ts';
import type { SmsRules } from '../options.ts';
import { presentEvent, presentSms, smsResponse } from '../present.ts';
import { hostOfOtherLink, hostOutside, shortenerIn } from '../rules/links.ts';
import { checkPhone, countryOf, type Phone, rangeOf } from '../rules/phone-numbers.ts';
import type { SendSmsBody, SmsPublic } from '../schema.ts';
import { delayedUntil, linkDomains, loadSettings, type WorkspaceSmsSettings } from '../settings.ts';
import { countOthersInRange, countSentTo, findSuppressed } from '../store.ts';
import { contentRows, eventRows, type SmsEventRow, type SmsRow, smsRows } from '../tables.ts';
import { type RenderedSms, renderTemplate } from './templates.ts';

/** The limits against toll fraud count the messages of this period. */
export const limitWindowMs = 3_600_000;
const limitWindowMinutes = limitWindowMs / 60_000;

/** @throws phone_invalid */
export function phoneOf(text: string): Phone {
  const checked = checkPhone(text);
  if (!checked.ok) throw errors.phone_invalid({ reason: checked.reason });
  return checked.phone;
}

/** @throws country_not_allowed */
function checkCountry(settings: WorkspaceSmsSettings, phone: Phone, origin: SmsOrigin): void {
  const senderCountry = origin.sender === null ? undefined : countryOf(origin.sender);
  const allowedCountries = settings.countries ?? (senderCountry === undefined ? [] : [senderCountry]);
  const { country = 'numbers without a country' } = phone;
  if (!allowedCountries.includes(country)) throw errors.country_not_allowed({ country, allowed: allowedCountries });
}

/** @throws link_domain_not_allowed */
async function checkLinks(
  ctx: OperationContext,
  settings: WorkspaceSmsSettings,
  { template, text, variables }: RenderedSms,
): Promise<void> {
  const shortener = shortenerIn(text);
  if (shortener !== undefined) throw errors.link_domain_not_allowed({ host: shortener, domains: undefined });
  if (template.templateKey !== 'auth_magic_link') return;
  const domains = await linkDomains(ctx, settings);
  const { url } = variables;
  const host = (typeof url === 'string' ? hostOfOtherLink(url, domains) : undefined) ?? hostOutside(text, domains);
  if (host !== undefined) throw errors.link_domain_not_allowed({ host, domains });
}

/** Checks the consent. If the call names a consent, it must be valid, even if the message needs no consent. @throws consent_required */
async function checkConsent(
  ctx: OperationContext,
  body: SendSmsBody,
  phone: Phone,
  { template }: RenderedSms,
): Promise<void> {
  const { consentProofId: id } = body;
  if (id === undefined) {
    if (template.class !== 'authentication') throw errors.consent_required();
    return;
  }
  if (!(await isInForce(ctx.trx, id, phone.number, template.class))) throw errors.consent_required();
}

/** Refuses sends that look like toll fraud, and reports them. @throws sms_recipient_limit, sms_range_limit */
async function checkLimits(ctx: OperationContext, rules: SmsRules, { number }: Phone): Promise<void> {
  // The lock lets only one transaction count at a time. Without it, concurrent calls would all stay below the limit.
  await lockWorkspace(ctx.trx);
  const since = ctx.now - limitWindowMs;
  const range = rangeOf(number);
  const refuse = (kind: 'recipient' | 'range', error: Error): never => {
    const suspicion = { workspaceId: ctx.workspace.id, kind, range };
    ctx.log.warn(suspicion, 'an SMS was refused: many in a short time look like toll fraud');
    rules.report(suspicion);
    throw error;
  };
  const extras = { retryAfterSeconds: limitWindowMs / 1_000 };
  if ((await countSentTo(ctx.trx, number, since)) >= rules.perRecipient)
    refuse('recipient', errors.sms_recipient_limit({ limit: rules.perRecipient, minutes: limitWindowMinutes }, extras));
  if ((await countOthersInRange(ctx.trx, number, range, since)) >= rules.perRange)
    refuse('range', errors.sms_range_limit({ limit: rules.perRange, minutes: limitWindowMinutes }, extras));
}

/** @throws sms_budget_exhausted */
async function spendBudget(ctx: OperationContext, segments: number): Promise<void> {
  const { monthlySmsBudget: budget, name: plan } = ctx.workspace.plan;
  const spent = await ctx.spend('sms', segments, budget);
  if (spent.exceeded) throw errors.sms_budget_exhausted({ budget, plan, renewsAt: toIsoTime(spent.renewsAt) });
}

/** The sentence for a suppressed number. */
export const suppressedSentence = (since: number): string =>
  `The recipient gets no SMS: the number has been on the suppression list since ${toIsoTime(since)}.`;

/**
 * Accepts one message to one number: suppressed, held until the end of quiet hours, or queued. The response contains the whole text.
 * @throws the errors of sms.send
 */
export async function acceptSms(ctx: OperationContext, rules: SmsRules, body: SendSmsBody): Promise<SmsPublic> {
  const settings = await loadSettings(ctx.trx);
  const rendered = await renderTemplate(ctx, settings, body.templateKey, body.variables);
  const { template, text, redacted: shownText } = rendered;
  const phone = phoneOf(body.to);
  const { segments } = measureSms(text);
  if (segments > segmentLimit) throw errors.message_too_long({ segments });
  await checkLinks(ctx, settings, rendered);
  const origin = await originOf(ctx, settings, template);
  checkCountry(settings, phone, origin);
  await checkConsent(ctx, body, phone, rendered);
  const suppression = await findSuppressed(ctx.trx, phone.number);
  const isSuppressed = suppression !== undefined;
  if (!isSuppressed && !ctx.sandbox) {
    await checkLimits(ctx, rules, phone);
    await spendBudget(ctx, segments);
  }
  const scheduledAt = isSuppressed
    ? null
    : delayedUntil(
        rules,
        settings,
        { class: template.class, country: phone.country, timeZone: body.timeZone },
        ctx.now,
      );
  const whyNotSent = isSuppressed ? suppressedSentence(Number(suppression.created_at)) : null;
  const sms: SmsRow = {
    id: ctx.newId('sms'),
    sandbox: ctx.sandbox,
    status: isSuppressed ? 'suppressed' : scheduledAt === null ? 'queued' : 'scheduled',
    template_key: template.templateKey,
    class: template.class,
    to_number: phone.number,
    number_range: rangeOf(phone.number),
    body: shownText,
    segments,
    provider: origin.provider,
    // Stored now, because a reply may arrive before the provider's response, and a reply is found by the sender that it names.
    sender: isSuppressed ? null : origin.sender,
    provider_message_id: null,
    consent_id: body.consentProofId ?? null,
    api_key_id: ctx.actor.keyId ?? null,
    why_not_sent: whyNotSent,
    handed_over_at: null,
    scheduled_at: scheduledAt,
    created_at: ctx.now,
  };
  const publicSms = storeSms(ctx, sms, text, body.timeZone);
  ctx.note({ template: sms.template_key, country: phone.country ?? '', segments });
  return { ...smsResponse(ctx, sms, publicSms), body: text };
}

/** Stores one accepted message: its row, its timeline, its event and its job. */
function storeSms(ctx: OperationContext, sms: SmsRow, text: string, timeZone: string | undefined): SmsPublic {
  const { id, sandbox, to_number: subject } = sms;
  const isSuppressed = sms.status === 'suppressed';
  const type = isSuppressed ? ('transactional.suppressed' as const) : ('sms.queued' as const);
  const item: SmsEventRow = {
    id: ctx.newId('evt'),
    sms_id: id,
    type,
    ts: ctx.now,
    details: {
      ...(sandbox ? { synthetic: true } : {}),
      ...(sms.why_not_sent === null ? {} : { reason: sms.why_not_sent }),
    },
  };
  smsRows.deferInsert(ctx.trx, sms);
  contentRows.deferInsert(ctx.trx, sealText(ctx.ports.keyring, id, text, isSuppressed ? ctx.now : null));
  eventRows.deferInsert(ctx.trx, item);
  const publicSms = presentSms(sms, [item]);
  ctx.emit(type, { ...publicSms, event: presentEvent(item) }, { synthetic: sandbox, id: item.id, subject });
  if (!isSuppressed)
    ctx.enqueue({
      kind: sandbox ? 'sms.simulate' : 'sms.deliver',
      payload: { smsId: id, ...(timeZone === undefined || sandbox ? {} : { timeZone }) },
      sandbox,
      lane: sms.class === 'authentication' ? 'urgent' : 'normal',
      subject,
      ...(sms.scheduled_at === null ? {} : { key: id, runAt: sms.scheduled_at }),
    });
  return publicSms;
}
