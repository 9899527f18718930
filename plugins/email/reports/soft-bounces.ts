// Soft bounces that repeat: an address whose mail came back on several days gets no marketing mail for a while. One soft bounce
// says little, because a mailbox may be full for a day. Called by send-reports.ts after a soft bounce was recorded.
import type { TransactionContext } from '../../../core/index.ts';
import { type BounceDetails, isGreylisting } from '../port/index.ts';
import { listSoftBounces } from '../store.ts';
import type { SendRow } from '../tables.ts';
import { happenedAt } from '../timeline/occurred-at.ts';
import { hasPseudonym } from '../timeline/record.ts';

/** The rule by which soft bounces suppress marketing mail to an address. */
export interface SoftBounceOptions {
  /** The number of different mails that came back, on as many different days (UTC), by the provider's clock. (Default: 3) */
  readonly mails?: number;
  /** The days within which they came back. (Default: 14) */
  readonly withinDays?: number;
  /** The number of days for which the address then gets no marketing mail. (Default: 30) */
  readonly pauseDays?: number;
}

/** The complete rule; undefined if soft bounces never suppress. */
export type SoftBounceRule = Required<SoftBounceOptions> | undefined;

const dayMs = 86_400_000;

/** @throws TypeError for numbers that are not whole and above 0 */
export function softBounceRule(options: SoftBounceOptions | false | undefined): SoftBounceRule {
  if (options === false) return undefined;
  const rule = { mails: 3, withinDays: 14, pauseDays: 30, ...options };
  for (const [name, value] of Object.entries(rule)) {
    if (!Number.isInteger(value) || value < 1 || value > 1_000)
      throw new TypeError(`emailPlugin: \`softBounces.${name}\` must be a whole number from 1 to 1,000.`);
  }
  return rule;
}

type CountedBounce = Pick<BounceDetails, 'class' | 'subType' | 'diagnostic'>;

/** The subtypes that may be the mailbox's fault. Blocks, rate limits and refused content are the sender's fault. */
const ofMailbox: ReadonlySet<BounceDetails['subType']> = new Set([
  'general',
  'no_mailbox',
  'mailbox_full',
  'dns_failure',
]);

/** Whether a bounce counts. Greylisting does not count, because it says nothing about the mailbox. */
const isCounted = ({ class: kind, subType, diagnostic }: CountedBounce): boolean =>
  kind === 'soft' && ofMailbox.has(subType) && !isGreylisting(diagnostic);

/**
 * Suppresses marketing mail to the recipient of this send if it is the last of enough soft bounces. `at`: when it bounced by the
 * provider's clock. (Default: now)
 */
export async function pauseAfterSoftBounces(
  ctx: TransactionContext,
  send: SendRow,
  { bounce, at }: { readonly bounce: CountedBounce; readonly at?: number | undefined },
  rule: SoftBounceRule,
): Promise<void> {
  if (rule === undefined || !isCounted(bounce)) return;
  const { now } = ctx;
  const bouncedAt = at ?? now;
  const since = now - rule.withinDays * dayMs;
  if (bouncedAt < since) return;
  const softBounces = await listSoftBounces(ctx.trx, send.to_normalised, since);
  const countedBounces = softBounces.filter(({ details }) => details.bounce !== undefined && isCounted(details.bounce));
  // The entry of this bounce may not be stored yet, because its write is deferred. The bounce is counted separately below.
  const otherBounces = countedBounces.filter(({ send_id: id }) => id !== send.id);
  const mails = new Set([send.id, ...otherBounces.map(({ send_id: id }) => id)]);
  const days = new Set([bouncedAt, ...otherBounces.map(happenedAt)].map((time) => Math.floor(time / dayMs)));
  if (mails.size < rule.mails || days.size < rule.mails) return;
  await ctx.services.suppressions.add(ctx, {
    email: send.to_address,
    reason: 'soft_bounces',
    scope: 'marketing',
    sendId: send.id,
    note: hasPseudonym(send) ? null : bounce.diagnostic,
    expiresAt: now + rule.pauseDays * dayMs,
  });
}
