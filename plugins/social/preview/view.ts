// The preview of a post for the members who decide on it: a card for each network, with its account and settings, and when it goes out.
// The `before` view shows the targets that are live already.
import type { ContentPreview, ContentPreviewContext, ContentPreviewRequest } from '../../../core/index.ts';
import { type Html, html, pageFrame } from '../../../core/unstable.ts';
import { type AssetMap, findMedia } from '../content/media.ts';
import { targetsOf } from '../present.ts';
import { rulesFor } from '../problems/problems-of.ts';
import { type AccountRow, accountRows, postRows, type SocialPostRow, type TargetRow } from '../tables.ts';
import { cardOf } from './card.ts';
import { cardStyle } from './style.ts';

/** The time for which the pictures of a preview can be loaded, in milliseconds. */
const pictureMs = 3_600_000;

const frameOf = pageFrame(`${cardStyle}body{padding:12px}`);

const timeOf = (at: number): string =>
  `${new Date(at).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC`;

interface PostWithParts {
  readonly post: SocialPostRow;
  readonly targets: readonly TargetRow[];
  readonly accounts: ReadonlyMap<string, AccountRow>;
  readonly assets: AssetMap;
}

async function loadPost(viewer: ContentPreviewContext, targetId: string): Promise<PostWithParts | undefined> {
  return viewer.read(async (ctx) => {
    const post = await postRows.find(ctx.trx, targetId);
    if (post === undefined || post.status === 'deleted') return undefined;
    const targets = (await targetsOf(ctx.trx, [post])).get(post.id) ?? [];
    const refs = targets.flatMap(({ account_ref: ref }) => (ref === null ? [] : [ref]));
    const accounts = new Map((await accountRows.findIn(ctx.trx, 'id', refs)).map((row) => [row.id, row]));
    return { post, targets, accounts, assets: await findMedia(ctx, post.content) };
  });
}

/** Absolute, signed picture URLs, which a frame without an origin can load. */
function pictures(viewer: ContentPreviewContext, assets: AssetMap): (assetId: string) => string | undefined {
  return (assetId) => {
    const asset = assets.get(assetId);
    const url = asset === undefined ? null : viewer.services.assets.present(viewer.workspaceId, asset, pictureMs).url;
    return url !== null && /^https?:/.test(url) ? url : undefined;
  };
}

/** The settings except the title and the subreddit, which the card shows itself. Options of the account are shown by name. */
function settingsOf(settings: Readonly<Record<string, string>>, account: AccountRow | undefined): Html[] {
  const settingNames: Readonly<Record<string, string>> = { boardId: 'Board', privacy: 'Seen by' };
  return Object.entries(settingNames).flatMap(([setting, name]) => {
    const value = settings[setting];
    if (value === undefined || value === '') return [];
    const option = account?.options[setting]?.find((offered) => offered.value === value);
    return [html`<li>${name}: ${option?.name ?? value}</li>`];
  });
}

function documentOf(viewer: ContentPreviewContext, loaded: PostWithParts, targets: readonly TargetRow[]): string {
  const { post, accounts, assets } = loaded;
  const cards = targets.flatMap((target) => {
    const { channel_id: channelId, account_ref: ref } = target;
    const account = ref === null ? undefined : accounts.get(ref);
    const rules = rulesFor(viewer.services.socialChannels, channelId, account);
    if (rules === undefined) return [];
    const isLive = target.status === 'published' || target.status === 'deleted';
    const card = cardOf({
      content: post.content,
      account,
      rules,
      pictureOf: pictures(viewer, assets),
      facts: [
        ...(isLive ? [html`<li>${target.status === 'published' ? 'Live already' : 'Deleted there'}</li>`] : []),
        ...settingsOf(post.content.channelSettings[channelId] ?? {}, account),
        ...post.content.media.flatMap(({ alt }, index) =>
          alt === '' ? [] : [html`<li>Alternative text ${index + 1}: ${alt}</li>`],
        ),
      ],
      faults: post.problems.flatMap((problem) =>
        problem.channelId === channelId ? [html`<li class="bad">${problem.message}</li>`] : [],
      ),
    });
    return [card];
  });
  return frameOf.write({ title: 'Social post', icon: 'data:,', body: html`<main class="cards">${cards}</main>`.html });
}

/** The publication time in the held call, because the post of a rejected request no longer has one. */
function requestedTime({ input }: ContentPreviewRequest): number | undefined {
  const timeText = input['scheduledAt'] ?? input['scheduleAt'];
  return typeof timeText === 'string' ? Date.parse(timeText) : undefined;
}

function publicationText({ post }: PostWithParts, request: ContentPreviewRequest): string {
  const at = requestedTime(request) ?? post.scheduled_at;
  if (at !== null) return `Goes out on ${timeOf(at)}`;
  return request.operation === null
    ? 'Approving it does not publish it: a person who may publish must do that afterwards'
    : 'Goes out as soon as it is approved';
}

/** The post before and after the approval. */
export async function viewPost(
  viewer: ContentPreviewContext,
  request: ContentPreviewRequest,
): Promise<{ readonly before: ContentPreview | null; readonly after: ContentPreview | null }> {
  const loaded = await loadPost(viewer, request.targetId);
  if (loaded === undefined) return { before: null, after: null };
  const { post, targets } = loaded;
  const live = targets.filter(({ status }) => status === 'published');
  const since = post.published_at === null ? 'Live' : `Live since ${timeOf(post.published_at)}`;
  return {
    before: live.length === 0 ? null : { subject: since, html: documentOf(viewer, loaded, live) },
    after: { subject: publicationText(loaded, request), html: documentOf(viewer, loaded, targets) },
  };
}
