// The view of social events: each with its text for each channel and a link to its post. The plugin of social events provides them. If
// that plugin is not composed, the page does not have this view.
import type { ReadContext, Services } from '../../../core/index.ts';
import { emptyState, type Html, html } from '../../../core/unstable.ts';
import { linkTo, type SocialConsoleContext } from './console-context.ts';

/** The text of one channel. */
export interface ConsoleCaption {
  readonly channelId: string;
  readonly text: string;
  /** Counted as the network counts. */
  readonly length: number;
  readonly limit: number;
  readonly problems: readonly { readonly code: string; readonly message: string }[];
}

/** A social event and the texts that were made from it. */
export interface ConsoleEvent {
  readonly runId: string;
  /** The display name, such as `Release published`. */
  readonly name: string;
  readonly eventKey: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The present status, such as `previewed` or `published`. */
  readonly status: string;
  /** Null if the event made no post. */
  readonly postId: string | null;
  readonly captions: readonly ConsoleCaption[];
}

/** `ctx.services.consoleSocialEvents`, if the plugin of social events is composed. */
export interface ConsoleEvents {
  /** The newest first. */
  newest(ctx: ReadContext, limit: number): Promise<readonly ConsoleEvent[]>;
}

const shownEvents = 40;

/** The events of the plugin of social events; undefined if it is not composed. */
export const consoleEvents = (services: Services): ConsoleEvents | undefined => services.consoleSocialEvents;

function captionOf(services: Services, { channelId, text, length, limit, problems }: ConsoleCaption): Html {
  const name = services.socialChannels.rulesOf(channelId)?.name ?? channelId;
  const counted =
    length > limit ? html`<b class="bad">${length} of ${limit}: too long</b>` : html`${length} of ${limit}`;
  const faults = problems.map(
    ({ code, message }) => html`<li class="bad">${message} <span class="hush">${code}</span></li>`,
  );
  return html`<section><h3>${name}</h3><p class="words" dir="auto">${text}</p><ul class="facts"><li>Text: ${counted}</li>${faults}</ul></section>`;
}

function eventCard(where: SocialConsoleContext, services: Services, event: ConsoleEvent): Html {
  const { name, eventKey, at, status, postId, captions } = event;
  const time = new Date(at).toISOString();
  const post =
    postId === null
      ? html`<p class="hush">No post: it was a preview.</p>`
      : html`<p><a href="${linkTo(where, { view: 'cards', post: postId })}">The post on its networks</a></p>`;
  return html`<article class="card" aria-label="${name}, ${time}"><h2>${name}</h2><p class="hush">${eventKey} · ${status} · <time datetime="${time}">${time.slice(0, 16).replace('T', ' ')}</time> UTC</p>${post}${captions.map((caption) => captionOf(services, caption))}</article>`;
}

export async function eventsView(
  where: SocialConsoleContext,
  services: Services,
  source: ConsoleEvents,
  ctx: ReadContext,
): Promise<Html> {
  const events = await source.newest(ctx, shownEvents);
  const none = emptyState('No events yet. Tell one with POST /v1/social/transactional/events.');
  const cards = html`<div class="cards">${events.map((event) => eventCard(where, services, event))}</div>`;
  return html`<h1>Events and their posts</h1>${events.length === 0 ? none : cards}`;
}
