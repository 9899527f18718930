// Pinterest over its API v5 (developers.pinterest.com/docs/api/v5): one account with its boards.

import { z } from 'zod';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import {
  type AccountOption,
  defineSocialNetwork,
  type SocialCallOptions,
  type SocialNetwork,
} from '../../plugins/social/port/index.ts';
import { httpSocial, type SocialHttp, type SocialResponse } from '../kit/http-social.ts';
import { apiUrl } from '../kit/provider-responses.ts';
import { fieldsOf, listOf, optionalText, textOf } from '../kit/report-fields.ts';
import { type OAuthApp, oauthCredentials, oauthExpiry } from '../kit/social-oauth.ts';
import { renewByToken } from '../kit/social-renewal.ts';
import { type PinterestAccess, probePin, publishPin } from './pinterest-publish.ts';
import { pinterestRules } from './pinterest-rules.ts';

/** Options of `pinterestSocial`. */
export interface PinterestSocialOptions {
  /** The program's app; a connector may have its own. Refreshes the tokens, which are valid for 30 days. */
  readonly app?: OAuthApp;
  /** Includes the version of the API. (Default: https://api.pinterest.com/v5) */
  readonly url?: string;
  /** The time limit of one request, in milliseconds. (Default: 30,000) */
  readonly timeoutMs?: number;
  /** The time between two checks of a video that is being processed, in milliseconds. (Default: 3,000) */
  readonly pollMs?: number;
}

const maxBoardPages = 8;
const dayMs = 86_400_000;

/** The boards of the account: at most 2,000. */
async function boardsOf(http: SocialHttp, url: string, options: SocialCallOptions): Promise<AccountOption[]> {
  const boards: AccountOption[] = [];
  let bookmark: string | undefined;
  for (let page = 0; page < maxBoardPages; page += 1) {
    const query = { page_size: 250, bookmark };
    const { fields } = await http.call({ method: 'GET', url: `${url}/boards`, query }, options);
    for (const board of listOf(fields['items']).map(fieldsOf)) {
      boards.push({ value: textOf(board['id']), name: textOf(board['name']) });
    }
    bookmark = optionalText(fields['bookmark']);
    if (bookmark === undefined) break;
  }
  return boards;
}

/** The time at which calls are accepted again. */
function limitedUntil({ headers }: SocialResponse, now: number): number | undefined {
  const seconds = Number(headers['x-ratelimit-reset'] ?? 'none');
  return seconds > 0 ? now + seconds * 1_000 : undefined;
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

async function figuresOf(http: SocialHttp, url: string, id: string, options: SocialCallOptions) {
  const query = {
    // The API covers at most the last 90 days.
    start_date: dayOf(options.now - 89 * dayMs),
    end_date: dayOf(options.now),
    metric_types: 'IMPRESSION,OUTBOUND_CLICK,SAVE,VIDEO_MRC_VIEW,TOTAL_COMMENTS,TOTAL_REACTIONS',
  };
  const { fields } = await http.call({ method: 'GET', url: `${url}/pins/${id}/analytics`, query }, options);
  const allDays = fieldsOf(fields['all']);
  const metrics = { ...fieldsOf(allDays['summary_metrics']), ...fieldsOf(allDays['lifetime_metrics']) };
  const figure = (name: string): number | null => {
    const value = metrics[name];
    return typeof value === 'number' ? Math.round(value) : null;
  };
  return {
    impressions: figure('IMPRESSION'),
    reach: null,
    likes: figure('TOTAL_REACTIONS'),
    comments: figure('TOTAL_COMMENTS'),
    shares: null,
    clicks: figure('OUTBOUND_CLICK'),
    saves: figure('SAVE'),
    videoViews: figure('VIDEO_MRC_VIEW'),
  };
}

/** Pinterest as the program composes it. Construction has no side effects. */
export function pinterestSocial(networkOptions: PinterestSocialOptions = {}): SocialNetwork {
  checkOptions<PinterestSocialOptions>('pinterestSocial', networkOptions, {
    app: 'optional',
    url: 'optional',
    timeoutMs: 'optional',
    pollMs: 'optional',
  });
  const { app, timeoutMs, pollMs = 3_000 } = networkOptions;
  const url = apiUrl(networkOptions.url ?? 'https://api.pinterest.com/v5', 'pinterestSocial');

  return defineSocialNetwork({
    rules: pinterestRules,
    capabilities: { media: true, threads: false, deletes: true, analytics: true },
    credentials: z.strictObject(oauthCredentials),
    options: z.strictObject({}),
    expiresAt: oauthExpiry,
    refresh: ({ credentials }, signal, { outgoing }) =>
      renewByToken(credentials, {
        name: 'Pinterest',
        url: `${url}/oauth/token`,
        app,
        appFields: 'basic',
        outgoing,
        signal,
        // For an expired token, Pinterest returns its own code.
        isTokenInvalid: (status, fields) =>
          status === 401 || (status === 400 && textOf(fields['error']) === 'invalid_grant'),
      }),
    connect({ credentials: { accessToken } }, { outgoing }) {
      const network = {
        name: 'Pinterest',
        outgoing,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        secrets: () => [accessToken],
        errorMessage: (fields: Readonly<Record<string, unknown>>) => textOf(fields['message']),
        limitedUntil,
      };
      const http = httpSocial({ ...network, headers: () => ({ authorization: `Bearer ${accessToken}` }) });
      const access: PinterestAccess = { http, uploads: httpSocial(network), url, pollMs };
      return {
        id: 'pinterest',
        async accounts(options) {
          const { fields } = await http.call({ method: 'GET', url: `${url}/user_account` }, options);
          const handle = textOf(fields['username']);
          return [
            {
              externalId: textOf(fields['id']) || handle,
              displayName: textOf(fields['business_name']) || handle,
              handle,
              avatarUrl: optionalText(fields['profile_image']) ?? null,
              isCompany: fields['account_type'] === 'BUSINESS',
              options: { boardId: await boardsOf(http, url, options) },
            },
          ];
        },
        publish: (target, steps, options) => publishPin(access, target, steps, options),
        probe: (target, steps, options) => probePin(access, target, steps, options),
        async remove({ externalId }, options) {
          const request = { method: 'DELETE', url: `${url}/pins/${externalId}` } as const;
          const response = await http.ask(request, options);
          if (response.status === 404 || (response.status >= 200 && response.status < 300)) return;
          throw http.errorOf(response, request, options.now);
        },
        metrics: ({ externalId }, options) => figuresOf(http, url, externalId, options),
        close: async () => undefined,
      };
    },
  });
}
