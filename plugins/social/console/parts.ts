// Parts that several pages of social posts share: states in words, the name of a post, and the links between the views.
import type { ConsoleContext } from '../../../core/index.ts';
import { type Html, type PillTone, pill, shortened, tabBar } from '../../../core/unstable.ts';
import type { SocialPost } from '../resources.ts';

type Words = readonly [words: string, tone: PillTone];

const states: Readonly<Record<SocialPost['status'], Words>> = {
  draft: ['Draft', 'plain'],
  ready: ['Ready', 'info'],
  scheduled: ['Scheduled', 'wait'],
  pending_approval: ['Waits for approval', 'wait'],
  publishing: ['Publishing', 'wait'],
  published: ['Published', 'good'],
  partially_published: ['Partly published', 'bad'],
  failed: ['Failed', 'bad'],
  deleting: ['Being deleted', 'wait'],
  deleted: ['Deleted', 'plain'],
};

/** Every state of a post with its words, for a filter. */
export const stateChoices = Object.entries(states).map(([status, [words]]) => [status, words] as const);

export const isPostStatus = (text: string): text is SocialPost['status'] => Object.hasOwn(states, text);

/** The state of a post. For a hold, the words say only that it is a hold. */
export const postPill = ({ status, planningKind }: SocialPost): Html =>
  planningKind === 'hold' && status === 'draft' ? pill('Hold', 'plain') : pill(...states[status]);

const targetStates: Readonly<Record<SocialPost['targets'][number]['status'], Words>> = {
  pending: ['Not published yet', 'plain'],
  publishing: ['Publishing', 'wait'],
  published: ['Published', 'good'],
  failed: ['Failed', 'bad'],
  unknown: ['Unknown', 'bad'],
  deleted: ['Deleted', 'plain'],
};

/** The state of a post on one network. */
export const targetPill = ({ status }: SocialPost['targets'][number]): Html => pill(...targetStates[status]);

/** The beginning of the text of a post, as its name. */
export const nameOfPost = ({ caption, brief }: SocialPost): string =>
  shortened((caption || (brief ?? '')).replace(/\s+/g, ' ').trim(), 80) || 'A post without text';

/** The time of a post in the plan; null if it has none. */
export const timeOfPost = ({ publishedAt, scheduledAt, plannedAt }: SocialPost): string | null =>
  publishedAt ?? scheduledAt ?? plannedAt;

/** Links to the calendar and the list of posts. */
export const viewLinks = (ctx: ConsoleContext, current: 'calendar' | 'posts'): Html | null =>
  tabBar('Views', [
    { text: 'Calendar', href: ctx.link('social'), isCurrent: current === 'calendar' },
    { text: 'Posts', href: ctx.link('social/posts'), isCurrent: current === 'posts' },
  ]);
