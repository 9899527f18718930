// YouTube over its Data API v3 (developers.google.com/youtube/v3): one channel, to which videos are uploaded by the resumable
// protocol.

import { z } from 'zod';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import { defineSocialNetwork, type SocialNetwork } from '../../plugins/social/port/index.ts';
import { httpSocial, type SocialRefusal, type SocialResponse } from '../kit/http-social.ts';
import { apiUrl } from '../kit/provider-responses.ts';
import { fieldsOf, listOf, optionalText, type ReportFields, textOf } from '../kit/report-fields.ts';
import { type OAuthApp, oauthCredentials, oauthExpiry } from '../kit/social-oauth.ts';
import { renewByToken } from '../kit/social-renewal.ts';
import { youtubeRules } from './youtube-rules.ts';
import { probeVideo, publishVideo, type YoutubeAccess } from './youtube-upload.ts';

/** Options of `youtubeSocial`. */
export interface YoutubeSocialOptions {
  /** The program's OAuth client; a connector may have its own. Refreshes the tokens, which are valid for an hour. */
  readonly app?: OAuthApp;
  /** (Default: https://www.googleapis.com) */
  readonly url?: string;
  /** The URL at which tokens are refreshed. (Default: https://oauth2.googleapis.com/token) */
  readonly tokenUrl?: string;
  /** The time limit of one request, in milliseconds. (Default: 30,000) */
  readonly timeoutMs?: number;
  /** The size of one upload request, in bytes: a multiple of 262,144. (Default: 8 MiB) */
  readonly chunkBytes?: number;
}

const reasonOf = (fields: ReportFields): string =>
  textOf(fieldsOf(listOf(fieldsOf(fields['error'])['errors'])[0])['reason']);

/** Quotas that are used up until the end of the day in California. */
const dailyReasons: ReadonlySet<string> = new Set(['quotaExceeded', 'dailyLimitExceeded', 'uploadLimitExceeded']);
const briefReasons: ReadonlySet<string> = new Set(['rateLimitExceeded', 'userRateLimitExceeded']);

function refusalOf({ fields }: SocialResponse): SocialRefusal | undefined {
  const code = reasonOf(fields);
  if (code === '') return undefined;
  if (dailyReasons.has(code) || briefReasons.has(code)) return { code, fault: 'limited' };
  // The user has no channel: the status is 401, but the credentials are valid.
  if (code === 'youtubeSignupRequired') return { code, fault: 'rejected' };
  return { code };
}

/** The next midnight in California, when daily quotas reset. */
function untilMidnight(now: number): number {
  const time = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const;
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: 'America/Los_Angeles', ...time }).formatToParts(now);
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value);
  const passedSeconds = (part('hour') * 60 + part('minute')) * 60 + part('second');
  return now + (86_400 - passedSeconds) * 1_000;
}

function limitedUntil({ fields }: SocialResponse, now: number): number | undefined {
  const reason = reasonOf(fields);
  if (dailyReasons.has(reason)) return untilMidnight(now);
  return briefReasons.has(reason) ? now + 60_000 : undefined;
}

const figure = (fields: ReportFields, name: string): number | null => {
  const value = textOf(fields[name]);
  return /^\d+$/.test(value) ? Number(value) : null;
};

/** YouTube as the program composes it. Construction has no side effects. */
export function youtubeSocial(options: YoutubeSocialOptions = {}): SocialNetwork {
  checkOptions<YoutubeSocialOptions>('youtubeSocial', options, {
    app: 'optional',
    url: 'optional',
    tokenUrl: 'optional',
    timeoutMs: 'optional',
    chunkBytes: 'optional',
  });
  const { app, timeoutMs, chunkBytes = 8 * 1_024 * 1_024 } = options;
  const url = apiUrl(options.url ?? 'https://www.googleapis.com', 'youtubeSocial');
  const tokenUrl = apiUrl(options.tokenUrl ?? 'https://oauth2.googleapis.com/token', 'youtubeSocial');
  if (!(chunkBytes > 0 && chunkBytes % 262_144 === 0))
    throw new TypeError('youtubeSocial: `chunkBytes` must be a multiple of 262,144.');

  return defineSocialNetwork({
    rules: youtubeRules,
    capabilities: { media: true, threads: false, deletes: true, analytics: true },
    credentials: z.strictObject(oauthCredentials),
    options: z.strictObject({
      company: z
        .boolean()
        .default(false)
        .describe('Whether the channel belongs to a company. YouTube does not report this, so you state it here.'),
    }),
    expiresAt: oauthExpiry,
    refresh: ({ credentials }, signal, { outgoing }) =>
      renewByToken(credentials, { name: 'YouTube', url: tokenUrl, app, outgoing, signal }),
    connect({ credentials: { accessToken } }, { outgoing }) {
      const http = httpSocial({
        name: 'YouTube',
        outgoing,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        secrets: () => [accessToken],
        headers: () => ({ authorization: `Bearer ${accessToken}` }),
        errorMessage: (fields) => textOf(fieldsOf(fields['error'])['message']),
        refusal: refusalOf,
        limitedUntil,
      });
      const access: YoutubeAccess = { http, url, chunkBytes };
      return {
        id: 'youtube',
        async accounts(options) {
          const query = { part: 'snippet', mine: 'true' };
          const { fields } = await http.call({ method: 'GET', url: `${url}/youtube/v3/channels`, query }, options);
          return listOf(fields['items'])
            .map(fieldsOf)
            .map((channel) => {
              const snippet = fieldsOf(channel['snippet']);
              const picture = fieldsOf(fieldsOf(snippet['thumbnails'])['default'])['url'];
              return {
                externalId: textOf(channel['id']),
                displayName: textOf(snippet['title']) || textOf(channel['id']),
                handle: textOf(snippet['customUrl']).replace(/^@/, ''),
                avatarUrl: optionalText(picture) ?? null,
                isCompany: undefined,
              };
            });
        },
        publish: (target, steps, options) => publishVideo(access, target, steps, options),
        probe: (target, steps, options) => probeVideo(access, target, steps, options),
        async remove({ externalId }, options) {
          const request = { method: 'DELETE', url: `${url}/youtube/v3/videos`, query: { id: externalId } } as const;
          const response = await http.ask(request, options);
          if (response.status === 404 || (response.status >= 200 && response.status < 300)) return;
          throw http.errorOf(response, request, options.now);
        },
        async metrics({ externalId }, options) {
          const query = { part: 'statistics', id: externalId };
          const { fields } = await http.call({ method: 'GET', url: `${url}/youtube/v3/videos`, query }, options);
          const statistics = fieldsOf(fieldsOf(listOf(fields['items'])[0])['statistics']);
          return {
            impressions: null,
            reach: null,
            likes: figure(statistics, 'likeCount'),
            comments: figure(statistics, 'commentCount'),
            shares: null,
            clicks: null,
            saves: null,
            videoViews: figure(statistics, 'viewCount'),
          };
        },
        close: async () => undefined,
      };
    },
  });
}
