// The page of one social post in the console: its text, problems and result on each network, and its settings.
import { type ConsoleContext, type ConsoleView, isPostriderError } from '../../../core/index.ts';
import {
  conclusion,
  detailLayout,
  facts,
  type Html,
  type HtmlPart,
  html,
  idOfRow,
  moment,
  panel,
  withMoments,
} from '../../../core/unstable.ts';
import type { SocialNetworkView, SocialPost } from '../resources.ts';
import { nameOfPost, postPill, targetPill } from './parts.ts';

type Target = SocialPost['targets'][number];

const words = (text: string): Html => html`<p class="words" dir="auto">${text}</p>`;

/** The accounts that were connected at the last refresh, by their references. */
async function accountsOf(ctx: ConsoleContext): Promise<ReadonlyMap<string, SocialNetworkView>> {
  const { data } = await ctx.calls.social.networks({ limit: 100 });
  return new Map(data.map((account) => [account.accountRef, account]));
}

/** The URL of an attachment's file; undefined if the file was deleted or the person may not read it. */
async function fileUrl(ctx: ConsoleContext, assetId: string): Promise<string | undefined> {
  if (!ctx.mayCall('assets.read')) return undefined;
  try {
    return (await ctx.calls.assets.read({ assetId })).url ?? undefined;
  } catch (error) {
    if (isPostriderError(error) && error.status === 404) return undefined;
    throw error;
  }
}

const kinds: Readonly<Record<SocialPost['media'][number]['kind'], string>> = {
  image: 'Picture',
  video: 'Video',
  gif: 'GIF',
};

async function mediaPanel(ctx: ConsoleContext, { media }: SocialPost): Promise<Html | null> {
  if (media.length === 0) return null;
  const items = await Promise.all(
    media.map(async ({ kind, assetId, alt }) => {
      const url = await fileUrl(ctx, assetId);
      const name = url === undefined ? kinds[kind] : html`<a href="${url}">${kinds[kind]}</a>`;
      return html`<li dir="auto">${name}: ${alt || 'without alternative text'}</li>`;
    }),
  );
  return panel('Attachments', html`<ul>${items}</ul>`);
}

/** The problems of the post on a network, and the error of its last publication there. */
function faultsOf({ problems }: SocialPost, { channelId, error }: Target): Html[] {
  const texts = problems.filter((problem) => problem.channelId === channelId);
  return [...texts, ...(error === null ? [] : [error])].map(({ code, message }) =>
    conclusion('bad', message, html`<code>${code}</code>`),
  );
}

/** The post on one network. */
function targetPanel(post: SocialPost, target: Target, account: SocialNetworkView | undefined): Html {
  const { channelId, url } = target;
  const liveLink =
    url !== null && /^https?:/.test(url) ? html` · <a rel="noreferrer" href="${url}">Open the post</a>` : null;
  const name =
    account === undefined
      ? 'No account'
      : `${account.displayName}${account.handle === '' ? '' : ` · @${account.handle}`}`;
  const settings = Object.entries(post.channelSettings[channelId] ?? {});
  return panel(
    channelId,
    html`<p class="quiet" dir="auto">${name}</p><p>${targetPill(target)}${liveLink}</p>${words(post.channelCaptions[channelId] ?? post.caption)}${settings.length === 0 ? null : facts(settings)}${faultsOf(post, target)}`,
  );
}

const threadPanel = ({ threadTweets }: SocialPost): Html | null =>
  threadTweets.length === 0 ? null : panel('The thread continues with', html`${threadTweets.map(words)}`);

const timeText = (ctx: ConsoleContext, time: string | null): HtmlPart =>
  time === null ? undefined : moment(time, ctx);

export async function postPage(ctx: ConsoleContext): Promise<ConsoleView> {
  const post = await ctx.calls.social.postRead({ postId: ctx.params['postId'] ?? '' });
  const { id, planningKind, brief, plannedAt, scheduledAt, publishedAt, approval, linkUrl, hashtags } = post;
  const accounts = await accountsOf(ctx);
  const postFacts = facts([
    ['Published', timeText(ctx, publishedAt)],
    ['Scheduled for', publishedAt === null ? timeText(ctx, scheduledAt) : undefined],
    ['Planned for', timeText(ctx, plannedAt)],
    ['Link', linkUrl === null ? undefined : html`<a rel="noreferrer" href="${linkUrl}">${linkUrl}</a>`],
    ['Hashtags', hashtags.map((tag) => `#${tag}`).join(' ')],
    ['Approval', approval === null ? undefined : `${approval.requestId}, ${approval.status}`],
    ['Assigned to', post.assigneeUid],
    ['Credits', post.credits.charged === 0 ? undefined : post.credits.charged],
    ['Created', moment(post.createdAt, ctx)],
    ['Changed', moment(post.updatedAt, ctx)],
    ['Id', idOfRow(id)],
  ]);
  const holdNotice =
    planningKind === 'hold'
      ? conclusion(
          'info',
          withMoments(
            `This post reserves a time in the plan${plannedAt === null ? '' : `: ${plannedAt}`}. Nothing is published then.`,
            ctx,
          ),
        )
      : null;
  const targets = post.targets.map((target) => targetPanel(post, target, accounts.get(target.accountRef ?? '')));
  const main = [
    holdNotice,
    brief === null ? null : panel('Brief', words(brief)),
    targets,
    threadPanel(post),
    await mediaPanel(ctx, post),
  ];
  return { heading: nameOfPost(post), status: postPill(post), body: detailLayout(main, panel('Post', postFacts)) };
}
