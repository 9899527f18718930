import { coreErrors, defineOperation } from '../../../core/index.ts';
import { didYouMean, lockWorkspace, shortened } from '../../../core/unstable.ts';
import { strategyKind } from '../building/kinds.ts';
import { showDetail } from '../present.ts';
import { creationDetail, longestMs, spawnBody } from '../schema.ts';
import { unfinished } from '../states.ts';
import { knownChannels } from '../strategy/campaign-channels.ts';
import { type CreationRow, creationRows } from '../tables.ts';
import { makeRoom, someBrief } from './fixture-rows.ts';

/**
 * The maximum number of creations of a workspace that are drafted or built at a time, and the maximum number that begin in 24
 * hours.
 */
const maxAtOnce = 5;
const maxADay = 50;
const day = 86_400_000;

/** The `utm_campaign` of a creation: its name in a form for URLs, with the end of the id to make it unique. */
const utmOf = (name: string, id: string): string => {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '');
  return `${words || 'campaign'}-${id.slice(-4).toLowerCase()}`;
};

const nameOf = (brief: string): string => {
  const line = brief.replace(/\s+/gu, ' ').trim();
  return shortened(line, 60);
};

export const spawnCreation = defineOperation({
  id: 'creations.spawn',
  summary: 'Start a creation from a brief',
  description: `Makes a campaign of several channels. A job drafts its strategy, free of charge. After its approval, its items are built as drafts. Nothing is published, scheduled or sent. At most ${maxAtOnce} are drafted or built at a time, ${maxADay} begin in 24 hours.`,
  http: 'POST /v1/creations',
  tool: 'spawn_creation',
  scopes: ['campaigns:write'],
  idempotency: 'replay',
  input: { body: spawnBody },
  output: creationDetail,
  status: 201,
  errors: ['icp_not_found', 'limit_reached'],
  audit: { action: 'creation.spawn', target: ({ creationId }) => ({ kind: 'creation', id: creationId }) },
  fixture: async (kit) => ({
    body: await makeRoom(kit).then(() => ({ ...someBrief, name: kit.unique('Spring') })),
    foreign: {
      body: {
        icpId: (await kit.call('marketing.icp_create', { name: kit.unique('Bakers') }, kit.foreignWorkspaceId)).icpId,
      },
    },
    errors: {
      icp_not_found: async () => ({ body: { ...someBrief, icpId: 'icp_00000000000000000000000000' } }),
      limit_reached: 'unreachable here: shown in test/plugins/creations.test.ts',
    },
  }),

  async handler(ctx, { body }) {
    const { brief, objective, icpId, startsAt, endsAt, channels = [] } = body;
    const channelIds = knownChannels(ctx);
    ctx.refuse(
      channels.flatMap((channel, index) =>
        channelIds.includes(channel)
          ? []
          : [
              {
                path: `channels.${index}`,
                code: 'unknown',
                message: `There is no channel ${channel}.${didYouMean(channel, channelIds)} Available: ${channelIds.join(', ')}.`,
              },
            ],
      ),
    );
    const from = startsAt ?? ctx.now;
    if (startsAt !== undefined && startsAt < ctx.now)
      ctx.refuse([{ path: 'startsAt', code: 'out_of_range', message: 'startsAt must not have passed.' }]);
    if (endsAt !== undefined && (endsAt <= from || endsAt > from + longestMs))
      ctx.refuse([
        { path: 'endsAt', code: 'out_of_range', message: 'endsAt must be after the start, at most 180 days later.' },
      ]);
    if (icpId !== undefined && (await ctx.services.marketing.icp(ctx.trx, icpId)) === undefined)
      throw ctx.services.marketing.icpNotFound(icpId);
    // Two concurrent calls must not exceed the limit.
    await lockWorkspace(ctx.trx);
    const running = await Promise.all(unfinished.map((status) => creationRows.count(ctx.trx, { status }, maxAtOnce)));
    if (running.reduce((sum, count) => sum + count, 0) >= maxAtOnce)
      throw coreErrors.limit_reached({ limit: maxAtOnce, resources: 'creations that are drafted or built at a time' });
    const latest = await creationRows.page(ctx.trx, { limit: maxADay });
    if (latest.length === maxADay && (latest.at(-1)?.created_at ?? 0) > ctx.now - day)
      throw coreErrors.limit_reached({ limit: maxADay, resources: 'creations in 24 hours' });
    const id = ctx.newId('cre');
    const name = body.name ?? nameOf(brief);
    const row: CreationRow = {
      ...{ id, sandbox: ctx.sandbox, name, status: 'drafting_strategy', brief, channels },
      ...{ objective: objective ?? null, icp_id: icpId ?? null, starts_at: startsAt ?? null, ends_at: endsAt ?? null },
      ...{ strategy: null, utm_campaign: utmOf(name, id), revision: 0, comment: null, error: null, charged: 0 },
      ...{ spawned_by: ctx.actor, may_link: ctx.holds('links:write'), completes_at: null, ended_at: null },
      ...{ created_at: ctx.now, updated_at: ctx.now },
    };
    await creationRows.insert(ctx.trx, row);
    ctx.enqueue({ kind: strategyKind, payload: { creationId: id, revision: 0 }, key: id });
    return showDetail(ctx, row);
  },
});
