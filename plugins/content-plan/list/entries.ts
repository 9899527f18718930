// Lists the entries of the plan in a time span, from all composed plugins.
import type { ReadContext, TimeSpan } from '../../../core/index.ts';
import { shortened } from '../../../core/unstable.ts';
import type { BlogService } from '../../blog/index.ts';
import type { BroadcastsService } from '../../broadcasts/index.ts';
import type { PagesService } from '../../pages/index.ts';

export const entryKinds = ['post', 'hold', 'planned_email', 'broadcast', 'blog_post', 'page'] as const;

/** An entry of the plan. */
export interface PlanEntry {
  readonly kind: (typeof entryKinds)[number];
  readonly id: string;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly status: string;
  readonly channels: readonly string[];
}

type Holds = (scope: string) => boolean;
type Source = (ctx: ReadContext, span: TimeSpan, holds: Holds) => Promise<readonly PlanEntry[]>;

/** The first line of a text. */
function titleOf(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return shortened(line, 200);
}

const posts: Source = async ({ services, trx }, span) =>
  (await services.social.plannedBetween(trx, span)).map(({ post, at }) => ({
    kind: post.planning_kind,
    id: post.id,
    title: titleOf(post.content.caption || (post.brief ?? '')),
    at,
    status: post.status,
    channels: post.content.channels,
  }));

const broadcastsScope = 'broadcasts:read';

/** Planned emails. If one has a broadcast, callers who may see broadcasts get the broadcast in its place. */
const emails: Source = async ({ services, trx }, span, holds) => {
  const rows = await services.campaigns.plannedBetween(trx, span, { withBroadcast: !holds(broadcastsScope) });
  return rows.map(({ id, name, schedule_at: at, status }) => ({
    ...{ kind: 'planned_email' as const, id, title: name, at, status, channels: ['email'] },
  }));
};

const mailings: Source = async ({ services, trx }, span) => {
  const broadcasts: BroadcastsService | undefined = services.broadcasts;
  const rows = (await broadcasts?.plannedBetween(trx, span)) ?? [];
  return rows.map(({ id, name, at, status }) => ({
    ...{ kind: 'broadcast' as const, id, title: name, at, status, channels: ['email'] },
  }));
};

const blogPosts: Source = async ({ services, trx }, span) => {
  const blog: BlogService | undefined = services.blog;
  const rows = (await blog?.publishedBetween(trx, span)) ?? [];
  return rows.map(({ id, title, published_at: at, status }) => ({
    ...{ kind: 'blog_post' as const, id, title, at: at ?? 0, status, channels: ['blog'] },
  }));
};

const pages: Source = async ({ services, trx }, span) => {
  const pagesService: PagesService | undefined = services.pages;
  const rows = (await pagesService?.publishedBetween(trx, span)) ?? [];
  return rows.map(({ id, title, published_at: at, status }) => ({
    ...{ kind: 'page' as const, id, title, at: at ?? 0, status, channels: ['page'] },
  }));
};

/** The sources of entries, each with the scope that reading them needs. */
const sources: readonly { readonly scope: string; readonly read: Source }[] = [
  { scope: 'social:posts:read', read: posts },
  { scope: 'campaigns:read', read: emails },
  { scope: broadcastsScope, read: mailings },
  { scope: 'pages:read', read: blogPosts },
  { scope: 'pages:read', read: pages },
];

/** The entries of a time span that the caller may read, earliest first. */
export async function entriesBetween(ctx: ReadContext, span: TimeSpan, holds: Holds): Promise<readonly PlanEntry[]> {
  const entries: PlanEntry[] = [];
  for (const { scope, read } of sources) if (holds(scope)) entries.push(...(await read(ctx, span, holds)));
  return entries.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)).slice(0, span.limit);
}
