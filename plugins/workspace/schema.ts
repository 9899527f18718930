import { isoTime, mailbox, z } from '../../core/index.ts';
import { leashResource } from '../../core/unstable.ts';

const remaining = z
  .object({
    amount: z.int().describe('The remaining amount now.'),
    renewsAt: isoTime
      .nullable()
      .describe('When a part of the used amount becomes available again. Null: nothing was used.'),
  })
  .optional();

/** The limits of the caller's key (its leash), with the remaining amounts. */
const callerLeash = leashResource
  .extend({
    left: z
      .object({ sendsPerHour: remaining, recipientsPerDay: remaining, creditsPerDay: remaining })
      .describe('The remaining amount of each limit that the leash sets.'),
  })
  .meta({ id: 'CallerLeash' });

export const workspaceResource = z
  .object({
    id: z.string().describe('Prefix ws_.'),
    name: z.string(),
    plan: z.string().describe('embedded, sandbox, hobby, pro, scale, enterprise, or a plan of the embedding program.'),
    created_at: isoTime,
    limits: z.object({
      monthly_send_budget: z.int().nullable().describe('Sends a month (UTC). Null: unlimited.'),
      rate_limit_per_minute: z.int().nullable().describe('Requests a minute over all keys. Null: unlimited.'),
    }),
    default_from: mailbox,
    usage: z.object({
      sends_this_month: z
        .int()
        .describe('Counted sends of this month (UTC); sandbox and suppressed ones do not count.'),
      credits_balance: z
        .int()
        .nullable()
        .describe(
          'Remaining credits: those that the plan grants this month, and additionally granted credits. Null: unlimited.',
        ),
    }),
    leash: callerLeash.optional().describe('The leash of the calling key, if it has one.'),
    features: z.array(z.string()).describe('The composed feature areas.'),
  })
  .meta({ id: 'Workspace' });

export const memberResource = z
  .object({ uid: z.string(), name: z.string(), email: z.string(), role: z.string() })
  .meta({ id: 'WorkspaceMember' });
