// Facebook Pages over the Graph API (developers.facebook.com/docs/pages-api), with a user's token, from which the tokens of the
// Pages are derived. Page tokens are kept in memory only.

import { z } from 'zod';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import {
  defineSocialNetwork,
  type NetworkAccount,
  type SocialCallOptions,
  type SocialNetwork,
} from '../../plugins/social/port/index.ts';
import { requiredField } from '../kit/http-social.ts';
import { insightsOf, type MetaGraph, metaGraph } from '../kit/meta-graph.ts';
import { metaCredentials, metaExpiry, renewMetaToken } from '../kit/meta-login.ts';
import { apiUrl } from '../kit/provider-responses.ts';
import { fieldsOf, listOf, optionalText, type ReportFields, textOf } from '../kit/report-fields.ts';
import { appOf, type OAuthApp } from '../kit/social-oauth.ts';
import { type FacebookPageAccess, probePage, publishOnPage } from './facebook-publish.ts';
import { facebookRules } from './facebook-rules.ts';

/** Options of `facebookSocial`. */
export interface FacebookSocialOptions {
  /** The program's app; a connector may have its own. Refreshes tokens and signs calls. (Default: tokens end after 60 days) */
  readonly app?: OAuthApp;
  /** Includes the version of the API. (Default: https://graph.facebook.com/v25.0) */
  readonly url?: string;
  /** The URL for videos. (Default: https://graph-video.facebook.com/v25.0) */
  readonly videoUrl?: string;
  /** The time limit of one request, in milliseconds. (Default: 30,000) */
  readonly timeoutMs?: number;
}

const maxPages = 20;

/** All Pages on which the user may publish, with their tokens. */
async function* pagesOf(graph: MetaGraph, options: SocialCallOptions): AsyncGenerator<ReportFields> {
  const fields = 'id,name,username,access_token,tasks,picture{url}';
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await graph.get('/me/accounts', { fields, limit: '100', after: cursor }, options);
    yield* listOf(answer['data']).map(fieldsOf);
    const paging = fieldsOf(answer['paging']);
    cursor = optionalText(fieldsOf(paging['cursors'])['after']);
    if (paging['next'] === undefined || cursor === undefined) return;
  }
}

const mayPublish = (page: ReportFields): boolean => {
  const tasks = listOf(page['tasks']).map(textOf);
  return tasks.length === 0 || tasks.includes('CREATE_CONTENT');
};

const accountOf = (page: ReportFields): NetworkAccount => ({
  externalId: textOf(page['id']),
  displayName: textOf(page['name']) || textOf(page['id']),
  handle: textOf(page['username']),
  avatarUrl: optionalText(fieldsOf(fieldsOf(page['picture'])['data'])['url']) ?? null,
  // Only Pages count: apps cannot publish on personal profiles.
  isCompany: true,
});

const total = (fields: ReportFields, name: string): number | null => {
  const value = fieldsOf(fieldsOf(fields[name])['summary'])['total_count'];
  return typeof value === 'number' ? value : null;
};

/** Metrics of a post or a video. Insights of some kinds may be missing: a new post has none. */
async function figuresOf(graph: MetaGraph, id: string, options: SocialCallOptions) {
  const isVideo = !id.includes('_');
  const fields = isVideo
    ? 'likes.summary(true).limit(0),comments.summary(true).limit(0)'
    : 'reactions.summary(true).limit(0),comments.summary(true).limit(0),shares';
  const post = await graph.get(`/${id}`, { fields }, options);
  const metrics = isVideo ? ['total_video_views'] : ['post_media_view,post_clicks', 'post_total_media_view_unique'];
  const insights = new Map<string, number>();
  for (const metric of metrics) {
    const edge = isVideo ? 'video_insights' : 'insights';
    const response: ReportFields = await graph.get(`/${id}/${edge}`, { metric }, options).catch(() => ({}));
    for (const [name, value] of insightsOf(response)) insights.set(name, value);
  }
  const shares = fieldsOf(post['shares'])['count'];
  return {
    impressions: insights.get('post_media_view') ?? null,
    reach: insights.get('post_total_media_view_unique') ?? null,
    likes: total(post, isVideo ? 'likes' : 'reactions'),
    comments: total(post, 'comments'),
    shares: typeof shares === 'number' ? shares : null,
    clicks: insights.get('post_clicks') ?? null,
    saves: null,
    videoViews: insights.get('total_video_views') ?? null,
  };
}

/** Facebook as the program composes it. Construction has no side effects. */
export function facebookSocial(options: FacebookSocialOptions = {}): SocialNetwork {
  checkOptions<FacebookSocialOptions>('facebookSocial', options, {
    app: 'optional',
    url: 'optional',
    videoUrl: 'optional',
    timeoutMs: 'optional',
  });
  const { app, timeoutMs } = options;
  const api = apiUrl(options.url ?? 'https://graph.facebook.com/v25.0', 'facebookSocial');
  const videoApi = apiUrl(options.videoUrl ?? 'https://graph-video.facebook.com/v25.0', 'facebookSocial');

  return defineSocialNetwork({
    rules: facebookRules,
    capabilities: { media: true, threads: false, deletes: true, analytics: true },
    credentials: metaCredentials,
    options: z.strictObject({}),
    expiresAt: (credentials) => metaExpiry(credentials, (credentials.app ?? app) !== undefined),
    refresh({ credentials }, signal, { outgoing }) {
      const { clientId, clientSecret } = appOf(credentials, app);
      const query = {
        grant_type: 'fb_exchange_token',
        client_id: clientId,
        client_secret: clientSecret,
        fb_exchange_token: credentials.accessToken,
      };
      return renewMetaToken(credentials, {
        name: 'Facebook',
        url: `${api}/oauth/access_token`,
        query,
        outgoing,
        signal,
      });
    },
    connect({ credentials }, { outgoing }) {
      const appSecret = (credentials.app ?? app)?.clientSecret;
      const common = { name: 'Facebook', outgoing, token: credentials.accessToken, appSecret, timeoutMs };
      const user = metaGraph({ ...common, url: api });
      const video = metaGraph({ ...common, url: videoApi });
      const tokens = new Map<string, string>();

      /** The API with the token of a Page. */
      async function pageOf(id: string, options: SocialCallOptions): Promise<FacebookPageAccess> {
        let token = tokens.get(id);
        if (token === undefined) {
          const answer = await user.get(`/${id}`, { fields: 'access_token' }, options);
          token = requiredField(textOf(answer['access_token']), { name: 'token of the Page', visible: false });
          tokens.set(id, token);
        }
        return { graph: user.as(token), video: video.as(token) };
      }

      return {
        id: 'facebook',
        async accounts(options) {
          const accounts: NetworkAccount[] = [];
          for await (const page of pagesOf(user, options)) if (mayPublish(page)) accounts.push(accountOf(page));
          return accounts;
        },
        async publish(target, steps, options) {
          return publishOnPage(await pageOf(target.externalAccountId, options), target, steps, options);
        },
        async probe(target, steps, options) {
          return probePage(await pageOf(target.externalAccountId, options), target, steps, options);
        },
        async remove({ externalAccountId, externalId }, options) {
          const { graph } = await pageOf(externalAccountId, options);
          await graph.remove(`/${externalId}`, options);
        },
        async metrics({ externalAccountId, externalId }, options) {
          const { graph } = await pageOf(externalAccountId, options);
          return figuresOf(graph, externalId, options);
        },
        close: async () => undefined,
      };
    },
  });
}
