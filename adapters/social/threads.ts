// Threads over its API (developers.facebook.com/docs/threads): texts, pictures, videos and carousels by containers. The network
// fetches all files by URL.

import { z } from 'zod';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import {
  defineSocialNetwork,
  type SocialCallOptions,
  SocialError,
  type SocialMedia,
  type SocialNetwork,
  type SocialTarget,
} from '../../plugins/social/port/index.ts';
import {
  type ContainerNetwork,
  type ContainerPost,
  isUsedUp,
  probeContainer,
  publishByContainer,
} from '../kit/meta-containers.ts';
import { insightsOf, type MetaGraph, metaGraph } from '../kit/meta-graph.ts';
import { metaCredentials, metaExpiry, renewMetaToken } from '../kit/meta-login.ts';
import { apiUrl } from '../kit/provider-responses.ts';
import { optionalText, textOf } from '../kit/report-fields.ts';
import { fittingImageUrl, type ImageLimit } from '../kit/social-images.ts';
import { threadsRules } from './threads-rules.ts';

/** Options of `threadsSocial`. */
export interface ThreadsSocialOptions {
  /** Includes the version of the API. (Default: https://graph.threads.net/v1.0) */
  readonly url?: string;
  /** The time limit of one request, in milliseconds. (Default: 30,000) */
  readonly timeoutMs?: number;
  /** The time between two checks of files that the network is fetching, in milliseconds. (Default: 3,000) */
  readonly pollMs?: number;
}

const pictures: ImageLimit = {
  types: ['image/jpeg', 'image/png'],
  maxBytes: 8_000_000,
  maxWidth: 1_440,
  minRatio: 0.1,
  maxRatio: 10,
};

type Parameters = Readonly<Record<string, string | undefined>>;

async function fileOf(media: SocialMedia): Promise<Parameters> {
  const alt = { alt_text: media.alt || undefined };
  if (media.kind === 'video') return { media_type: 'VIDEO', video_url: await media.url(), ...alt };
  return { media_type: 'IMAGE', image_url: await fittingImageUrl(media, pictures), ...alt };
}

function postOf(target: SocialTarget): ContainerPost {
  const { media, linkUrl } = target;
  const text = target.texts[0] || undefined;
  const [onlyMedia, ...others] = media;
  if (onlyMedia === undefined) {
    const link_attachment = linkUrl ?? undefined;
    return { items: [], main: async () => ({ media_type: 'TEXT', text, link_attachment }) };
  }
  if (others.length === 0) return { items: [], main: async () => ({ ...(await fileOf(onlyMedia)), text }) };
  return {
    items: media.map((one) => async () => ({ ...(await fileOf(one)), is_carousel_item: 'true' })),
    main: async (children) => ({ media_type: 'CAROUSEL', children: children.join(','), text }),
  };
}

/** @throws SocialError `limited` if a quota of 24 hours is used up. The network does not report when it resets. */
async function checkQuota(
  graph: MetaGraph,
  user: string,
  [usage, config, message]: readonly [string, string, string],
  options: SocialCallOptions,
): Promise<void> {
  const fields = await graph.get(`/${user}/threads_publishing_limit`, { fields: `${usage},${config}` }, options);
  if (!isUsedUp(fields, usage, config)) return;
  throw new SocialError('limited', message, { until: options.now + 3_600_000 });
}

const publishQuota = [
  'quota_usage',
  'config',
  'The account has published as often as Threads allows within 24 hours.',
] as const;
const deleteQuota = [
  'delete_quota_usage',
  'delete_config',
  'The account has deleted as often as Threads allows within 24 hours.',
] as const;

/** Threads as the program composes it. Construction has no side effects. */
export function threadsSocial(options: ThreadsSocialOptions = {}): SocialNetwork {
  checkOptions<ThreadsSocialOptions>('threadsSocial', options, {
    url: 'optional',
    timeoutMs: 'optional',
    pollMs: 'optional',
  });
  const { url = 'https://graph.threads.net/v1.0', timeoutMs, pollMs = 3_000 } = options;
  const api = apiUrl(url, 'threadsSocial');

  return defineSocialNetwork({
    rules: threadsRules,
    capabilities: { media: true, threads: false, deletes: true, analytics: true },
    credentials: metaCredentials,
    options: z.strictObject({
      company: z
        .boolean()
        .default(false)
        .describe('Whether the account belongs to a company. Threads does not report this, so you state it here.'),
    }),
    expiresAt: (credentials) => metaExpiry(credentials, true),
    refresh: ({ credentials }, signal, { outgoing }) =>
      renewMetaToken(credentials, {
        name: 'Threads',
        // The URL of the token exchange has no version.
        url: `${new URL(api).origin}/refresh_access_token`,
        query: { grant_type: 'th_refresh_token', access_token: credentials.accessToken },
        outgoing,
        signal,
      }),
    connect({ credentials: { accessToken: token } }, { outgoing }) {
      const graph = metaGraph({ name: 'Threads', url: api, outgoing, token, tokenIn: 'parameter', timeoutMs });
      const network: ContainerNetwork = {
        name: 'Threads',
        graph,
        containerEdge: 'threads',
        publishEdge: 'threads_publish',
        postEdge: 'threads',
        textField: 'text',
        stateField: 'status',
        reasonField: 'error_message',
        pollMs,
        maxPollMs: 45_000,
      };
      return {
        id: 'threads',
        async accounts(options) {
          const me = await graph.get('/me', { fields: 'id,username,name,threads_profile_picture_url' }, options);
          const handle = textOf(me['username']);
          return [
            {
              externalId: textOf(me['id']),
              displayName: textOf(me['name']) || handle,
              handle,
              avatarUrl: optionalText(me['threads_profile_picture_url']) ?? null,
              isCompany: undefined,
            },
          ];
        },
        publish: (target, steps, options) =>
          publishByContainer(network, target, steps, options, {
            ...postOf(target),
            text: target.texts[0],
            ask: () => checkQuota(graph, target.externalAccountId, publishQuota, options),
          }),
        probe: (target, steps, options) => probeContainer(network, target, steps, options, target.texts[0]),
        async remove({ externalAccountId, externalId }, options) {
          await checkQuota(graph, externalAccountId, deleteQuota, options);
          await graph.remove(`/${externalId}`, options);
        },
        async metrics({ externalId }, options) {
          const metric = 'views,likes,replies,reposts,quotes,shares';
          const insights = insightsOf(await graph.get(`/${externalId}/insights`, { metric }, options));
          const figure = (name: string): number | null => insights.get(name) ?? null;
          const shareCounts = ['reposts', 'quotes', 'shares'].flatMap((name) => insights.get(name) ?? []);
          return {
            impressions: figure('views'),
            reach: null,
            likes: figure('likes'),
            comments: figure('replies'),
            shares: shareCounts.length === 0 ? null : shareCounts.reduce((sum, one) => sum + one, 0),
            clicks: null,
            saves: null,
            videoViews: null,
          };
        },
        close: async () => undefined,
      };
    },
  });
}
