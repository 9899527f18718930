// X over its API v2 (docs.x.com/x-api): posts, threads, attachments, metrics. If a response is lost, the post is looked up among
// the account's latest posts, by its text and by the post to which it replies.

import { z } from 'zod';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import {
  defineSocialNetwork,
  type ProbeResult,
  type PublishedPost,
  type PublishSteps,
  type SocialAdapter,
  type SocialCallOptions,
  SocialError,
  type SocialNetwork,
  type SocialTarget,
} from '../../plugins/social/port/index.ts';
import { httpSocial, requiredField, type SocialRefusal, type SocialResponse } from '../kit/http-social.ts';
import { apiUrl } from '../kit/provider-responses.ts';
import { fieldsOf, listOf, optionalText, type ReportFields, textOf } from '../kit/report-fields.ts';
import { type OAuthApp, oauthCredentials, oauthExpiry } from '../kit/social-oauth.ts';
import { renewByToken } from '../kit/social-renewal.ts';
import { absentOrUnclear, attemptNote, isSince, resultText } from '../kit/social-steps.ts';
import { uploadAll, type XCalls } from './x-media.ts';
import { xMetrics } from './x-metrics.ts';
import { xRules } from './x-rules.ts';
import { isTextOnX } from './x-texts.ts';

/** Options of `xSocial`. */
export interface XSocialOptions {
  /** The program's app, for connectors without their own app. (Default: none) */
  readonly app?: OAuthApp;
  /** (Default: https://api.x.com) */
  readonly url?: string;
  /** The time limit of one request, in milliseconds. (Default: 30,000) */
  readonly timeoutMs?: number;
  /**
   * The time between two checks of a file that is being processed, if X does not specify it, in milliseconds. (Default: 2,000)
   */
  readonly pollMs?: number;
}

const tweetName = (index: number): string => `tweet ${index + 1}`;
const duplicate = /duplicate content/i;
/** After this many refusals as a duplicate without a matching post, the refusal is final. */
const maxDuplicates = 3;

const messageOf = (fields: ReportFields): string =>
  textOf(fields['detail']) || textOf(fieldsOf(listOf(fields['errors'])[0])['message']) || textOf(fields['title']);

function refusalOf({ status, fields }: SocialResponse): SocialRefusal | undefined {
  const type = textOf(fields['type']).split('/').at(-1);
  const code = type === undefined || type === '' || type === 'about:blank' ? {} : { code: type };
  return status === 403 && duplicate.test(messageOf(fields)) ? { code: 'duplicate' } : code;
}

/** The time at which the last of the used-up limits resets: the limit of the endpoint, or a limit of 24 hours. */
function limitedUntil({ headers }: SocialResponse): number | undefined {
  const ends = ['x-rate-limit', 'x-user-limit-24hour', 'x-app-limit-24hour']
    .filter((name) => headers[`${name}-remaining`] === '0')
    .map((name) => Number(headers[`${name}-reset`]) * 1_000)
    .filter((end) => end > 0);
  return ends.length === 0 ? undefined : Math.max(...ends);
}

const postOf = (parts: readonly string[]): PublishedPost => {
  const [externalId = ''] = parts;
  return { externalId, url: `https://x.com/i/web/status/${externalId}`, parts };
};

/** The recorded ids of the tweets, in order, up to the first missing one. */
function partsOf(target: SocialTarget, steps: PublishSteps): string[] {
  const ids = target.texts.map((_text, index) => resultText(steps, tweetName(index), 'part'));
  const firstMissing = ids.indexOf('');
  return firstMissing < 0 ? ids : ids.slice(0, firstMissing);
}

/** X returns `invalid_request` for a refresh token that was already used. */
const isTokenInvalid = (_status: number, { error, error_description: description }: ReportFields): boolean =>
  error === 'invalid_grant' || (error === 'invalid_request' && /token was invalid/i.test(textOf(description)));

