// Reddit over its API (reddit.com/dev/api): posts of texts, links, images, galleries and videos. If a response is lost, the post
// is looked up among the account's submissions. For images and videos Reddit responds before it has created the post, which is
// then looked up in the same way.

import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import {
  defineSocialNetwork,
  type PublishedPost,
  type PublishSteps,
  type SocialAdapter,
  type SocialCallOptions,
  SocialError,
  type SocialNetwork,
  type SocialTarget,
} from '../../plugins/social/port/index.ts';
import { httpSocial, requiredField, type SocialRequest, type SocialResponse } from '../kit/http-social.ts';
import { apiUrl } from '../kit/provider-responses.ts';
import { fieldsOf, listOf, optionalText, type ReportFields, textOf } from '../kit/report-fields.ts';
import { type OAuthApp, oauthCredentials, oauthExpiry } from '../kit/social-oauth.ts';
import { renewByToken } from '../kit/social-renewal.ts';
import { absentOrUnclear, attemptNote, isSameText, isSince, resultText } from '../kit/social-steps.ts';
import { type RedditCalls, uploadAll } from './reddit-media.ts';
import { waitMsInMessage } from './reddit-rate-limit.ts';
import { redditRules } from './reddit-rules.ts';

/** Options of `redditSocial`. */
export interface RedditSocialOptions {
  /** The program's app, for connectors without their own app. (Default: none) */
  readonly app?: OAuthApp;
  /** Reddit requires each app to identify itself: `platform:app:version (by /u/name)`. (Default: server:postrider:v1) */
  readonly userAgent?: string;
  /** (Default: https://oauth.reddit.com) */
  readonly url?: string;
  /** The URL at which tokens are refreshed. (Default: https://www.reddit.com/api/v1/access_token) */
  readonly tokenUrl?: string;
  /** The time limit of one request, in milliseconds. (Default: 30,000) */
  readonly timeoutMs?: number;
  /** The time between two look-ups of a post that Reddit is still creating, in milliseconds. (Default: 2,000) */
  readonly pollMs?: number;
}

/** How long a post of images or videos is looked up before the service checks again later. */
const maxPollMs = 20_000;
const settingProblems = new Set(['SUBREDDIT_NOEXIST', 'SUBREDDIT_NOTALLOWED', 'SUBREDDIT_REQUIRED', 'BAD_SR_NAME']);

/** The errors that Reddit writes into a response of 200, each as `[code, message, field]`. */
const errorsOf = (fields: ReportFields): string[][] =>
  listOf(fieldsOf(fields['json'])['errors']).map((error) => listOf(error).map(textOf));

/** @throws SocialError for a response of 200 that reports that nothing was submitted */
function checkSubmitted(fields: ReportFields, now: number): void {
  const [error] = errorsOf(fields);
  if (error === undefined) return;
  const [code = '', message = ''] = error;
  if (code === 'RATELIMIT') {
    const seconds = Number(fieldsOf(fields['json'])['ratelimit']);
    const ms = seconds > 0 ? seconds * 1_000 : waitMsInMessage(message) || 600_000;
    throw new SocialError('limited', message, { code, until: now + ms });
  }
  const problem = settingProblems.has(code) ? { problem: 'setting_invalid' } : {};
  throw new SocialError('rejected', message || code, { code, ...problem });
}

function limitedUntil({ headers }: SocialResponse, now: number): number | undefined {
  const seconds = Number(headers['x-ratelimit-reset']);
  return seconds > 0 ? now + seconds * 1_000 : undefined;
}

const postOf = (name: string): PublishedPost => ({
  externalId: name,
  url: `https://www.reddit.com/comments/${name.replace(/^t3_/, '')}/`,
});

const isLinkPost = ({ texts: [text], media, linkUrl }: SocialTarget): boolean =>
  text === '' && media.length === 0 && linkUrl !== null;

/** Reddit writes times in seconds. */
const createdAt = ({ created_utc: seconds }: ReportFields): string =>
  typeof seconds === 'number' ? new Date(seconds * 1_000).toISOString() : '';

