// The page of blog posts in the console: a list with filters.
import type { ConsoleContext, ConsoleMatch, ConsoleView } from '../../../core/index.ts';
import {
  dataTable,
  emptyNotice,
  filterForm,
  foundByIdOrName,
  html,
  moment,
  nameCell,
  pager,
} from '../../../core/unstable.ts';
import { postStatus } from '../schema.ts';
import { statusChoices, statusPill } from './words.ts';

const path = 'blog';
const pageSize = 50;

/** What the search of the console finds among blog posts. */
export const findPosts = ({ calls }: ConsoleContext, text: string): Promise<ConsoleMatch[]> =>
  foundByIdOrName(text, {
    prefix: 'blog',
    read: (idOrSlug) => calls.blog.read({ idOrSlug }),
    list: (page) => calls.blog.list(page),
    namesOf: ({ title, slug }) => [title, slug],
    matchOf: ({ id, title, slug }) => ({ title, detail: slug, path: `${path}/${id}` }),
  });

/** The list. */
export async function postList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { tag, cursor } = ctx.query;
  const status = postStatus.safeParse(ctx.query['status']).data;
  const { data, next_cursor: next } = await ctx.calls.blog.list({
    limit: pageSize,
    ...(status === undefined ? {} : { status }),
    ...(tag === undefined ? {} : { tag }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const filter = filterForm(ctx, path, [
    { name: 'status', label: 'State', options: statusChoices },
    { name: 'tag', label: 'Tag' },
  ]);
  const empty =
    status === undefined && tag === undefined
      ? emptyNotice(
          'A blog post is written in Markdown, and public once it is published. Create the first one through the API.',
        )
      : emptyNotice('No post matches these filters.', { text: 'Clear filters', href: ctx.link(path) });
  const rows = data.map((post) => [
    nameCell(ctx.link(`${path}/${post.id}`), post.title, post.slug),
    html`${statusPill(post)}${post.draft && post.status === 'published' ? html`<span class="below">with changes</span>` : null}`,
    html`<span dir="auto">${post.tags.join(', ')}</span>`,
    post.publishedAt === null ? '' : moment(post.publishedAt, ctx),
    moment(post.updatedAt, ctx),
  ]);
  const table =
    rows.length === 0 ? empty : dataTable('Blog posts', ['Post', 'State', 'Tags', 'Published', 'Changed'], rows);
  return { heading: 'Blog', body: html`${filter}${table}${pager(ctx, path, next)}` };
}