function adapterOf(calls: XCalls): SocialAdapter {
  const { http, url } = calls;

  async function tweet(
    target: SocialTarget,
    steps: PublishSteps,
    options: SocialCallOptions,
    { index, repliedTo, mediaIds }: { readonly index: number; readonly repliedTo: string; readonly mediaIds: string[] },
  ): Promise<string> {
    const name = tweetName(index);
    const earlierStep = steps.find(name);
    const duplicates = Number(earlierStep?.note['duplicates'] ?? 0);
    await steps.before(name, attemptNote(options.now, { duplicates }));
    try {
      const json = {
        ...(target.texts[index] === '' ? {} : { text: target.texts[index] }),
        ...(mediaIds.length === 0 ? {} : { media: { media_ids: mediaIds } }),
        ...(repliedTo === '' ? {} : { reply: { in_reply_to_tweet_id: repliedTo } }),
      };
      const { fields } = await http.call({ method: 'POST', url: `${url}/2/tweets`, json, visible: true }, options);
      const id = requiredField(textOf(fieldsOf(fields['data'])['id']), { name: 'id', visible: true });
      await steps.after(name, { part: id });
      return id;
    } catch (error) {
      // An earlier request may have succeeded, although the probe did not find its post.
      const mayHaveSucceeded = error instanceof SocialError && error.code === 'duplicate' && earlierStep !== undefined;
      if (!mayHaveSucceeded || duplicates + 1 >= maxDuplicates) throw error;
      await steps.before(name, attemptNote(options.now, { duplicates: duplicates + 1 }));
      throw new SocialError('uncertain', error.message, { cause: error, code: error.code });
    }
  }

  async function latestPosts(target: SocialTarget, options: SocialCallOptions): Promise<readonly ReportFields[]> {
    const query = { max_results: 100, 'tweet.fields': 'created_at,referenced_tweets' };
    const request = { method: 'GET', url: `${url}/2/users/${target.externalAccountId}/tweets`, query } as const;
    const { fields } = await http.call(request, options);
    return listOf(fields['data']).map(fieldsOf);
  }

  const repliesTo = (post: ReportFields): string => {
    const references = listOf(post['referenced_tweets']).map(fieldsOf);
    return textOf(references.find(({ type }) => type === 'replied_to')?.['id']);
  };

  return {
    id: 'x',
    async accounts(options) {
      const query = { 'user.fields': 'name,username,profile_image_url' };
      const { fields } = await http.call({ method: 'GET', url: `${url}/2/users/me`, query }, options);
      const me = fieldsOf(fields['data']);
      const handle = textOf(me['username']);
      return [
        {
          externalId: requiredField(textOf(me['id']), { name: 'id', visible: false }),
          displayName: textOf(me['name']) || handle,
          handle,
          avatarUrl: optionalText(me['profile_image_url']) ?? null,
          isCompany: undefined,
        },
      ];
    },

    async publish(target, steps, options) {
      const parts = partsOf(target, steps);
      const mediaIds = parts.length === 0 ? await uploadAll(calls, target.media, steps, options) : [];
      for (let index = parts.length; index < target.texts.length; index += 1) {
        const replyTo = parts.at(-1) ?? '';
        parts.push(
          await tweet(target, steps, options, { index, repliedTo: replyTo, mediaIds: index === 0 ? mediaIds : [] }),
        );
      }
      return postOf(parts);
    },

    async probe(target, steps, options): Promise<ProbeResult> {
      const parts = partsOf(target, steps);
      const name = tweetName(parts.length);
      const step = steps.find(name);
      const text = target.texts[parts.length];
      if (step !== undefined && text !== undefined) {
        const previous = parts.at(-1) ?? '';
        const match = (await latestPosts(target, options)).find(
          (post) =>
            isSince(post['created_at'], target.startedAt) &&
            repliesTo(post) === previous &&
            isTextOnX(text, textOf(post['text'])),
        );
        if (match === undefined) return absentOrUnclear(step, options.now);
        const part = textOf(match['id']);
        await steps.after(name, { part });
        parts.push(part);
      }
      return parts.length === target.texts.length ? { outcome: 'landed', post: postOf(parts) } : { outcome: 'absent' };
    },

    async remove({ parts }, options) {
      // Deletes the last post first, so that readers never see a thread without its beginning.
      for (const part of parts.toReversed()) {
        const request = { method: 'DELETE', url: `${url}/2/tweets/${part}` } as const;
        const response = await http.ask(request, options);
        if (response.status !== 404 && (response.status < 200 || response.status >= 300))
          throw http.errorOf(response, request, options.now);
      }
    },

    metrics: (live, options) => xMetrics(calls, live, options),
    close: async () => undefined,
  };
}

/** X as the program composes it. Construction has no side effects. */
export function xSocial(options: XSocialOptions = {}): SocialNetwork {
  checkOptions<XSocialOptions>('xSocial', options, {
    app: 'optional',
    url: 'optional',
    timeoutMs: 'optional',
    pollMs: 'optional',
  });
  const { app, timeoutMs, pollMs = 2_000 } = options;
  const url = apiUrl(options.url ?? 'https://api.x.com', 'xSocial');
  return defineSocialNetwork({
    rules: xRules,
    capabilities: { media: true, threads: true, deletes: true, analytics: true },
    credentials: z.strictObject(oauthCredentials),
    options: z.strictObject({ company: z.boolean().optional() }),
    expiresAt: oauthExpiry,
    refresh: ({ credentials }, signal, { outgoing }) =>
      renewByToken(credentials, {
        name: 'X',
        url: `${url}/2/oauth2/token`,
        app,
        appFields: 'basic',
        outgoing,
        signal,
        isTokenInvalid,
      }),
    connect({ credentials: { accessToken } }, { outgoing }) {
      const http = httpSocial({
        name: 'X',
        outgoing,
        secrets: () => [accessToken],
        headers: () => ({ authorization: `Bearer ${accessToken}` }),
        errorMessage: messageOf,
        refusal: refusalOf,
        limitedUntil,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      });
      return adapterOf({ http, url, pollMs });
    },
  });
}
