// Posts as cards. Each card looks like the post on its network, and shows the length of its texts, its problems and its status. If a
// network keeps posts in the process, its simulated faults are chosen here.
import type { Services, WorkspaceHandle } from '../../../core/index.ts';
import { chip, emptyState, type Html, html, shortened, timeOf } from '../../../core/unstable.ts';
import { errors } from '../errors.ts';
import { type ChannelRules, isCapturing, type SocialNetwork, simulatedFaults } from '../port/index.ts';
import { targetsOf } from '../present.ts';
import { cardOf } from '../preview/card.ts';
import { rulesFor } from '../problems/problems-of.ts';
import { type AccountRow, accountRows, postRows, type SocialPostRow, type TargetRow } from '../tables.ts';
import { linkTo, type SocialConsoleContext } from './console-context.ts';
import { rulesView } from './rules.ts';

const shownPosts = 40;

const tones: Partial<Record<string, 'good' | 'slow' | 'bad'>> = {
  published: 'good',
  scheduled: 'slow',
  publishing: 'slow',
  pending_approval: 'slow',
  failed: 'bad',
};

interface CardView {
  readonly post: SocialPostRow;
  readonly target: TargetRow;
  readonly account: AccountRow | undefined;
  readonly rules: ChannelRules;
}

function shownCard({ workspace }: SocialConsoleContext, { post, target, account, rules }: CardView): Html {
  const { status, error, url } = target;
  const at = post.published_at ?? post.scheduled_at ?? post.planned_at;
  const problems = post.problems.filter(({ channelId }) => channelId === rules.channelId);
  const became =
    post.planning_kind === 'hold'
      ? 'hold'
      : post.status === 'publishing' || status !== 'pending'
        ? status
        : post.status;
  return cardOf({
    content: post.content,
    account,
    rules,
    pictureOf: (asset) => `social-console/media?${new URLSearchParams({ workspace: workspace.id, asset }).toString()}`,
    facts: [
      ...(post.planning_kind === 'hold' && post.brief !== null ? [html`<li dir="auto">For: ${post.brief}</li>`] : []),
      html`<li>${chip(became.replaceAll('_', ' '), tones[became])}${url === null || !/^https?:/.test(url) ? null : html` · <a href="${url}">open</a>`}</li>`,
      ...(at === null ? [] : [html`<li>${timeOf(at)} UTC</li>`]),
    ],
    faults: [
      ...problems.map(({ code, message }) => html`<li class="bad">${message} <span class="hush">${code}</span></li>`),
      ...(error === null ? [] : [html`<li class="bad">${error.message} <span class="hush">${error.code}</span></li>`]),
    ],
  });
}

/** Forms that set the simulated faults of networks that keep posts in the process. */
function faultsOf(where: SocialConsoleContext, networks: readonly SocialNetwork[]): Html | null {
  const capturing = networks.filter(isCapturing);
  if (capturing.length === 0) return null;
  const formOf = ({ provider, rules, capture }: (typeof capturing)[number]): Html => {
    const options = simulatedFaults.map((fault) =>
      capture.simulatedFault === fault ? html`<option selected>${fault}</option>` : html`<option>${fault}</option>`,
    );
    const address = `social-console/fault${linkTo(where)}`;
    return html`<form method="post" action="${address}"><input type="hidden" name="provider" value="${provider}"><label class="field">${rules.name}<select name="fault"><option value="">works</option>${options}</select></label><button class="button">Set</button></form>`;
  };
  return html`<details><summary>Simulate failures of networks (development)</summary><p class="hush">What a network does until you change it. The two that break do so once.</p><div class="faults">${capturing.map(formOf)}</div></details>`;
}

/** The name of a post in the window title: the beginning of its text. */
function aboutPost(row: SocialPostRow | undefined): string {
  const text = (row?.content.caption || row?.brief || 'Post').replace(/\s+/g, ' ').trim();
  return shortened(text, 60);
}

/** The newest posts, or one post. `about` is for the window title. @throws post_not_found */
export async function cardsView(
  where: SocialConsoleContext,
  services: Services,
  handle: WorkspaceHandle,
  postId: string | undefined,
): Promise<{ readonly about: string; readonly body: Html }> {
  const { socialChannels: channels } = services;
  const rows = await postRows.page(handle, {
    where: postId === undefined ? {} : { id: postId },
    conditions: (columns) => [columns('status', '!=', 'deleted')],
    limit: shownPosts,
  });
  const targets = await targetsOf(handle, rows);
  const accounts = new Map((await accountRows.page(handle, { limit: 500 })).map((row) => [row.id, row]));
  const cards = rows.flatMap((post) =>
    (targets.get(post.id) ?? []).flatMap((target) => {
      const account = target.account_ref === null ? undefined : accounts.get(target.account_ref);
      const rules = rulesFor(channels, target.channel_id, account);
      return rules === undefined ? [] : [shownCard(where, { post, target, account, rules })];
    }),
  );
  // The post of an old link may have been deleted.
  if (postId !== undefined && rows.length === 0) throw errors.post_not_found({ id: postId });
  const none = emptyState('No posts yet. Create one with POST /v1/social/posts.');
  const back = postId === undefined ? null : html`<p><a href="${linkTo(where, { view: 'cards' })}">All posts</a></p>`;
  const body = html`<h1>${postId === undefined ? 'Posts as people see them' : 'Post'}</h1>${back}${faultsOf(where, channels.networks)}${rulesView(channels)}<h2>Cards</h2>${cards.length === 0 ? none : html`<div class="cards">${cards}</div>`}`;
  return { about: postId === undefined ? 'Cards' : aboutPost(rows[0]), body };
}