function isOurs(post: ReportFields, target: SocialTarget): boolean {
  const { subreddit = '', title = '' } = target.settings;
  return (
    isSince(createdAt(post), target.startedAt) &&
    textOf(post['subreddit']).toLowerCase() === subreddit.toLowerCase() &&
    isSameText(textOf(post['title']), title) &&
    isSameText(textOf(post['selftext']), target.texts[0]) &&
    (!isLinkPost(target) || textOf(post['url']) === target.linkUrl)
  );
}

function adapterOf(calls: RedditCalls): SocialAdapter {
  const { http, url, pollMs } = calls;

  async function submissions({ externalAccountId }: SocialTarget, options: SocialCallOptions) {
    const request = {
      method: 'GET',
      url: `${url}/user/${encodeURIComponent(externalAccountId)}/submitted`,
      query: { sort: 'new', limit: 100, raw_json: 1 },
    } as const;
    const { fields } = await http.call(request, options);
    return listOf(fieldsOf(fields['data'])['children']).map((child) => fieldsOf(fieldsOf(child)['data']));
  }

  /** The post that the submission created: a matching post that was not there before. */
  async function findCreatedPost(target: SocialTarget, steps: PublishSteps, options: SocialCallOptions) {
    const earlierNames = listOf(steps.find('submit')?.note['before']);
    const posts = await submissions(target, options);
    return optionalText(posts.find((post) => isOurs(post, target) && !earlierNames.includes(post['name']))?.['name']);
  }

  async function requestOf(
    target: SocialTarget,
    steps: PublishSteps,
    options: SocialCallOptions,
  ): Promise<SocialRequest> {
    const { subreddit: sr, title } = target.settings;
    const [text] = target.texts;
    const { files, poster } = await uploadAll(calls, target.media, steps, options);
    if (files.length > 1) {
      const items = files.map(({ id }) => ({ media_id: id, caption: '', outbound_url: '' }));
      const json = { api_type: 'json', sr, title, items, text, sendreplies: true, show_error_list: true };
      return {
        method: 'POST',
        url: `${url}/api/submit_gallery_post.json`,
        query: { raw_json: 1 },
        json,
        visible: true,
      };
    }
    const [file] = files;
    const content: Record<string, string | undefined> =
      file !== undefined
        ? { kind: poster === undefined ? 'image' : 'video', url: file.url, video_poster_url: poster?.url, text }
        : isLinkPost(target)
          ? { kind: 'link', url: target.linkUrl ?? '', resubmit: 'true' }
          : { kind: 'self', text };
    const form = { api_type: 'json', raw_json: '1', sendreplies: 'true', sr, title, ...content };
    return { method: 'POST', url: `${url}/api/submit`, form, visible: true };
  }

  /** Waits for a post that Reddit creates after its response. @throws SocialError `uncertain` if it takes too long */
  async function waitForPost(target: SocialTarget, steps: PublishSteps, options: SocialCallOptions): Promise<string> {
    const end = Date.now() + maxPollMs;
    for (;;) {
      const name = await findCreatedPost(target, steps, options).catch((cause: unknown) => {
        throw new SocialError('uncertain', 'Reddit accepted the post but does not show it yet.', { cause });
      });
      if (name !== undefined) return name;
      if (Date.now() > end) throw new SocialError('uncertain', 'Reddit accepted the post but does not show it yet.');
      await wait(pollMs, undefined, { signal: options.signal }).catch((cause: unknown) => {
        throw new SocialError('uncertain', 'The call ended while Reddit was making the post.', { cause });
      });
    }
  }

  return {
    id: 'reddit',
    async accounts(options) {
      const { fields } = await http.call({ method: 'GET', url: `${url}/api/v1/me`, query: { raw_json: 1 } }, options);
      const name = requiredField(textOf(fields['name']), { name: 'name', visible: false });
      return [
        {
          externalId: name,
          displayName: textOf(fieldsOf(fields['subreddit'])['title']) || name,
          handle: name,
          avatarUrl: optionalText(fields['icon_img']) ?? null,
          isCompany: undefined,
        },
      ];
    },

    async publish(target, steps, options) {
      const recordedId = resultText(steps, 'submit', 'part');
      if (recordedId !== '') return postOf(recordedId);
      const request = await requestOf(target, steps, options);
      const earlier = steps.find('submit');
      // An earlier request may have succeeded after the last probe.
      const earlierPost = earlier === undefined ? undefined : await findCreatedPost(target, steps, options);
      if (earlierPost === undefined) {
        const similarPosts = earlier === undefined ? await submissions(target, options) : [];
        const names = similarPosts.filter((post) => isOurs(post, target)).map(({ name }) => textOf(name));
        await steps.before('submit', attemptNote(options.now, { before: earlier?.note['before'] ?? names }));
        const { fields } = await http.call(request, options);
        checkSubmitted(fields, options.now);
        const data = fieldsOf(fieldsOf(fields['json'])['data']);
        const responseId = textOf(data['name']) || textOf(data['id']);
        const postId = /^t3_\w+$/.test(responseId) ? responseId : await waitForPost(target, steps, options);
        await steps.after('submit', { part: postId });
        return postOf(postId);
      }
      await steps.after('submit', { part: earlierPost });
      return postOf(earlierPost);
    },

    async probe(target, steps, options) {
      const recordedId = resultText(steps, 'submit', 'part');
      if (recordedId !== '') return { outcome: 'landed', post: postOf(recordedId) };
      const step = steps.find('submit');
      if (step === undefined) return { outcome: 'absent' };
      const postId = await findCreatedPost(target, steps, options);
      if (postId === undefined) return absentOrUnclear(step, options.now);
      await steps.after('submit', { part: postId });
      return { outcome: 'landed', post: postOf(postId) };
    },

    async remove({ externalId }, options) {
      await http.call({ method: 'POST', url: `${url}/api/del`, form: { id: externalId } }, options);
    },

    async metrics({ externalId }, options) {
      const query = { id: externalId, raw_json: 1 };
      const { fields } = await http.call({ method: 'GET', url: `${url}/api/info`, query }, options);
      const [child] = listOf(fieldsOf(fields['data'])['children']);
      const post = fieldsOf(fieldsOf(child)['data']);
      const figure = (name: string): number | null =>
        typeof post[name] === 'number' ? Math.max(0, post[name] as number) : null;
      return {
        impressions: figure('view_count'),
        reach: null,
        likes: figure('ups'),
        comments: figure('num_comments'),
        shares: figure('num_crossposts'),
        clicks: null,
        saves: null,
        videoViews: null,
      };
    },
    close: async () => undefined,
  };
}

