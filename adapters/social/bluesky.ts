// Bluesky over the AT Protocol (docs.bsky.app). The key of a post's record is chosen before the first attempt, so that a second
// record cannot exist: a repeated request writes the same record again. The user names the server, so all requests are guarded.

import { createHash } from 'node:crypto';
import { z } from 'zod';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import {
  defineSocialNetwork,
  type PublishedPost,
  type PublishSteps,
  type SocialAdapter,
  type SocialCallOptions,
  type SocialMedia,
  type SocialNetwork,
  type SocialTarget,
} from '../../plugins/social/port/index.ts';
import { fieldsOf, listOf, type ReportFields, textOf } from '../kit/report-fields.ts';
import { bytesOf } from '../kit/social-files.ts';
import { fittingImage } from '../kit/social-images.ts';
import { linkTitle } from '../kit/social-links.ts';
import { token } from '../kit/social-oauth.ts';
import { attemptNote, resultOf, resultText } from '../kit/social-steps.ts';
import { marksOf } from './bluesky-facets.ts';
import { blueskyRules } from './bluesky-rules.ts';
import { createXrpc, type Xrpc, type XrpcCall } from './bluesky-session.ts';

/** Options of `blueskySocial`. */
export interface BlueskySocialOptions {
  /** The time limit of one request, in milliseconds. (Default: 30,000) */
  readonly timeoutMs?: number;
}

const collection = 'app.bsky.feed.post';
const uploadMs = 600_000;
/** A server deletes files that no record references, so older uploads are repeated. */
const usableMs = 600_000;
const image = blueskyRules.media.files.image ?? { types: [], maxBytes: 0 };

const letters = '234567abcdefghijklmnopqrstuvwxyz';

/**
 * A record key in the form TID (atproto.com/specs/tid): the time in microseconds, and 10 bits, which here come from the
 * publication's key.
 */
export function recordKey({ key, startedAt }: Pick<SocialTarget, 'key' | 'startedAt'>): string {
  const hash = createHash('sha256').update(key).digest().readUInt32BE(0);
  let value = (BigInt(Math.floor(startedAt)) * 1_000n + BigInt(hash % 1_000)) * 1_024n + BigInt((hash >>> 10) & 1_023);
  let text = '';
  for (let index = 0; index < 13; index += 1) {
    text = letters.charAt(Number(value & 31n)) + text;
    value >>= 5n;
  }
  return text;
}

const keyOf = (target: SocialTarget, steps: PublishSteps): string =>
  textOf(steps.find('record')?.note['rkey']) || recordKey(target);

const ratioOf = ({ width, height }: SocialMedia) =>
  width === null || height === null || width === 0 || height === 0 ? {} : { aspectRatio: { width, height } };

const cardOf = (url: string): ReportFields => ({
  $type: 'app.bsky.embed.external',
  external: { uri: url, title: linkTitle(url), description: '' },
});

const postOf = (uri: string): PublishedPost => {
  const [, did, , rkey] = /^at:\/\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(uri) ?? [];
  return { externalId: uri, url: did === undefined ? null : `https://bsky.app/profile/${did}/post/${rkey}` };
};

const partsOfUri = (uri: string): { repo: string; rkey: string } => {
  const [, repo = '', rkey = ''] = /^at:\/\/([^/]+)\/[^/]+\/([^/]+)$/.exec(uri) ?? [];
  return { repo, rkey };
};

async function uploadBody(media: SocialMedia): Promise<Pick<XrpcCall, 'body' | 'open' | 'headers'>> {
  if (media.kind !== 'video') {
    const { bytes, contentType } = await fittingImage(media, image);
    return { body: bytes, headers: { 'content-type': contentType } };
  }
  const open = () => ({ bytes: media.bytes, chunks: bytesOf(media) });
  return { open, headers: { 'content-type': media.contentType } };
}

