// Posts as cards, each as its network would show it, with the length of its texts, its problems and what became of it. Where
// networks keep posts in the process, their faults are chosen here.
import type { Services, WorkspaceHandle } from '../../../core/index.ts';
import type { Html } from '../../../core/unstable.ts';
import { html } from '../../../core/unstable.ts';
import type { ChannelRules, SocialNetwork } from '../port/index.ts';
import { captureTroubles, isCapturing } from '../port/index.ts';
import { targetsOf } from '../present.ts';
import { rulesFor } from '../problems/check.ts';
import type { AccountRow, PostRow, TargetRow } from '../tables.ts';
import { accountRows, postRows } from '../tables.ts';
import { targetTexts } from '../text/build.ts';
import { countText } from '../text/count.ts';
import type { Where } from './where.ts';
import { linkTo } from './where.ts';

const shownPosts = 40;

/** How a network arranges a post. */
const forms: Readonly<Record<string, string>> = {
  instagram: 'media-first square',
  tiktok: 'media-first tall',
  youtube: 'media-first wide',
  pinterest: 'media-first pin',
  linkedin: 'square',
};

interface Card {
  readonly where: Where;
  readonly post: PostRow;
  readonly target: TargetRow;
  readonly account: AccountRow | undefined;
  readonly rules: ChannelRules;
}

function mediaOf({ where, post }: Card): Html | null {
  const { media } = post.content;
  if (media.length === 0) return null;
  const address = (assetId: string): string =>
    `social-console/media?${new URLSearchParams({ workspace: where.workspace.id, asset: assetId }).toString()}`;
  const figures = media.map(({ kind, assetId, alt }) =>
    kind === 'video'
      ? html`<figure>Video${alt === '' ? null : `: ${alt}`}</figure>`
      : html`<figure><img src="${address(assetId)}" alt="${alt}" loading="lazy"></figure>`,
  );
  return html`<div class="media">${figures}</div>`;
}

function lengthOf({ unit, most }: ChannelRules['text'], text: string): Html {
  const length = countText(unit, text);
  return length > most ? html`<b class="bad">${length} of ${most}: too long</b>` : html`${length} of ${most}`;
}

function factsOf({ post, target, rules }: Card, texts: readonly string[]): Html {
  const problems = post.problems.filter(({ channelId }) => channelId === rules.channelId);
  const { status, error, url } = target;
  const lines = [
    html`<li>${post.planning_kind === 'hold' ? 'hold' : post.status === 'publishing' || status !== 'pending' ? status : post.status}${url === null || !/^https?:/.test(url) ? null : html` · <a href="${url}">open</a>`}</li>`,
    ...texts.map(
      (text, index) => html`<li>${texts.length > 1 ? `Part ${index + 1}: ` : ''}${lengthOf(rules.text, text)}</li>`,
    ),
    ...problems.map(({ code, message }) => html`<li class="bad">${message} <span class="hush">${code}</span></li>`),
    ...(error === null ? [] : [html`<li class="bad">${error.message} <span class="hush">${error.code}</span></li>`]),
  ];
  return html`<ul class="facts">${lines}</ul>`;
}

function cardOf(card: Card): Html {
  const { post, account, rules } = card;
  const { texts, linkUrl, settings } = targetTexts(rules, post.content);
  const form = forms[rules.channelId] ?? '';
  const name = account?.display_name ?? 'No account';
  const title = settings['title'];
  const place = settings['subreddit'];
  const media = mediaOf(card);
  const [first, ...others] = texts;
  const words = first === '' ? null : html`<p class="words" dir="auto">${first}</p>`;
  const body = form.startsWith('media-first') ? html`${media}` : html`${words}${media}`;
  const after = form.startsWith('media-first') ? words : null;
  const link = linkUrl === null ? null : html`<a class="link" rel="noreferrer" href="${linkUrl}">${linkUrl}</a>`;
  return html`<article class="card ${form}" aria-label="${rules.name}: ${name}"><header><span class="face" aria-hidden="true">${[...name][0] ?? ''}</span><div><h3>${name}</h3><span class="hush">${rules.name}${account === undefined || account.handle === '' ? null : ` · @${account.handle}`}${place === undefined ? null : ` · r/${place}`}</span></div></header>${title === undefined || title === '' ? null : html`<p class="title" dir="auto">${title}</p>`}${body}${after}${link}${others.map((text) => html`<p class="words part" dir="auto">${text}</p>`)}${factsOf(card, texts)}</article>`;
}

/** Faults of networks that keep posts in the process. */
function faultsOf(where: Where, networks: readonly SocialNetwork[]): Html | null {
  const capturing = networks.filter(isCapturing);
  if (capturing.length === 0) return null;
  const formOf = ({ provider, rules, capture }: (typeof capturing)[number]): Html => {
    const options = captureTroubles.map((trouble) =>
      capture.trouble === trouble ? html`<option selected>${trouble}</option>` : html`<option>${trouble}</option>`,
    );
    const address = `social-console/trouble${linkTo(where)}`;
    return html`<form method="post" action="${address}"><input type="hidden" name="provider" value="${provider}"><label>${rules.name}<select name="trouble"><option value="">works</option>${options}</select></label><button>Set</button></form>`;
  };
  return html`<details><summary>Faults of the networks in this process</summary><p class="hush">What a network does until you change it. The two that break do so once.</p><div class="faults">${capturing.map(formOf)}</div></details>`;
}

/** The newest posts, or one. */
export async function cardsView(
  where: Where,
  services: Services,
  handle: WorkspaceHandle,
  postId: string | undefined,
): Promise<Html> {
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
      return rules === undefined ? [] : [cardOf({ where, post, target, account, rules })];
    }),
  );
  const none = html`<p>No posts yet. Make one with POST /v1/social/posts.</p>`;
  const back = postId === undefined ? null : html`<p><a href="${linkTo(where, { view: 'cards' })}">All posts</a></p>`;
  return html`<h1>${postId === undefined ? 'Posts as people see them' : 'One post'}</h1>${back}${faultsOf(where, channels.networks)}<h2>Cards</h2>${cards.length === 0 ? none : html`<div class="cards">${cards}</div>`}`;
}
