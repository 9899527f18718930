// An AT Protocol server as its lexicons describe it: sessions, files, records, and the posts of the app view.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { blueskySocial } from '../../../adapters/social/bluesky.ts';
import { parseUrl } from '../../../core/contract/values/parse-url.ts';
import { refusalText, type SocialSuiteTarget } from '../../../plugins/social/testing/index.ts';
import {
  type NetworkServer,
  type ServedNetwork,
  type ServedRequest,
  type ServedResponse,
  serveNetwork,
} from './network-server.ts';

const appPassword = 'abcd-efgh-ijkl-mnop';
export const did = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz';

interface Facet {
  readonly index: { readonly byteStart: number; readonly byteEnd: number };
  readonly features: readonly Record<string, string>[];
}

/** A stored record. */
export interface BlueskyRecord {
  readonly text: string;
  readonly facets?: readonly Facet[];
  readonly embed?: Record<string, unknown>;
  readonly createdAt: string;
}

const refusal = (status: number, error: string, message: string): ServedResponse => ({
  status,
  body: { error, message },
});

const recordFields = new Set(['$type', 'text', 'facets', 'embed', 'createdAt']);
const tid = /^[234567a-j][234567a-z]{12}$/;

function createBluesky() {
  const records = new Map<string, BlueskyRecord>();
  const blobs = new Map<string, { size: number; mimeType: string }>();
  let sessions = 0;
  let endedSessions = 0;
  const access = (): string => `access-jwt-${sessions}-abcdefgh`;
  const refresh = (): string => `refresh-jwt-${sessions}-abcdefgh`;
  const session = (): ServedResponse => {
    sessions += 1;
    return {
      status: 200,
      body: { did, handle: 'acme.test', accessJwt: access(), refreshJwt: refresh(), active: true },
    };
  };

  function checkBlob(stored: unknown, types: RegExp, max: number): void {
    const blob = stored as { $type: string; ref: { $link: string }; mimeType: string; size: number };
    assert.equal(blob.$type, 'blob');
    assert.deepEqual(blobs.get(blob.ref.$link), { size: blob.size, mimeType: blob.mimeType }, 'the file was uploaded');
    assert.match(blob.mimeType, types);
    assert.ok(blob.size <= max);
  }

  function checkEmbed(embed: Record<string, unknown>): void {
    const type = embed['$type'];
    if (type === 'app.bsky.embed.images') {
      const images = embed['images'] as { image: unknown; alt: string }[];
      assert.ok(images.length >= 1 && images.length <= 4);
      for (const { image, alt } of images) {
        assert.equal(typeof alt, 'string');
        checkBlob(image, /^image\//, 1_000_000);
      }
    } else if (type === 'app.bsky.embed.video') checkBlob(embed['video'], /^video\/mp4$/, 100_000_000);
    else {
      assert.equal(type, 'app.bsky.embed.external');
      const { uri, title, description } = embed['external'] as Record<string, string>;
      assert.ok(parseUrl(uri ?? '') !== undefined);
      assert.ok(typeof title === 'string' && title !== '' && typeof description === 'string');
    }
  }

  function put(request: ServedRequest): ServedResponse {
    const { repo, collection, rkey, record, ...others } = request.json;
    assert.deepEqual(others, {});
    assert.deepEqual([repo, collection], [did, 'app.bsky.feed.post']);
    assert.match(String(rkey), tid);
    const blob = record as BlueskyRecord & { $type: string };
    for (const name of Object.keys(blob)) assert.ok(recordFields.has(name), `an unknown field ${name}`);
    assert.equal(blob.$type, 'app.bsky.feed.post');
    assert.equal(new Date(blob.createdAt).toISOString(), blob.createdAt);
    const size = Buffer.byteLength(blob.text);
    const length = [...new Intl.Segmenter('en').segment(blob.text)].length;
    if (size > 3_000 || length > 300) return refusal(400, 'InvalidRequest', 'Record/text must not be longer.');
    for (const { index, features } of blob.facets ?? []) {
      assert.ok(index.byteStart < index.byteEnd && index.byteEnd <= size, 'the facet covers a part of the text');
      assert.match(features[0]?.['$type'] ?? '', /^app\.bsky\.richtext\.facet#(link|tag|mention)$/);
    }
    if (blob.embed !== undefined) checkEmbed(blob.embed);
    records.set(String(rkey), blob);
    return {
      status: 200,
      body: { uri: `at://${did}/app.bsky.feed.post/${rkey}`, cid: 'bafyrei', validationStatus: 'valid' },
    };
  }

  function getRecord({ query }: ServedRequest): ServedResponse {
    const [repo, collection, rkey] = ['repo', 'collection', 'rkey'].map((name) => query[name] ?? '');
    const uri = `at://${repo}/${collection}/${rkey}`;
    const value = collection === 'app.bsky.actor.profile' ? { displayName: 'Acme' } : records.get(rkey ?? '');
    if (value === undefined) return refusal(400, 'RecordNotFound', `Could not locate record: ${uri}`);
    return { status: 200, body: { uri, cid: 'bafyrei', value: value } };
  }

  const methods: Readonly<Record<string, (request: ServedRequest) => ServedResponse>> = {
    'POST com.atproto.repo.putRecord': put,
    'GET com.atproto.repo.getRecord': getRecord,
    'POST com.atproto.repo.deleteRecord': (request) => {
      const { repo, collection, rkey } = request.json;
      assert.deepEqual([repo, collection], [did, 'app.bsky.feed.post']);
      records.delete(String(rkey));
      return { status: 200, body: {} };
    },
    'POST com.atproto.repo.uploadBlob': ({ headers, body }) => {
      const mimeType = headers['content-type'] ?? '';
      assert.match(mimeType, /^(image|video)\/\w+$/);
      assert.equal(Number(headers['content-length']), body.length);
      const link = `bafkrei${createHash('sha256').update(body).digest('hex').slice(0, 52)}`;
      blobs.set(link, { size: body.length, mimeType });
      return { status: 200, body: { blob: { $type: 'blob', ref: { $link: link }, mimeType, size: body.length } } };
    },
    'GET com.atproto.identity.resolveHandle': ({ query }) =>
      query['handle'] === 'partner.example'
        ? { status: 200, body: { did: 'did:plc:partner' } }
        : refusal(400, 'InvalidRequest', 'Unable to resolve handle'),
    'GET app.bsky.feed.getPosts': ({ query }) => {
      const posts = [query['uris'] ?? ''].map((uri) => ({
        uri,
        likeCount: 3,
        replyCount: 2,
        repostCount: 1,
        quoteCount: 1,
      }));
      return { status: 200, body: { posts } };
    },
  };

  const handle = (request: ServedRequest): ServedResponse => {
    const name = request.path.replace(/^\/xrpc\//, '');
    const { authorization } = request.headers;
    if (name === 'com.atproto.server.createSession') {
      const { identifier, password } = request.json;
      if (identifier !== 'acme.test' || password !== appPassword)
        return refusal(401, 'AuthenticationRequired', 'Invalid identifier or password');
      return session();
    }
    if (name === 'com.atproto.server.refreshSession') {
      assert.equal(request.body.length, 0);
      if (authorization !== `Bearer ${refresh()}`) return refusal(400, 'ExpiredToken', 'Token has been revoked');
      return session();
    }
    if (endedSessions > 0) {
      endedSessions -= 1;
      return refusal(400, 'ExpiredToken', 'Token has expired');
    }
    if (!/^Bearer access-jwt-\d+-abcdefgh$/.test(authorization ?? ''))
      return refusal(401, 'AuthenticationRequired', 'Authentication Required');
    const method = methods[`${request.method} ${name}`];
    assert.ok(method, `an unknown method ${request.method} ${name}`);
    return method(request);
  };
  const endSession = (): void => {
    endedSessions = 1;
  };
  return { handle, records, endSession };
}

const attachments = ({ embed }: BlueskyRecord): number =>
  embed?.['$type'] === 'app.bsky.embed.images'
    ? (embed['images'] as unknown[]).length
    : embed?.['$type'] === 'app.bsky.embed.video'
      ? 1
      : 0;

/** The subject of the shared suite, with more access for a test. */
export interface BlueskyBench extends SocialSuiteTarget {
  readonly server: NetworkServer;
  readonly records: ReadonlyMap<string, BlueskyRecord>;
  /** Makes the next request find its token expired. */
  endSession(): void;
}

/** Starts a server with one account. */
export async function startBluesky(): Promise<BlueskyBench> {
  const { handle, records, endSession } = createBluesky();
  const network = (): ServedNetwork => ({
    answer: handle,
    isVisible: ({ path }) => path.endsWith('.putRecord'),
    isLookup: ({ path }) => path.endsWith('.getRecord'),
    refusals: {
      rejected: refusal(400, 'InvalidRequest', refusalText),
      limited: {
        ...refusal(429, 'RateLimitExceeded', 'Rate Limit Exceeded'),
        headers: { 'ratelimit-reset': String(Math.ceil(Date.now() / 1_000) + 300) },
      },
      disconnected: refusal(401, 'AuthenticationRequired', 'Invalid identifier or password'),
    },
  });
  const server = await serveNetwork(network);
  return {
    server,
    records,
    endSession,
    network: blueskySocial(),
    credentials: { appPassword },
    options: { identifier: 'acme.test', service: server.url, company: true },
    outgoing: server.outgoing,
    async visible() {
      server.checkFaults();
      return [...records].map(([id, record]) => ({ id, text: record.text, media: attachments(record) }));
    },
    simulateFault: server.simulateFault,
    dispose: server.dispose,
  };
}