function adapterOf(xrpc: Xrpc, service: string): SocialAdapter {
  async function facetsOf(text: string, options: SocialCallOptions): Promise<ReportFields[]> {
    const facets: ReportFields[] = [];
    for (const { kind, value, byteStart, byteEnd } of marksOf(text)) {
      const add = (feature: ReportFields) => facets.push({ index: { byteStart, byteEnd }, features: [feature] });
      if (kind === 'link') add({ $type: 'app.bsky.richtext.facet#link', uri: value });
      if (kind === 'tag') add({ $type: 'app.bsky.richtext.facet#tag', tag: value });
      if (kind !== 'mention') continue;
      const query = { handle: value };
      const { fields } = await xrpc.ask({ method: 'GET', name: 'com.atproto.identity.resolveHandle', query }, options);
      // A handle that does not exist stays plain text.
      const did = textOf(fields['did']);
      if (did !== '') add({ $type: 'app.bsky.richtext.facet#mention', did });
    }
    return facets;
  }

  async function upload(media: SocialMedia, name: string, steps: PublishSteps, options: SocialCallOptions) {
    const recorded = resultOf(steps, name);
    if (recorded !== undefined && options.now - Number(recorded['at']) < usableMs) return recorded['blob'];
    await steps.before(name);
    const { blob } = await xrpc.call(
      { method: 'POST', name: 'com.atproto.repo.uploadBlob', timeoutMs: uploadMs, ...(await uploadBody(media)) },
      options,
    );
    await steps.after(name, { blob, at: options.now });
    return blob;
  }

  async function embedOf({ media, linkUrl }: SocialTarget, steps: PublishSteps, options: SocialCallOptions) {
    const [first] = media;
    if (first === undefined) return linkUrl === null ? {} : { embed: cardOf(linkUrl) };
    const blobs: unknown[] = [];
    for (const [index, one] of media.entries()) blobs.push(await upload(one, `upload ${index + 1}`, steps, options));
    if (first.kind === 'video')
      return { embed: { $type: 'app.bsky.embed.video', video: blobs[0], alt: first.alt, ...ratioOf(first) } };
    const images = media.map((one, index) => ({ image: blobs[index], alt: one.alt, ...ratioOf(one) }));
    return { embed: { $type: 'app.bsky.embed.images', images } };
  }

  return {
    id: 'bluesky',
    async accounts(options) {
      const { did, handle } = await xrpc.me(options);
      const query = { repo: did, collection: 'app.bsky.actor.profile', rkey: 'self' };
      const call = { method: 'GET', name: 'com.atproto.repo.getRecord', query } as const;
      const response = await xrpc.ask(call, options);
      // An account without a profile has no such record.
      if (response.status !== 200 && response.status !== 400) throw xrpc.errorOf(response, call, options.now);
      const profile = fieldsOf(response.fields['value']);
      const cid = textOf(fieldsOf(fieldsOf(profile['avatar'])['ref'])['$link']);
      const avatar = new URLSearchParams({ did, cid }).toString();
      return [
        {
          externalId: did,
          displayName: textOf(profile['displayName']) || handle,
          handle,
          avatarUrl: cid === '' ? null : `${service}/xrpc/com.atproto.sync.getBlob?${avatar}`,
          isCompany: undefined,
        },
      ];
    },

    async publish(target, steps, options) {
      const recordedId = resultText(steps, 'record', 'part');
      if (recordedId !== '') return postOf(recordedId);
      const [text] = target.texts;
      const embed = await embedOf(target, steps, options);
      const facets = await facetsOf(text, options);
      const rkey = keyOf(target, steps);
      const record = {
        $type: collection,
        text,
        ...(facets.length === 0 ? {} : { facets }),
        ...embed,
        createdAt: new Date(target.startedAt).toISOString(),
      };
      await steps.before('record', attemptNote(options.now, { rkey }));
      // Creating a record under an existing key fails with an internal error on some servers; putting it does not.
      const json = { repo: target.externalAccountId, collection, rkey, record };
      const call = { method: 'POST', name: 'com.atproto.repo.putRecord', json, visible: true } as const;
      const fields = await xrpc.call(call, options);
      const uri = textOf(fields['uri']) || `at://${target.externalAccountId}/${collection}/${rkey}`;
      await steps.after('record', { part: uri });
      return postOf(uri);
    },

    async probe(target, steps, options) {
      const step = steps.find('record');
      const recordedId = resultText(steps, 'record', 'part');
      if (recordedId !== '') return { outcome: 'landed', post: postOf(recordedId) };
      if (step === undefined) return { outcome: 'absent' };
      const query = { repo: target.externalAccountId, collection, rkey: keyOf(target, steps) };
      const call = { method: 'GET', name: 'com.atproto.repo.getRecord', query } as const;
      const response = await xrpc.ask(call, options);
      if (response.status === 400 && response.fields['error'] === 'RecordNotFound') return { outcome: 'absent' };
      if (response.status !== 200) throw xrpc.errorOf(response, call, options.now);
      const uri = textOf(response.fields['uri']);
      await steps.after('record', { part: uri });
      return { outcome: 'landed', post: postOf(uri) };
    },

    async remove({ externalId }, options) {
      const json = { ...partsOfUri(externalId), collection };
      await xrpc.call({ method: 'POST', name: 'com.atproto.repo.deleteRecord', json }, options);
    },

    async metrics({ externalId }, options) {
      const query = { uris: externalId };
      const fields = await xrpc.call({ method: 'GET', name: 'app.bsky.feed.getPosts', query }, options);
      const post = fieldsOf(listOf(fields['posts'])[0]);
      const figure = (name: string): number | null => (typeof post[name] === 'number' ? (post[name] as number) : null);
      const [reposts, quotes] = [figure('repostCount'), figure('quoteCount')];
      return {
        impressions: null,
        reach: null,
        likes: figure('likeCount'),
        comments: figure('replyCount'),
        shares: reposts === null && quotes === null ? null : (reposts ?? 0) + (quotes ?? 0),
        clicks: null,
        saves: figure('bookmarkCount'),
        videoViews: null,
      };
    },
    close: async () => undefined,
  };
}

/** Bluesky, and other servers of the AT Protocol, as the program composes it. Construction has no side effects. */
export const blueskySocial = (options: BlueskySocialOptions = {}): SocialNetwork => {
  checkOptions<BlueskySocialOptions>('blueskySocial', options, { timeoutMs: 'optional' });
  const { timeoutMs } = options;
  return defineSocialNetwork({
    rules: blueskyRules,
    capabilities: { media: true, threads: false, deletes: true, analytics: true },
    credentials: z.strictObject({
      appPassword: token.describe('An app password: never the password of the account.'),
    }),
    options: z.strictObject({
      identifier: z
        .string()
        .regex(/^(?:[a-zA-Z0-9.-]{3,253}|did:[a-z]+:[\w.:%-]{1,200})$/)
        .describe('The handle, without @, or the DID.'),
      service: z
        .string()
        .regex(/^https?:\/\/[^/?#\s@]+\/?$/, 'The address of a server, such as https://bsky.social.')
        .optional()
        .describe("The account's server. (Default: https://bsky.social)"),
      company: z.boolean().optional(),
    }),
    connect({ credentials: { appPassword }, options }, { outgoing }) {
      const service = (options.service ?? 'https://bsky.social').replace(/\/$/, '');
      const login = { service, identifier: options.identifier, appPassword };
      return adapterOf(createXrpc(login, outgoing, timeoutMs), service);
    },
  });
};
