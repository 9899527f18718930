// The page of blog posts in the console: a list with filters, and the form that composes a post from a brief.
import type { ConsoleAction, ConsoleContext, ConsoleMatch, ConsoleView } from '../../../core/index.ts';
import {
  actionForm,
  clearFilters,
  emptyNotice,
  filterForm,
  foundByIdOrName,
  type Html,
  html,
  moment,
  pager,
  picturedList,
  picturedPageSize,
  viewName,
  viewTabs,
} from '../../../core/unstable.ts';
import { assetPicture } from '../../kit/asset-picture.ts';
import { composePrice, postStatus } from '../schema.ts';
import { statusChoices, statusPill } from './words.ts';

const path = 'blog';

/** The blog posts that a search of the console finds. */
export const findPosts = ({ calls }: ConsoleContext, text: string): Promise<ConsoleMatch[]> =>
  foundByIdOrName(text, {
    prefix: 'blog',
    read: (idOrSlug) => calls.blog.read({ idOrSlug }),
    list: (page) => calls.blog.list(page),
    namesOf: ({ title, slug }) => [title, slug],
    matchOf: ({ id, title, slug }) => ({ title, detail: slug, path: `${path}/${id}` }),
  });

/** The form that composes a post from a brief; null if the person may not use it. */
const composeForm = (ctx: ConsoleContext): Html | null =>
  ctx.mayCall('blog.create')
    ? actionForm(ctx, 'compose', {
        label: 'New post from a brief',
        question: `Say what the post is about and for whom. You get a draft in the voice of the default brand, for ${composePrice} credits. Nobody sees it before it is published.`,
        verb: 'Write the draft',
        inputs: [
          { name: 'brief', label: 'Brief', isLong: true, isRequired: true, maxLength: 8_000 },
          { name: 'title', label: 'Title (chosen for you, if empty)', maxLength: 200 },
        ],
      })
    : null;

/** Composes a post from a brief. */
export const composeAction: ConsoleAction = {
  async leadTo({ calls }, { idempotencyKey, fields: { brief = '', title = '' } }) {
    const ownTitle = title.trim();
    const { id } = await calls.blog.create(
      { brief, ...(ownTitle === '' ? {} : { title: ownTitle }) },
      { idempotencyKey },
    );
    return `${path}/${id}`;
  },
};

export async function postList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { tag, cursor } = ctx.query;
  const status = postStatus.safeParse(ctx.query['status']).data;
  const { data, next_cursor: next } = await ctx.calls.blog.list({
    limit: picturedPageSize(ctx),
    ...(status === undefined ? {} : { status }),
    ...(tag === undefined ? {} : { tag }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const filter = filterForm(
    ctx,
    path,
    [
      { name: 'status', label: 'State', options: statusChoices },
      { name: 'tag', label: 'Tag' },
    ],
    [viewName],
  );
  const empty =
    status === undefined && tag === undefined
      ? emptyNotice('A blog post is written in Markdown, and public once it is published.')
      : emptyNotice('No post matches these filters.', clearFilters(ctx, path));
  const rows = data.map((post) => {
    const status = html`${statusPill(post)}${post.draft && post.status === 'published' ? html`<span class="below">with changes</span>` : null}`;
    return {
      href: ctx.link(`${path}/${post.id}`),
      name: post.title,
      below: post.slug,
      picture: assetPicture(ctx, post.coverAssetId ?? post.ogAssetId, `The cover of ${post.title}`),
      status,
      cells: [
        status,
        html`<span dir="auto">${post.tags.join(', ')}</span>`,
        post.language ?? '',
        post.publishedAt === null ? '' : moment(post.publishedAt, ctx),
        moment(post.updatedAt, ctx),
      ],
    };
  });
  const table =
    rows.length === 0
      ? empty
      : picturedList(ctx, 'Blog posts', ['Post', 'State', 'Tags', 'Language', 'Published', 'Changed'], rows);
  return {
    heading: 'Blog',
    body: html`${composeForm(ctx)}${filter}${viewTabs(ctx, path)}${table}${pager(ctx, path, next)}`,
  };
}
