// A card of a post on one network, arranged as the network shows it. Called by the preview for approvals.
import { type Html, html } from '../../../core/unstable.ts';
import type { ChannelRules } from '../port/index.ts';
import type { SocialPostContent } from '../schema.ts';
import type { AccountRow } from '../tables.ts';
import { targetTexts, textRuleOf } from '../text/build.ts';
import { countText } from '../text/count.ts';

/** CSS classes for the arrangement of each network. */
const forms: Readonly<Record<string, string>> = {
  instagram: 'media-first square',
  tiktok: 'media-first tall',
  youtube: 'media-first wide',
  pinterest: 'media-first pin',
  linkedin: 'square',
};

/** The data of one card. */
export interface PostCard {
  readonly content: SocialPostContent;
  readonly account: AccountRow | undefined;
  readonly rules: ChannelRules;
  /** The address of a picture; undefined if it cannot be shown. */
  pictureOf(assetId: string): string | undefined;
  /** List items above the lengths of the texts. */
  readonly facts: readonly Html[];
  /** List items below the lengths of the texts. */
  readonly faults?: readonly Html[];
}

function mediaOf({ content: { media }, pictureOf }: PostCard): Html | null {
  if (media.length === 0) return null;
  const figures = media.map(({ kind, assetId, alt }) => {
    const address = kind === 'video' ? undefined : pictureOf(assetId);
    const name = { video: 'Video', image: 'Picture', gif: 'GIF' }[kind];
    return address === undefined
      ? html`<figure>${name}${alt === '' ? null : `: ${alt}`}</figure>`
      : html`<figure><img src="${address}" alt="${alt}" loading="lazy"></figure>`;
  });
  return html`<div class="media">${figures}</div>`;
}

function lengthsOf({ rules, content, facts, faults = [] }: PostCard, texts: readonly string[]): Html {
  const { unit, max } = textRuleOf(rules, content);
  const lengths = texts.map((text, index) => {
    const length = countText(unit, text);
    const lengthText =
      length > max ? html`<b class="bad">${length} of ${max}: too long</b>` : html`${length} of ${max}`;
    return html`<li>${texts.length > 1 ? `Part ${index + 1}` : 'Text'}: ${lengthText}</li>`;
  });
  return html`<ul class="facts">${facts}${lengths}${faults}</ul>`;
}

/** Renders the card. */
export function cardOf(card: PostCard): Html {
  const { content, account, rules } = card;
  const { texts, linkUrl, settings } = targetTexts(rules, content);
  const form = forms[rules.channelId] ?? '';
  const name = account?.display_name ?? 'No account';
  const title = settings['title'];
  const place = settings['subreddit'];
  const media = mediaOf(card);
  const [first, ...others] = texts;
  const textPart = first === '' ? null : html`<p class="words" dir="auto">${first}</p>`;
  const body = form.startsWith('media-first') ? html`${media}` : html`${textPart}${media}`;
  const after = form.startsWith('media-first') ? textPart : null;
  const link = linkUrl === null ? null : html`<a class="link" rel="noreferrer" href="${linkUrl}">${linkUrl}</a>`;
  return html`<article class="card ${form}" aria-label="${rules.name}: ${name}"><header><span class="face" aria-hidden="true">${[...name][0] ?? ''}</span><div><h3>${name}</h3><span class="hush">${rules.name}${account === undefined || account.handle === '' ? null : ` · @${account.handle}`}${place === undefined ? null : ` · r/${place}`}</span></div></header>${title === undefined || title === '' ? null : html`<p class="title" dir="auto">${title}</p>`}${body}${after}${link}${others.map((text) => html`<p class="words part" dir="auto">${text}</p>`)}${lengthsOf(card, texts)}</article>`;
}