/** Reddit as the program composes it. Construction has no side effects. */
export function redditSocial(options: RedditSocialOptions = {}): SocialNetwork {
  checkOptions<RedditSocialOptions>('redditSocial', options, {
    app: 'optional',
    userAgent: 'optional',
    url: 'optional',
    tokenUrl: 'optional',
    timeoutMs: 'optional',
    pollMs: 'optional',
  });
  const { app, userAgent = 'server:postrider:v1', timeoutMs, pollMs = 2_000 } = options;
  const url = apiUrl(options.url ?? 'https://oauth.reddit.com', 'redditSocial');
  const tokenUrl = apiUrl(options.tokenUrl ?? 'https://www.reddit.com/api/v1/access_token', 'redditSocial');
  return defineSocialNetwork({
    rules: redditRules,
    capabilities: { media: true, threads: false, deletes: true, analytics: true },
    credentials: z.strictObject(oauthCredentials),
    options: z.strictObject({ company: z.boolean().optional() }),
    expiresAt: oauthExpiry,
    refresh: ({ credentials }, signal, { outgoing }) =>
      renewByToken(credentials, {
        name: 'Reddit',
        url: tokenUrl,
        app,
        appFields: 'basic',
        headers: { 'user-agent': userAgent },
        outgoing,
        signal,
        // For an expired token, Reddit returns 400 without a code of the standard.
        isTokenInvalid: (status, { error }) => status === 400 && (error === 'invalid_grant' || error === 400),
      }),
    connect({ credentials: { accessToken } }, { outgoing }) {
      const common = {
        outgoing,
        secrets: () => [accessToken],
        limitedUntil,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      };
      const http = httpSocial({
        ...common,
        name: 'Reddit',
        headers: () => ({ authorization: `bearer ${accessToken}`, 'user-agent': userAgent }),
        errorMessage: (fields) =>
          textOf(fields['explanation']) || textOf(fields['message']) || textOf(fields['reason']),
      });
      const storage = httpSocial({ ...common, name: "Reddit's storage", errorMessage: () => '' });
      return adapterOf({ http, storage, url, pollMs });
    },
  });
}
