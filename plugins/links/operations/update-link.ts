import { coreErrors, defineOperation, idParameter, type OperationContext, z } from '../../../core/index.ts';
import { checkLater } from '../abuse/check-later.ts';
import { firstState } from '../abuse/first-state.ts';
import { setAbuse } from '../abuse/set-abuse.ts';
import { checkDestinations, checkTimes } from '../checks.ts';
import { destinationsOf } from '../choose-rule.ts';
import { errors } from '../errors.ts';
import { announce } from '../events.ts';
import { hashPassword } from '../password.ts';
import { type LinkChanges, linkChanges, linkResource, utmHints } from '../schema.ts';
import { countUtm } from '../store.ts';
import { type LinkRow, linkRows } from '../tables.ts';
import { someLink } from './fixture-rows.ts';

const clearable = ['password', 'expiresAt', 'scheduledGoLiveAt', 'routeRules'] as const;
const flagOf = {
  password: 'clearPassword',
  expiresAt: 'clearExpiresAt',
  scheduledGoLiveAt: 'clearScheduledGoLiveAt',
  routeRules: 'clearRouteRules',
} as const;

export const updateLink = defineOperation({
  id: 'links.update',
  summary: 'Change a short link',
  description:
    'Missing fields stay; a clear flag removes a value. Slug and domain never change. The change takes effect at once in this process, and within a second in other processes. New destinations are checked like those of a new link.',
  http: 'PATCH /v1/links/{linkId}',
  tool: { name: 'update_short_link', destructive: true },
  scopes: ['links:write'],
  idempotency: 'replay',
  input: { params: z.object({ linkId: idParameter('lnk') }), body: z.object(linkChanges) },
  fieldHints: utmHints,
  output: linkResource,
  errors: ['link_not_found', 'state_conflict'],
  emits: ['link.updated', 'link.abuse_flagged', 'link.disabled_for_abuse', 'link.reinstated'],
  audit: { action: 'link.update', target: ({ linkId }) => ({ kind: 'link', id: linkId }) },
  fixture: async (kit) => ({
    params: { linkId: await someLink(kit, kit.workspaceId) },
    body: { label: 'Spring sale, extended', expiresAt: '2126-06-30T22:00:00Z', tags: ['newsletter', 'spring'] },
    foreign: {
      params: { linkId: await someLink(kit, kit.foreignWorkspaceId) },
      body: { campaignId: 'skipped: the caller chooses the text, and no row has it as its id' },
    },
    errors: {
      state_conflict: async (own) => {
        const linkId = await someLink(own, own.workspaceId);
        await own.call('links.archive', { linkId }, own.workspaceId);
        return { params: { linkId } };
      },
    },
  }),

  async handler(ctx, { params: { linkId }, body }) {
    ctx.refuse(
      clearable
        .filter((field) => body[field] !== undefined && body[flagOf[field]] === true)
        .map((field) => ({ path: field, code: 'conflict', message: `Give ${field} or ${flagOf[field]}, not both.` })),
    );
    const row = await linkRows.lock(ctx.trx, linkId);
    if (row === undefined) throw errors.link_not_found({ id: linkId });
    if (row.archived_at !== null)
      throw coreErrors.state_conflict({ reason: 'The link is archived. Create another one.', allowed: ['links.read'] });
    const changed = await linkRows.change(ctx.trx, row, { ...changesOf(row, body), updated_at: ctx.now });
    checkTimes({ goLiveAt: changed.go_live_at, expiresAt: changed.expires_at });
    await countUtm(ctx.trx, changed.utm, row.utm, ctx.now);
    const checkedRow = await checkNewDestinations(ctx, row, changed);
    ctx.afterCommit(() => ctx.services.linkTargets.forget(checkedRow));
    return announce(ctx, 'link.updated', checkedRow);
  },
});

function changesOf(row: LinkRow, body: LinkChanges): Partial<LinkRow> {
  const valueOrCleared = <T>(flag: boolean | undefined, value: T | undefined, empty: T): T | undefined =>
    flag === true ? empty : value;
  const password = body.password === undefined ? undefined : hashPassword(body.password);
  const changes = {
    destination_url: body.destinationUrl,
    label: body.label,
    campaign_id: body.campaignId,
    tags: body.tags,
    utm: body.utm,
    password: valueOrCleared<Uint8Array | null>(body.clearPassword, password, null),
    expires_at: valueOrCleared<number | null>(body.clearExpiresAt, body.expiresAt, null),
    go_live_at: valueOrCleared<number | null>(body.clearScheduledGoLiveAt, body.scheduledGoLiveAt, null),
    route_rules: valueOrCleared(body.clearRouteRules, body.routeRules, []),
  };
  const changedFields = Object.entries(changes).filter(([, value]) => value !== undefined);
  return changedFields.length === 0 ? { label: row.label } : (Object.fromEntries(changedFields) as Partial<LinkRow>);
}

/**
 * Checks new destinations and queues the block-list check. A host that mixes scripts is held at once, unless the program set the
 * state.
 */
async function checkNewDestinations(ctx: OperationContext, before: LinkRow, row: LinkRow): Promise<LinkRow> {
  const urls = destinationsOf(row.destination_url, row.route_rules);
  const earlierUrls = destinationsOf(before.destination_url, before.route_rules);
  if (urls.length === earlierUrls.length && urls.every((url) => earlierUrls.includes(url))) return row;
  const rules = row.route_rules.map(({ destinationUrl }) => destinationUrl);
  checkDestinations([row.destination_url, ...rules], await ctx.services.links.domainsOf(ctx.trx), ctx.ports.service);
  const newState = firstState(urls);
  checkLater(ctx, row);
  // A disabled link stays disabled until the block list has checked its new destinations.
  return row.abuse_by === 'program' || newState.abuse === 'none' ? row : setAbuse(ctx, row, newState);
}
