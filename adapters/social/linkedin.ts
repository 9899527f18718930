// LinkedIn over its versioned Posts API (learn.microsoft.com/en-us/linkedin/marketing): pages of organisations. If a response is
// lost, the post is looked up among the page's latest posts. If LinkedIn refuses a duplicate, its error contains the id of the
// earlier post, which is then read.

import { z } from 'zod';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import {
  defineSocialNetwork,
  type NetworkAccount,
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
import { fieldsOf, listOf, type ReportFields, textOf } from '../kit/report-fields.ts';
import { linkTitle } from '../kit/social-links.ts';
import { type OAuthApp, oauthCredentials, oauthExpiry } from '../kit/social-oauth.ts';
import { renewByToken } from '../kit/social-renewal.ts';
import { absentOrUnclear, attemptNote, isSameText, isSince, resultText } from '../kit/social-steps.ts';
import { type LinkedinCalls, uploadAll } from './linkedin-media.ts';
import { linkedinRules } from './linkedin-rules.ts';
import { fromLittleText, toLittleText } from './linkedin-texts.ts';

/** Options of `linkedinSocial`. */
export interface LinkedinSocialOptions {
  /** The program's app, for connectors without their own app. (Default: none) */
  readonly app?: OAuthApp;
  /** The version of the API, as YYYYMM. LinkedIn ends a version about a year after its release. (Default: 202606) */
  readonly version?: string;
  /** (Default: https://api.linkedin.com) */
  readonly url?: string;
  /** The URL at which tokens are refreshed. (Default: https://www.linkedin.com/oauth/v2/accessToken) */
  readonly tokenUrl?: string;
  /** The time limit of one request, in milliseconds. (Default: 30,000) */
  readonly timeoutMs?: number;
  /** The time between two checks of a file that is being processed, in milliseconds. (Default: 2,000) */
  readonly pollMs?: number;
}

const postingRoles = new Set(['ADMINISTRATOR', 'CONTENT_ADMINISTRATOR', 'CONTENT_ADMIN']);
const organizationUrn = /^urn:li:organization:(\d+)$/;
const duplicateCode = 'DUPLICATE_POST';

function refusalOf({ status, fields }: SocialResponse): SocialRefusal {
  const code = textOf(fields['code']) || textOf(fields['serviceErrorCode']);
  if (status === 401) return { code, credentials: code === 'EXPIRED_ACCESS_TOKEN' ? 'expired' : 'revoked' };
  return code === '' ? {} : { code };
}

/** Limits apply to a day, which ends at midnight UTC. */
const limitedUntil = (_answer: SocialResponse, now: number): number => (Math.floor(now / 86_400_000) + 1) * 86_400_000;

const postOf = (urn: string): PublishedPost => ({
  externalId: urn,
  url: `https://www.linkedin.com/feed/update/${urn}/`,
});

function contentOf({ media, linkUrl }: SocialTarget, urns: readonly string[]): { content?: ReportFields } {
  const altOf = (index: number): ReportFields => (media[index]?.alt ? { altText: media[index].alt } : {});
  if (urns.length > 1) {
    const images = urns.map((id, index) => ({ id, ...altOf(index) }));
    return { content: { multiImage: { images } } };
  }
  const [id] = urns;
  if (id !== undefined) return { content: { media: { id, ...(media[0]?.kind === 'image' ? altOf(0) : {}) } } };
  return linkUrl === null ? {} : { content: { article: { source: linkUrl, title: linkTitle(linkUrl) } } };
}

/** The URNs of a post's attachments. */
function mediaOf(post: ReportFields): string[] {
  const content = fieldsOf(post['content']);
  const single = textOf(fieldsOf(content['media'])['id']);
  const images = listOf(fieldsOf(content['multiImage'])['images']).map((one) => textOf(fieldsOf(one)['id']));
  return single === '' ? images : [single];
}

const isoOf = (ms: unknown): string => (typeof ms === 'number' ? new Date(ms).toISOString() : '');

function adapterOf(calls: LinkedinCalls): SocialAdapter {
  const { http, url } = calls;
  const postUrl = (urn: string): string => `${url}/posts/${encodeURIComponent(urn)}`;

  /** Whether a post of the page is the post of this publication. */
  function isOurs(post: ReportFields, target: SocialTarget, steps: PublishSteps): boolean {
    const uploadedUrns = target.media.map((_one, index) => resultText(steps, `upload ${index + 1}`, 'urn'));
    return (
      isSince(isoOf(post['createdAt']), target.startedAt) &&
      isSameText(fromLittleText(textOf(post['commentary'])), target.texts[0]) &&
      mediaOf(post).join() === uploadedUrns.join()
    );
  }

  /** The URN of the post that LinkedIn considers a duplicate, if an earlier request of this publication created it. */
  async function earlierPostOf(message: string, target: SocialTarget, steps: PublishSteps, options: SocialCallOptions) {
    const [urn] = /urn:li:(?:share|ugcPost):\d+/.exec(message) ?? [];
    if (urn === undefined) return undefined;
    const { fields } = await http.call({ method: 'GET', url: postUrl(urn) }, options);
    return isOurs(fields, target, steps) ? urn : undefined;
  }

  async function namesOf(ids: readonly string[], options: SocialCallOptions): Promise<ReportFields> {
    // In lists of this protocol, brackets are not escaped, so the URL is built by hand.
    const { fields } = await http.call(
      { method: 'GET', url: `${url}/organizations?ids=List(${ids.join(',')})` },
      options,
    );
    return fieldsOf(fields['results']);
  }

  return {
    id: 'linkedin',
    async accounts(options) {
      const query = { q: 'roleAssignee', state: 'APPROVED', count: 100 };
      const { fields } = await http.call({ method: 'GET', url: `${url}/organizationAcls`, query }, options);
      const ids = listOf(fields['elements'])
        .map(fieldsOf)
        .filter(({ role }) => postingRoles.has(textOf(role)))
        .map((acl) => organizationUrn.exec(textOf(acl['organization']) || textOf(acl['organizationTarget']))?.[1])
        .filter((id): id is string => id !== undefined);
      const organizationIds = [...new Set(ids)];
      if (organizationIds.length === 0) return [];
      const organizations = await namesOf(organizationIds, options);
      return organizationIds.map((id): NetworkAccount => {
        const organization = fieldsOf(organizations[id]);
        const handle = textOf(organization['vanityName']);
        return {
          externalId: `urn:li:organization:${id}`,
          displayName: textOf(organization['localizedName']) || handle || id,
          handle: handle || id,
          avatarUrl: null,
          isCompany: true,
        };
      });
    },

    async publish(target, steps, options) {
      const recordedId = resultText(steps, 'post', 'part');
      if (recordedId !== '') return postOf(recordedId);
      const urns = await uploadAll(calls, target, steps, options);
      const json = {
        author: target.externalAccountId,
        commentary: toLittleText(target.texts[0]),
        visibility: 'PUBLIC',
        distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
        ...contentOf(target, urns),
        lifecycleState: 'PUBLISHED',
        isReshareDisabledByAuthor: false,
      };
      const isFirst = steps.find('post') === undefined;
      await steps.before('post', attemptNote(options.now));
      try {
        const { headers } = await http.call({ method: 'POST', url: `${url}/posts`, json, visible: true }, options);
        const urn = requiredField(headers['x-restli-id'] ?? '', { name: 'x-restli-id', visible: true });
        await steps.after('post', { part: urn });
        return postOf(urn);
      } catch (error) {
        if (isFirst || !(error instanceof SocialError) || error.code !== duplicateCode) throw error;
        const urn = await earlierPostOf(error.message, target, steps, options).catch((cause: unknown) => {
          throw new SocialError(
            'uncertain',
            'LinkedIn refuses the post as a duplicate, but the earlier post cannot be found now.',
            { cause },
          );
        });
        if (urn === undefined) throw error;
        await steps.after('post', { part: urn });
        return postOf(urn);
      }
    },

    async probe(target, steps, options) {
      const recordedId = resultText(steps, 'post', 'part');
      if (recordedId !== '') return { outcome: 'landed', post: postOf(recordedId) };
      const step = steps.find('post');
      if (step === undefined) return { outcome: 'absent' };
      const query = { author: target.externalAccountId, q: 'author', count: 50, sortBy: 'CREATED' };
      const { fields } = await http.call(
        { method: 'GET', url: `${url}/posts`, query, headers: { 'x-restli-method': 'FINDER' } },
        options,
      );
      const match = listOf(fields['elements'])
        .map(fieldsOf)
        .find((post) => isOurs(post, target, steps));
      if (match === undefined) return absentOrUnclear(step, options.now);
      const part = textOf(match['id']);
      await steps.after('post', { part });
      return { outcome: 'landed', post: postOf(part) };
    },

    async remove({ externalId }, options) {
      const headers = { 'x-restli-method': 'DELETE' };
      const request = { method: 'DELETE', url: postUrl(externalId), headers } as const;
      const response = await http.ask(request, options);
      if (response.status === 404 || (response.status >= 200 && response.status < 300)) return;
      throw http.errorOf(response, request, options.now);
    },

    async metrics({ externalId, externalAccountId }, options) {
      const list = externalId.startsWith('urn:li:ugcPost:') ? 'ugcPosts' : 'shares';
      const owner = encodeURIComponent(externalAccountId);
      const query = `q=organizationalEntity&organizationalEntity=${owner}&${list}=List(${encodeURIComponent(externalId)})`;
      const request = { method: 'GET', url: `${url}/organizationalEntityShareStatistics?${query}` } as const;
      const { fields } = await http.call(request, options);
      const totals = fieldsOf(fieldsOf(listOf(fields['elements'])[0])['totalShareStatistics']);
      // Corrections can make a metric negative.
      const figure = (name: string): number | null =>
        typeof totals[name] === 'number' ? Math.max(0, totals[name] as number) : null;
      return {
        impressions: figure('impressionCount'),
        reach: figure('uniqueImpressionsCount'),
        likes: figure('likeCount'),
        comments: figure('commentCount'),
        shares: figure('shareCount'),
        clicks: figure('clickCount'),
        saves: null,
        videoViews: null,
      };
    },
    close: async () => undefined,
  };
}

/** LinkedIn as the program composes it. Construction has no side effects. @throws TypeError for an invalid version */
export function linkedinSocial(options: LinkedinSocialOptions = {}): SocialNetwork {
  checkOptions<LinkedinSocialOptions>('linkedinSocial', options, {
    app: 'optional',
    version: 'optional',
    url: 'optional',
    tokenUrl: 'optional',
    timeoutMs: 'optional',
    pollMs: 'optional',
  });
  const { app, version = '202606', timeoutMs, pollMs = 2_000 } = options;
  if (!/^20\d{4}$/.test(version)) throw new TypeError('linkedinSocial: `version` must be of the form YYYYMM.');
  const url = apiUrl(options.url ?? 'https://api.linkedin.com', 'linkedinSocial');
  const tokenUrl = apiUrl(options.tokenUrl ?? 'https://www.linkedin.com/oauth/v2/accessToken', 'linkedinSocial');
  return defineSocialNetwork({
    rules: linkedinRules,
    capabilities: { media: true, threads: false, deletes: true, analytics: true },
    credentials: z.strictObject(oauthCredentials),
    options: z.strictObject({}),
    expiresAt: oauthExpiry,
    refresh: ({ credentials }, signal, { outgoing }) =>
      renewByToken(credentials, {
        name: 'LinkedIn',
        url: tokenUrl,
        app,
        outgoing,
        signal,
        isTokenInvalid: (_status, { error, error_description: description }) =>
          error === 'invalid_grant' || (error === 'invalid_request' && /refresh token/i.test(textOf(description))),
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
        name: 'LinkedIn',
        headers: () => ({
          authorization: `Bearer ${accessToken}`,
          'linkedin-version': version,
          'x-restli-protocol-version': '2.0.0',
        }),
        errorMessage: (fields) => textOf(fields['message']),
        refusal: refusalOf,
      });
      const storage = httpSocial({ ...common, name: "LinkedIn's storage", errorMessage: () => '' });
      return adapterOf({ http, storage, url: `${url}/rest`, pollMs });
    },
  });
}
