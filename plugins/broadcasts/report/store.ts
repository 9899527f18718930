// The report of a broadcast: facts by hour, by domain of the recipients, by variant, and clicks of people by link. Reads only.
import { filledList, toIsoTime, type WorkspaceHandle } from '../../../core/index.ts';
import type { BroadcastRow } from '../broadcasts.ts';
import { statesOf } from '../present-recipient.ts';
import { type Fact, facts } from '../schema.ts';

/** The maximum number of links and domains that a report shows. */
const maxShown = 50;
/** The maximum number of clicked mails that one statement reads (`page`), and that a report reads (`maxMails`). */
const page = 500;
const maxMails = 50_000;
const hourMs = 3_600_000;

type FactCounts = Record<Fact, number>;
const zeroCounts = (): FactCounts => Object.fromEntries(facts.map((fact) => [fact, 0])) as FactCounts;

/** The facts of each hour with at least one fact, the oldest hour first. */
export async function byHour({ db }: WorkspaceHandle, broadcastId: string) {
  const hours = new Map<number, FactCounts>();
  for (const fact of facts) {
    const column = `${fact}_at` as const;
    // Grouped by a column of a subquery, because a database treats two equal expressions with parameters as different.
    const found = db
      .selectFrom('broadcast_recipients')
      .select((row) => row(column, '-', row(column, '%', hourMs)).as('hour'))
      .where('broadcast_id', '=', broadcastId)
      .where(column, 'is not', null);
    const rows = await db
      .selectFrom(found.as('found'))
      .select(['hour', ({ fn }) => fn.countAll<number>().as('total')])
      .groupBy('hour')
      .execute();
    for (const { hour: at, total } of rows) {
      const counts = hours.get(Number(at)) ?? zeroCounts();
      counts[fact] = Number(total);
      hours.set(Number(at), counts);
    }
  }
  return [...hours].sort(([one], [other]) => one - other).map(([at, counts]) => ({ hour: toIsoTime(at), ...counts }));
}

/** The facts of accepted mails with each value of a column, the values with most mails first. */
async function factsBy({ db }: WorkspaceHandle, broadcastId: string, column: 'domain' | 'variant') {
  const rows = await db
    .selectFrom('broadcast_recipients')
    .select(`${column} as value`)
    .select(({ fn }) => [
      fn.count<number>('send_id').as('accepted'),
      fn.count<number>('delivered_at').as('delivered'),
      fn.count<number>('opened_at').as('opened'),
      fn.count<number>('clicked_at').as('clicked'),
      fn.count<number>('bounced_at').as('bounced'),
      fn.count<number>('complained_at').as('complained'),
      fn.count<number>('unsubscribed_at').as('unsubscribed'),
      fn.count<number>('converted_at').as('converted'),
    ])
    .where('broadcast_id', '=', broadcastId)
    .where('state', 'in', statesOf('accepted'))
    .groupBy(column)
    .orderBy('accepted', 'desc')
    .limit(maxShown)
    .execute();
  return rows.map(({ value, accepted, ...counts }) => ({
    value: value ?? '',
    accepted: Number(accepted),
    ...(Object.fromEntries(facts.map((fact) => [fact, Number(counts[fact])])) as FactCounts),
  }));
}

/** The facts of each domain, the domains with most recipients first. */
export const byDomain = async (handle: WorkspaceHandle, broadcastId: string) =>
  (await factsBy(handle, broadcastId, 'domain')).map(({ value: domain, ...counts }) => ({ domain, ...counts }));

/** The facts of each variant, in the order of the experiment: of its sample, and of the recipients who got it after the decision. */
export async function byVariant(handle: WorkspaceHandle, { id, experiment }: BroadcastRow) {
  if (experiment === null) return [];
  const countsByVariant = await factsBy(handle, id, 'variant');
  return experiment.variants.map(({ name: variant }) => {
    const { value: _, ...counts } = countsByVariant.find(({ value }) => value === variant) ?? {
      value: '',
      accepted: 0,
      ...zeroCounts(),
    };
    return { variant, ...counts };
  });
}

interface ClickDetails {
  readonly click?: { readonly url: string };
  readonly bot?: { readonly verdict: string };
}

/** The number of recipients who clicked each link, without bots; the most clicked first. */
export async function byLink({ db }: WorkspaceHandle, broadcastId: string) {
  const clicks = new Map<string, number>();
  let after = '';
  for (let read = 0; read < maxMails; read += page) {
    const mails = await db
      .selectFrom('broadcast_recipients')
      .select(['id', 'send_id'])
      .where('broadcast_id', '=', broadcastId)
      .where('clicked_at', 'is not', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(page)
      .execute();
    const last = mails.at(-1);
    if (last === undefined) break;
    after = last.id;
    const events = await db
      .selectFrom('send_events')
      .select(['send_id', 'details'])
      .where('send_id', 'in', filledList(mails.flatMap(({ send_id: id }) => id ?? [])))
      .where('type', '=', 'send.clicked')
      .execute();
    const countedClicks = new Set<string>();
    for (const { send_id: sendId, details } of events) {
      const { click, bot } = JSON.parse(String(details)) as ClickDetails;
      if (click === undefined || bot?.verdict === 'bot' || countedClicks.has(`${sendId} ${click.url}`)) continue;
      countedClicks.add(`${sendId} ${click.url}`);
      clicks.set(click.url, (clicks.get(click.url) ?? 0) + 1);
    }
  }
  return [...clicks]
    .map(([url, clicked]) => ({ url, clicked }))
    .sort((one, other) => other.clicked - one.clicked)
    .slice(0, maxShown);
}
