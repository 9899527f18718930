// Lists the entries of the plan in a time span, from all composed plugins.
import type { ReadContext, TimeSpan } from '../../../core/index.ts';
import { shortened } from '../../../core/unstable.ts';
import type { BlogService } from '../../blog/index.ts';
import type { PagesService } from '../../pages/index.ts';

export const entryKinds = ['post', 'hold', 'planned_email', 'blog_post', 'page'] as const;

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

type Source = (ctx: ReadContext, span: TimeSpan) => Promise<readonly PlanEntry[]>;

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

const emails: Source = async ({ services, trx }, span) =>
  (await services.campaigns.plannedBetween(trx, span)).map(({ id, name, schedule_at: at, status }) => ({
    ...{ kind: 'planned_email' as const, id, title: name, at, status, channels: ['email'] },
  }));

const blogPosts: Source = async ({ services, trx }, span) => {
  const blog: BlogService | undefined = services.blog;
  const rows = (await blog?.publishedBetween(trx, span)) ?? [];
  return rows.map(({ id, title, published_at: at, status }) => ({
    ...{ kind: 'blog_post' as const, id, title, at: at ?? 0, status, channels: ['blog'] },
  }));
};

const pages: Source = async ({ services, trx }, span) => {
  const all: PagesService | undefined = services.pages;
  const rows = (await all?.publishedBetween(trx, span)) ?? [];
  return rows.map(({ id, title, published_at: at, status }) => ({
    ...{ kind: 'page' as const, id, title, at: at ?? 0, status, channels: ['page'] },
  }));
};

/** The sources of entries, each with the scope that reading them needs. */
const sources: readonly { readonly scope: string; readonly read: Source }[] = [
  { scope: 'social:posts:read', read: posts },
  { scope: 'campaigns:read', read: emails },
  { scope: 'pages:read', read: blogPosts },
  { scope: 'pages:read', read: pages },
];

/** The entries of a time span that the caller may read, earliest first. */
export async function entriesBetween(
  ctx: ReadContext,
  span: TimeSpan,
  holds: (scope: string) => boolean,
): Promise<readonly PlanEntry[]> {
  const found: PlanEntry[] = [];
  for (const { scope, read } of sources) if (holds(scope)) found.push(...(await read(ctx, span)));
  return found.sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1)).slice(0, span.limit);
}
