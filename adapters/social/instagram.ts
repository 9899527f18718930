// Instagram over its Graph API with Instagram Login (developers.facebook.com/docs/instagram-platform/content-publishing), for
// professional accounts. The network fetches all files by URL, and does not support deletion.

import { z } from 'zod';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import {
  defineSocialNetwork,
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
import { type MetaCredentials, metaCredentials, metaExpiry, renewMetaToken } from '../kit/meta-login.ts';
import { apiUrl } from '../kit/provider-responses.ts';
import { optionalText, textOf } from '../kit/report-fields.ts';
import { fittingImageUrl, type ImageLimit } from '../kit/social-images.ts';
import { instagramRules } from './instagram-rules.ts';

/** Options of `instagramSocial`. */
export interface InstagramSocialOptions {
  /** Includes the version of the API. (Default: https://graph.instagram.com/v25.0) */
  readonly url?: string;
  /** The time limit of one request, in milliseconds. (Default: 30,000) */
  readonly timeoutMs?: number;
  /** The time between two checks of files that the network is fetching, in milliseconds. (Default: 3,000) */
  readonly pollMs?: number;
}

/** Feed pictures: ratios from 4:5 to 1.91:1. A picture outside of them gets white edges. */
const pictures: ImageLimit = {
  types: ['image/jpeg'],
  maxBytes: 8_000_000,
  maxWidth: 1_440,
  minRatio: 0.8,
  maxRatio: 1.91,
};

const alt = ({ alt: text }: SocialMedia): string | undefined => text || undefined;

async function item(media: SocialMedia): Promise<Record<string, string | undefined>> {
  const common = { is_carousel_item: 'true' };
  if (media.kind === 'video') return { ...common, media_type: 'VIDEO', video_url: await media.url() };
  return { ...common, image_url: await fittingImageUrl(media, pictures), alt_text: alt(media) };
}

async function single(media: SocialMedia, caption: string | undefined): Promise<Record<string, string | undefined>> {
  if (media.kind === 'video') return { media_type: 'REELS', video_url: await media.url(), caption };
  return { image_url: await fittingImageUrl(media, pictures), caption, alt_text: alt(media) };
}

function postOf({ media, texts }: SocialTarget): ContainerPost {
  const caption = texts[0] || undefined;
  const [onlyMedia, ...others] = media;
  if (onlyMedia === undefined) {
    throw new SocialError('rejected', 'Instagram requires a picture or a video in each post.', {
      problem: 'media_missing',
    });
  }
  if (others.length === 0) return { items: [], main: () => single(onlyMedia, caption) };
  return {
    items: media.map((one) => () => item(one)),
    main: async (children) => ({ media_type: 'CAROUSEL', children: children.join(','), caption }),
  };
}

/** @throws SocialError `limited` if the quota of posts within 24 hours is used up. The network does not report when it resets. */
async function checkQuota(graph: MetaGraph, target: SocialTarget, options: { signal: AbortSignal; now: number }) {
  const path = `/${target.externalAccountId}/content_publishing_limit`;
  const fields = await graph.get(path, { fields: 'quota_usage,config' }, options);
  if (!isUsedUp(fields, 'quota_usage', 'config')) return;
  const text = 'The account has published as often as Instagram allows within 24 hours.';
  throw new SocialError('limited', text, { until: options.now + 3_600_000 });
}

/** Instagram as the program composes it. Construction has no side effects. */
export function instagramSocial(options: InstagramSocialOptions = {}): SocialNetwork {
  checkOptions<InstagramSocialOptions>('instagramSocial', options, {
    url: 'optional',
    timeoutMs: 'optional',
    pollMs: 'optional',
  });
  const { url = 'https://graph.instagram.com/v25.0', timeoutMs, pollMs = 3_000 } = options;
  const api = apiUrl(url, 'instagramSocial');

  return defineSocialNetwork({
    rules: instagramRules,
    capabilities: { media: true, threads: false, deletes: false, analytics: true },
    credentials: metaCredentials,
    options: z.strictObject({}),
    expiresAt: (credentials: MetaCredentials) => metaExpiry(credentials, true),
    refresh: ({ credentials }, signal, { outgoing }) =>
      renewMetaToken(credentials, {
        name: 'Instagram',
        // The URL of the token exchange has no version.
        url: `${new URL(api).origin}/refresh_access_token`,
        query: { grant_type: 'ig_refresh_token', access_token: credentials.accessToken },
        outgoing,
        signal,
      }),
    connect({ credentials }, { outgoing }) {
      const graph = metaGraph({ name: 'Instagram', url: api, outgoing, token: credentials.accessToken, timeoutMs });
      const network: ContainerNetwork = {
        name: 'Instagram',
        graph,
        containerEdge: 'media',
        publishEdge: 'media_publish',
        postEdge: 'media',
        textField: 'caption',
        stateField: 'status_code',
        reasonField: 'status',
        pollMs,
        maxPollMs: 45_000,
      };
      return {
        id: 'instagram',
        async accounts(options) {
          const fields = 'user_id,username,name,account_type,profile_picture_url';
          const me = await graph.get('/me', { fields }, options);
          const handle = textOf(me['username']);
          return [
            {
              externalId: textOf(me['user_id']),
              displayName: textOf(me['name']) || handle,
              handle,
              avatarUrl: optionalText(me['profile_picture_url']) ?? null,
              // The other professional type, MEDIA_CREATOR, is for persons.
              isCompany: /^business$/i.test(textOf(me['account_type'])),
            },
          ];
        },
        publish: (target, steps, options) =>
          publishByContainer(network, target, steps, options, {
            ...postOf(target),
            text: target.texts[0],
            ask: () => checkQuota(graph, target, options),
          }),
        probe: (target, steps, options) => probeContainer(network, target, steps, options, target.texts[0]),
        async metrics({ externalId }, options) {
          const metric = 'views,reach,likes,comments,shares,saved';
          const insights = insightsOf(await graph.get(`/${externalId}/insights`, { metric }, options));
          const figure = (name: string): number | null => insights.get(name) ?? null;
          return {
            impressions: figure('views'),
            reach: figure('reach'),
            likes: figure('likes'),
            comments: figure('comments'),
            shares: figure('shares'),
            clicks: null,
            saves: figure('saved'),
            videoViews: null,
          };
        },
        close: async () => undefined,
      };
    },
  });
}
