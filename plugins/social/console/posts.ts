// The list of social posts in the console.
import type { ConsoleContext, ConsoleMatch, ConsoleView } from '../../../core/index.ts';
import {
  clearFilters,
  dataTable,
  emptyNotice,
  filterForm,
  foundByIdOrName,
  html,
  moment,
  nameCell,
  pager,
} from '../../../core/unstable.ts';
import { isPostStatus, nameOfPost, postPill, stateChoices, timeOfPost, viewLinks } from './parts.ts';

const path = 'social/posts';
const pageSize = 50;

/** The social posts that a search of the console finds. */
export const findPosts = ({ calls }: ConsoleContext, text: string): Promise<ConsoleMatch[]> =>
  foundByIdOrName(text, {
    prefix: 'soc',
    read: (id) => calls.social.postRead({ postId: id }),
    list: (page) => calls.social.posts(page),
    namesOf: ({ caption, brief }) => [caption, brief],
    matchOf: (post) => ({ title: nameOfPost(post), path: `${path}/${post.id}` }),
  });

export async function postList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { status, channel, cursor } = ctx.query;
  const { data, next_cursor: next } = await ctx.calls.social.posts({
    limit: pageSize,
    ...(status !== undefined && isPostStatus(status) ? { status } : {}),
    ...(channel === undefined ? {} : { channelId: channel.trim().toLowerCase() }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const filter = filterForm(ctx, path, [
    { name: 'status', label: 'State', options: stateChoices, none: 'All but deleted' },
    { name: 'channel', label: 'Network, such as linkedin' },
  ]);
  const empty =
    status === undefined && channel === undefined
      ? emptyNotice(
          'A post is one text for the social networks of the company. Your product creates the first one through the API.',
        )
      : emptyNotice('No post matches these filters.', clearFilters(ctx, path));
  const rows = data.map((post) => {
    const at = timeOfPost(post);
    return [
      nameCell(ctx.link(`${path}/${post.id}`), nameOfPost(post), post.channels.join(', ')),
      html`${postPill(post)}`,
      at === null ? '' : moment(at, ctx),
      moment(post.updatedAt, ctx),
    ];
  });
  const table = data.length === 0 ? empty : dataTable('Posts', ['Post', 'State', 'When', 'Changed'], rows);
  return { heading: 'Posts', body: html`${viewLinks(ctx, 'posts')}${filter}${table}${pager(ctx, path, next)}` };
}
