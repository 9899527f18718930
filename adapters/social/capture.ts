// The social adapter for development and tests: every channel with its rules. Posts stay in the process and are shown as cards.

import { z } from 'zod';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import {
  type AccountOption,
  type CapturingNetwork,
  type ChannelRules,
  defineSocialNetwork,
  type PostMetrics,
  type PublishedPost,
  type SocialAdapter,
  type SocialCallOptions,
  SocialError,
} from '../../plugins/social/port/index.ts';
import { type CapturedPosts, createCapturedPosts } from './capture-posts.ts';
import { allRules } from './capture-rules.ts';

/** Options of `captureSocial`. */
export interface CaptureSocialOptions {
  /** (Default: the channels of all adapters) */
  readonly rules?: readonly ChannelRules[];
}

/** Networks whose API does not support deletion. */
const keepsPosts: ReadonlySet<string> = new Set(['instagram', 'tiktok']);

const options = z.strictObject({
  displayName: z.string().min(1).max(100).default('Acme'),
  handle: z
    .string()
    .regex(/^[^@\s]{1,60}$/)
    .default('acme'),
});

/** The options of accounts, for rules that need them. */
const accountOptions: Readonly<Record<string, readonly AccountOption[]>> = {
  boardId: [
    { value: 'board-news', name: 'News' },
    { value: 'board-products', name: 'Products' },
  ],
  privacy: [
    { value: 'PUBLIC_TO_EVERYONE', name: 'Everyone' },
    { value: 'SELF_ONLY', name: 'Only me' },
  ],
};

/** Simulated metrics, which are constant for a post and differ between posts. */
function figuresOf(id: string): PostMetrics {
  const seed = [...id].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9_973, 7);
  const share = (part: number): number => Math.floor(seed / part);
  return {
    impressions: seed,
    reach: share(2),
    likes: share(20),
    comments: share(90),
    shares: share(60),
    clicks: share(30),
    saves: null,
    videoViews: null,
  };
}

/** Counts a request. An aborted call sends nothing. */
function begin(posts: CapturedPosts, { signal, now }: SocialCallOptions): void {
  if (signal.aborted) throw new SocialError('transient', 'The attempt was ended before the request was made.');
  posts.request(now);
}

function createAdapter(rules: ChannelRules, posts: CapturedPosts, account: z.output<typeof options>): SocialAdapter {
  const stepOf = (part: number): string => `post ${part + 1}`;
  const post = (parts: readonly string[]): PublishedPost => ({ externalId: parts[0] ?? '', url: null, parts });
  return {
    id: 'capture',
    async accounts(call) {
      begin(posts, call);
      const fromAccountOptions = rules.settings.filter((setting) => setting.fromAccountOptions);
      return [
        {
          externalId: `capture-${rules.channelId}-${account.handle}`,
          ...account,
          avatarUrl: null,
          isCompany: true,
          options: Object.fromEntries(fromAccountOptions.map(({ name }) => [name, accountOptions[name] ?? []])),
        },
      ];
    },
    async publish(target, steps, call) {
      const parts: string[] = [];
      for (const part of target.texts.keys()) {
        const recordedId = steps.find(stepOf(part))?.result?.part;
        if (typeof recordedId === 'string') {
          parts.push(recordedId);
          continue;
        }
        await steps.before(stepOf(part), { part });
        await call.confirm?.();
        begin(posts, call);
        const id = posts.add(target, part, call.now);
        await steps.after(stepOf(part), { part: id });
        parts.push(id);
      }
      return post(parts);
    },
    async probe(target, steps, call) {
      begin(posts, call);
      const parts: string[] = [];
      for (const part of target.texts.keys()) {
        const step = steps.find(stepOf(part));
        if (step === undefined) return { outcome: 'absent' };
        const id = posts.find(target.key, part);
        if (id === undefined) return { outcome: 'absent' };
        if (step.result === null) await steps.after(stepOf(part), { part: id });
        parts.push(id);
      }
      return { outcome: 'landed', post: post(parts) };
    },
    ...(keepsPosts.has(rules.channelId)
      ? {}
      : {
          async remove({ parts }, call: SocialCallOptions) {
            begin(posts, call);
            posts.remove(parts);
          },
        }),
    async metrics({ externalId }, call) {
      begin(posts, call);
      return figuresOf(externalId);
    },
    close: async () => undefined,
  };
}

function captureNetwork(rules: ChannelRules): CapturingNetwork {
  const posts = createCapturedPosts(rules.channelId, rules.name);
  const network = defineSocialNetwork({
    provider: `capture-${rules.channelId}`,
    transport: 'capture',
    rules,
    capabilities: {
      media: rules.media.sets.length > 0,
      threads: rules.hasThreads,
      deletes: !keepsPosts.has(rules.channelId),
      analytics: true,
    },
    credentials: z.strictObject({}),
    options,
    connect: (opened) => createAdapter(rules, posts, opened.options),
  });
  return { ...network, capture: posts };
}

/**
 * Every channel, as providers of connectors: `connectorsPlugin({ providers: [...captureSocial()] })`. Nothing leaves the process.
 */
export const captureSocial = (options: CaptureSocialOptions = {}): CapturingNetwork[] => {
  checkOptions<CaptureSocialOptions>('captureSocial', options, { rules: 'optional' });
  const { rules = allRules } = options;
  return rules.map(captureNetwork);
};
