// TikTok over its Content Posting API (developers.tiktok.com/doc/content-posting-api-get-started): direct posts of one creator.
// The network does not support deletion or, with these scopes, metrics.

import { z } from 'zod';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import {
  defineSocialNetwork,
  type SocialCallOptions,
  SocialError,
  type SocialNetwork,
  type SocialTarget,
} from '../../plugins/social/port/index.ts';
import {
  httpSocial,
  type SocialHttp,
  type SocialRefusal,
  type SocialRequest,
  type SocialResponse,
} from '../kit/http-social.ts';
import { apiUrl } from '../kit/provider-responses.ts';
import { fieldsOf, listOf, optionalText, type ReportFields, textOf } from '../kit/report-fields.ts';
import { type OAuthApp, oauthCredentials, oauthExpiry } from '../kit/social-oauth.ts';
import { renewByToken } from '../kit/social-renewal.ts';
import { probeTiktok, publishOnTiktok, type TiktokAccess } from './tiktok-publish.ts';
import { tiktokRules } from './tiktok-rules.ts';

/** Options of `tiktokSocial`. */
export interface TiktokSocialOptions {
  /**
   * The program's app: its client key and secret. A connector may have its own. Refreshes the tokens, which are valid for hours.
   */
  readonly app?: OAuthApp;
  /** (Default: https://open.tiktokapis.com) */
  readonly url?: string;
  /** The time limit of one request, in milliseconds. (Default: 30,000) */
  readonly timeoutMs?: number;
  /** The time between two checks of a post that is being processed, in milliseconds. (Default: 3,000) */
  readonly pollMs?: number;
  /** The size of one part of an upload, in bytes: 5,000,000 to 64,000,000. (Default: 32,000,000) */
  readonly chunkBytes?: number;
}

const codeOf = (fields: ReportFields): string => {
  const { error } = fields;
  return typeof error === 'string' ? error : textOf(fieldsOf(error)['code']);
};

const limits: Readonly<Record<string, number>> = {
  rate_limit_exceeded: 60_000,
  spam_risk_too_many_pending_share: 3_600_000,
  spam_risk_too_many_posts: 6 * 3_600_000,
  reached_active_user_cap: 6 * 3_600_000,
};
const tokenCodes: ReadonlySet<string> = new Set(['access_token_invalid', 'scope_not_authorized']);
const privacyCodes: ReadonlySet<string> = new Set([
  'privacy_level_option_mismatch',
  'unaudited_client_can_only_post_to_private_accounts',
]);

function refusalOf({ fields, status }: SocialResponse, { visible }: SocialRequest): SocialRefusal | undefined {
  const code = codeOf(fields);
  if (code === '' || code === 'ok') return undefined;
  if (tokenCodes.has(code)) return { code, fault: 'disconnected', credentials: 'revoked' };
  if (Object.hasOwn(limits, code)) return { code, fault: 'limited' };
  if (privacyCodes.has(code)) return { code, fault: 'rejected', problem: 'setting_invalid' };
  if (code === 'internal_error' || status >= 500) return { code, fault: visible === true ? 'uncertain' : 'transient' };
  return { code, fault: 'rejected' };
}

/** Calls the API. A response of 200 may contain an error. */
function callsOf(http: SocialHttp, url: string) {
  const call = async (request: SocialRequest, options: SocialCallOptions): Promise<ReportFields> => {
    const { fields } = await http.call(request, options);
    return fieldsOf(fields['data']);
  };
  return {
    call: (path: string, json: unknown, options: SocialCallOptions, visible = false) =>
      call(
        {
          method: 'POST',
          url: `${url}${path}`,
          json,
          headers: { 'content-type': 'application/json; charset=UTF-8' },
          visible,
        },
        options,
      ),
    get: (path: string, query: Readonly<Record<string, string>>, options: SocialCallOptions) =>
      call({ method: 'GET', url: `${url}${path}`, query }, options),
  };
}

const privacyNames: Readonly<Record<string, string>> = {
  PUBLIC_TO_EVERYONE: 'Everyone',
  MUTUAL_FOLLOW_FRIENDS: 'Friends',
  FOLLOWER_OF_CREATOR: 'Followers',
  SELF_ONLY: 'Only the account itself',
};

