// Creates a link in a transaction, for links.create and for other plugins, at the same price and with the same checks.
import { coreErrors, type TransactionContext } from '../../core/index.ts';
import { checkLater } from './abuse/check-later.ts';
import { firstState } from './abuse/first-state.ts';
import { checkDestinations, checkShortHost, checkTimes } from './checks.ts';
import { destinationsOf } from './choose-rule.ts';
import { domainOf } from './domain-choice.ts';
import { announce } from './events.ts';
import type { LinksOptions } from './options.ts';
import { hashPassword } from './password.ts';
import type { NewLink } from './schema.ts';
import { isReserved, randomSlug } from './slug.ts';
import { countUtm } from './store.ts';
import { type LinkRow, linkRows } from './tables.ts';

/** The price of a link, in credits. */
export const defaultPrice = 1;

/** The number of attempts for a random slug. At a million links, fewer than one slug in a million collides. */
const tries = 6;

/** @throws validation_failed, domain_not_allowed, plan_required, slug_taken, credits_exhausted, state_conflict */
export async function createLink(ctx: TransactionContext, options: LinksOptions, link: NewLink): Promise<LinkRow> {
  const { trx, now } = ctx;
  const { services, ports } = ctx;
  if (link.slug !== undefined && isReserved(link.slug))
    throw coreErrors.validation_failed(
      { summary: `The slug ${link.slug} is reserved. Choose another, or leave it out.` },
      { details: [{ path: 'slug', code: 'reserved', message: 'It is reserved.' }] },
    );
  checkTimes({ goLiveAt: link.scheduledGoLiveAt ?? null, expiresAt: link.expiresAt ?? null });
  const ownDomains = await services.links.domainsOf(trx);
  const domain = domainOf(ctx.workspace, link.domain, ownDomains);
  if (domain === '') checkShortHost(options, ports.service);
  const rules = link.routeRules ?? [];
  checkDestinations(
    [link.destinationUrl, ...rules.map(({ destinationUrl }) => destinationUrl)],
    ownDomains,
    ports.service,
  );
  await ctx.charge(services.links.price, 'links.create');
  const newLink: Omit<LinkRow, 'slug'> = {
    id: ctx.newId('lnk'),
    sandbox: trx.sandbox ?? ctx.sandbox,
    domain,
    slug_owner: domain === '' ? '' : ctx.workspace.id,
    destination_url: link.destinationUrl,
    label: link.label ?? null,
    campaign_id: link.campaignId ?? null,
    tags: link.tags ?? [],
    utm: link.utm ?? {},
    route_rules: rules,
    password: link.password === undefined ? null : hashPassword(link.password),
    go_live_at: link.scheduledGoLiveAt ?? null,
    expires_at: link.expiresAt ?? null,
    archived_at: null,
    ...firstState(destinationsOf(link.destinationUrl, rules)),
    created_at: now,
    updated_at: now,
  };
  const row = await insert(ctx, newLink, link.slug, () => randomSlug(ports));
  await countUtm(trx, row.utm, {}, now);
  checkLater(ctx, row);
  await announce(ctx, 'link.created', row);
  if (row.abuse === 'held') {
    await announce(ctx, 'link.abuse_flagged', row);
    ctx.audit('link.abuse_flagged', { kind: 'link', id: row.id }, { by: 'check' });
  }
  ctx.afterCommit(() => services.linkTargets.forget(row));
  return row;
}

async function insert(
  { trx }: TransactionContext,
  fields: Omit<LinkRow, 'slug'>,
  slug: string | undefined,
  newSlug: () => string,
): Promise<LinkRow> {
  for (let triesLeft = slug === undefined ? tries : 1; triesLeft > 0; triesLeft -= 1) {
    const row: LinkRow = { ...fields, slug: slug ?? newSlug() };
    if (await linkRows.insertUnlessTaken(trx, row)) return row;
  }
  throw coreErrors.slug_taken({ slug: slug ?? '', resource: 'link', optional: true });
}
