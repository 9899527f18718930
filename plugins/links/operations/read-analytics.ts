import { coreErrors, defineOperation, idParameter, isoTime, toIsoTime, z } from '../../../core/index.ts';
import { planOfTier } from '../../../core/unstable.ts';
import { errors } from '../errors.ts';
import { cardKeys } from '../rollups/card.ts';
import { cardReader, plainCards } from '../rollups/cards.ts';
import { linkRows } from '../tables.ts';
import { someLink } from './fixture-rows.ts';

/** The lowest tier with all cards. */
const allCardsTier = 2;
const count = z.int().nonnegative();

export const analyticsCard = z
  .object({
    cardKey: z.enum(cardKeys),
    days: z.int(),
    generatedAt: isoTime,
    rows: z.array(
      z.object({
        value: z.string().describe('A day (UTC), country, host, device …; total in the overview.'),
        field: z.string().optional().describe('In the card utm: the field of the value.'),
        clicks: count.describe('Clicks of people.'),
        unique: count.describe('Different visitors, counted separately for each day.'),
        bots: count.describe('Programs and prefetches: in overview and timeseries only.'),
      }),
    ),
  })
  .meta({ id: 'LinkAnalyticsCard' });

export const readAnalytics = defineOperation({
  id: 'links.analytics',
  summary: 'Read click analytics',
  description: `One card or, without cardKey, all cards of the plan: ${plainCards.join(' and ')} on every plan, the others from the plan ${planOfTier(allCardsTier)} up. Without linkId, the cards cover all links. Clicks appear in the cards within a few seconds; with forceRefresh at once, and clicks that another process received half a second later.`,
  http: 'GET /v1/links/analytics',
  tool: 'read_link_analytics',
  searchWords: ['qr', 'scans', 'flyer', 'poster'],
  scopes: ['links:read'],
  idempotency: 'read',
  input: {
    query: z.object({
      cardKey: z.enum(cardKeys).optional(),
      linkId: idParameter('lnk').optional(),
      days: z.coerce.number().int().min(1).max(400).default(30).describe('Today and the days before it (UTC).'),
      forceRefresh: z.stringbool().default(false).describe('Adds clicks that are not summed yet.'),
    }),
  },
  output: z.object({ cards: z.array(analyticsCard) }),
  errors: ['link_not_found', 'plan_required'],
  fixture: async (kit) => ({
    query: { linkId: await someLink(kit, kit.workspaceId), days: '7' },
    foreign: { query: { linkId: await someLink(kit, kit.foreignWorkspaceId) } },
    errors: { plan_required: 'unreachable here: shown in test/plugins/links-analytics.test.ts' },
  }),

  /**
   * Writes the clicks that wait in this process. If the write fails, the buffer logs the error and retries, and the cards lack
   * these clicks.
   */
  async computeBefore(ctx, { query: { forceRefresh } }) {
    if (forceRefresh) await ctx.services.linkClicks.flush().catch(() => undefined);
  },

  async handler(ctx, { query: { cardKey, linkId, days, forceRefresh } }) {
    const hasAllCards = ctx.workspace.plan.tier >= allCardsTier || ctx.workspace.plan.name === 'sandbox';
    if (cardKey !== undefined && !hasAllCards && !plainCards.includes(cardKey))
      throw coreErrors.plan_required({ plan: planOfTier(allCardsTier), what: `The card ${cardKey}` });
    if (linkId !== undefined && (await linkRows.find(ctx.trx, linkId)) === undefined)
      throw errors.link_not_found({ id: linkId });
    const reader = await cardReader(ctx.trx, { linkId, days, now: ctx.now }, forceRefresh);
    const keys = cardKey === undefined ? (hasAllCards ? cardKeys : plainCards) : [cardKey];
    const cards = [];
    for (const key of keys)
      cards.push({ cardKey: key, days, generatedAt: toIsoTime(ctx.now), rows: [...(await reader.read(key))] });
    return { cards };
  },
});