/** Checks the creator's current permissions. @throws SocialError `rejected` */
function checkCreator(creator: ReportFields, { settings, media }: SocialTarget): void {
  const allowedLevels = listOf(creator['privacy_level_options']).map(textOf);
  if (!allowedLevels.includes(settings['privacy'] ?? '')) {
    const text = `The account does not allow this privacy; it allows ${allowedLevels.join(', ')}.`;
    throw new SocialError('rejected', text, { problem: 'setting_invalid' });
  }
  const seconds = Number(creator['max_video_post_duration_sec']);
  const longestSeconds = Math.max(0, ...media.map(({ durationMs }) => durationMs ?? 0));
  if (seconds > 0 && longestSeconds > seconds * 1_000) {
    throw new SocialError('rejected', `The account may post videos of ${seconds} seconds at most.`, {
      problem: 'media_too_large',
    });
  }
}

/** TikTok as the program composes it. Construction has no side effects. */
export function tiktokSocial(networkOptions: TiktokSocialOptions = {}): SocialNetwork {
  checkOptions<TiktokSocialOptions>('tiktokSocial', networkOptions, {
    app: 'optional',
    url: 'optional',
    timeoutMs: 'optional',
    pollMs: 'optional',
    chunkBytes: 'optional',
  });
  const { app, timeoutMs, pollMs = 3_000, chunkBytes = 32_000_000 } = networkOptions;
  const url = apiUrl(networkOptions.url ?? 'https://open.tiktokapis.com', 'tiktokSocial');
  if (!(chunkBytes >= 5_000_000 && chunkBytes <= 64_000_000))
    throw new TypeError('tiktokSocial: `chunkBytes` must be from 5,000,000 to 64,000,000.');

  return defineSocialNetwork({
    rules: tiktokRules,
    capabilities: { media: true, threads: false, deletes: false, analytics: false },
    credentials: z.strictObject(oauthCredentials),
    options: z.strictObject({
      company: z
        .boolean()
        .default(false)
        .describe('Whether the account belongs to a company. TikTok does not report this, so you state it here.'),
    }),
    expiresAt: oauthExpiry,
    refresh: ({ credentials }, signal, { outgoing }) =>
      renewByToken(credentials, {
        name: 'TikTok',
        url: `${url}/v2/oauth/token/`,
        app,
        appFields: ({ clientId, clientSecret }) => ({ client_key: clientId, client_secret: clientSecret }),
        outgoing,
        signal,
      }),
    connect({ credentials: { accessToken } }, { outgoing }) {
      const network = {
        name: 'TikTok',
        outgoing,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        secrets: () => [accessToken],
        errorMessage: (fields: ReportFields) => textOf(fieldsOf(fields['error'])['message']),
        refusal: refusalOf,
        limitedUntil: ({ fields }: SocialResponse, now: number) => {
          const ms = limits[codeOf(fields)];
          return ms === undefined ? undefined : now + ms;
        },
      };
      const http = httpSocial({ ...network, headers: () => ({ authorization: `Bearer ${accessToken}` }) });
      const calls = callsOf(http, url);
      const access: TiktokAccess = {
        call: calls.call,
        uploads: httpSocial(network),
        pollMs,
        maxPollMs: 40_000,
        chunkBytes,
      };
      const creatorOf = (options: SocialCallOptions): Promise<ReportFields> =>
        calls.call('/v2/post/publish/creator_info/query/', {}, options);
      return {
        id: 'tiktok',
        async accounts(options) {
          const { user } = await calls.get('/v2/user/info/', { fields: 'open_id,avatar_url,display_name' }, options);
          const creator = await creatorOf(options);
          const handle = textOf(creator['creator_username']);
          const allowedLevels = listOf(creator['privacy_level_options']).map(textOf);
          return [
            {
              externalId: textOf(fieldsOf(user)['open_id']),
              displayName: textOf(creator['creator_nickname']) || textOf(fieldsOf(user)['display_name']) || handle,
              handle,
              avatarUrl: optionalText(creator['creator_avatar_url']) ?? null,
              isCompany: undefined,
              options: { privacy: allowedLevels.map((value) => ({ value, name: privacyNames[value] ?? value })) },
            },
          ];
        },
        async publish(target, steps, options) {
          // TikTok requires that the creator's data is queried before each post.
          const creator = await creatorOf(options);
          checkCreator(creator, target);
          return publishOnTiktok(access, target, steps, options, textOf(creator['creator_username']));
        },
        probe: (target, steps, options) =>
          probeTiktok(access, target, steps, options, async () =>
            creatorOf(options)
              .then((creator) => textOf(creator['creator_username']))
              .catch(() => ''),
          ),
        close: async () => undefined,
      };
    },
  });
}
