// LinkedIn's versioned API as learn.microsoft.com describes it: organisations, images, videos, posts, statistics.

import assert from 'node:assert/strict';
import { linkedinSocial } from '../../../adapters/social/linkedin.ts';
import { fromLittleText } from '../../../adapters/social/linkedin-texts.ts';
import { parseUrl } from '../../../core/contract/values/parse-url.ts';
import { refusalText, type SocialSuiteTarget } from '../../../plugins/social/testing/index.ts';
import {
  type NetworkServer,
  type ServedNetwork,
  type ServedRequest,
  type ServedResponse,
  serveNetwork,
} from './network-server.ts';

const accessToken = 'linkedin-access-token-123';
const refreshToken = 'linkedin-refresh-token-123';
const app = { clientId: 'linkedin-client', clientSecret: 'linkedin-secret-123' };
const page = 'urn:li:organization:42';

interface StoredPost {
  readonly id: string;
  readonly commentary: string;
  readonly content: Record<string, unknown> | undefined;
  readonly createdAt: number;
}

interface StoredFile {
  readonly size: number | undefined;
  readonly parts: Buffer[];
  isComplete: boolean;
  statusReads: number;
}

const refusal = (status: number, code: string, message: string): ServedResponse => ({
  status,
  body: { status, code, message, serviceErrorCode: 100 },
});

const postFields = [
  'author',
  'commentary',
  'distribution',
  'isReshareDisabledByAuthor',
  'lifecycleState',
  'visibility',
] as const;
const partBytes = 131_072;

/** Checks that every reserved character follows a backslash, or belongs to the template of a hashtag. */
function checkLittleText(text: string): void {
  const remainingText = text
    .replace(/\{hashtag\|\\#\|[\p{L}\p{M}\p{N}]+\}/gu, '')
    .replace(/\\[|{}@[\]()<>#\\*_~]/g, '');
  assert.doesNotMatch(remainingText, /[|{}@[\]()<>#\\*_~]/, 'reserved characters are escaped');
}

function createLinkedin(url: string) {
  const posts: StoredPost[] = [];
  const files = new Map<string, StoredFile>();
  let last = 7_000_000_000_000_000;
  const nextId = (): number => {
    last += 1;
    return last;
  };

  function publish(request: ServedRequest): ServedResponse {
    const { content, ...input } = request.json as Record<string, unknown> & { content?: Record<string, unknown> };
    assert.deepEqual(Object.keys(input).sort(), [...postFields]);
    assert.equal(input['author'], page);
    assert.equal(input['visibility'], 'PUBLIC');
    const commentary = String(input['commentary']);
    checkLittleText(commentary);
    if (fromLittleText(commentary).length > 3_000)
      return refusal(422, 'FIELD_LENGTH_TOO_LONG', 'commentary is too long');
    assert.ok(commentary !== '' || content !== undefined, 'the post has a text or content');
    if (content !== undefined) {
      const [kind, value] = Object.entries(content)[0] ?? [];
      if (kind === 'article') {
        const { source, title } = value as Record<string, string>;
        assert.ok(parseUrl(source ?? '') !== undefined && title !== '' && (title ?? '').length <= 400);
      } else {
        const images =
          kind === 'multiImage' ? (value as { images: { id: string }[] }).images : [value as { id: string }];
        if (kind === 'multiImage') assert.ok(images.length >= 2 && images.length <= 20);
        else assert.equal(kind, 'media');
        for (const { id } of images) assert.ok(files.get(id)?.isComplete, `the file ${id} is available`);
      }
    }
    const same = posts.find(
      (post) => post.commentary === commentary && JSON.stringify(post.content) === JSON.stringify(content),
    );
    if (same !== undefined) return refusal(422, 'DUPLICATE_POST', `Content is a duplicate of ${same.id}`);
    const post = { id: `urn:li:share:${nextId()}`, commentary, content, createdAt: Date.now() };
    posts.push(post);
    return { status: 201, headers: { 'x-restli-id': post.id } };
  }

  function begin({ path, ...request }: ServedRequest): ServedResponse {
    const isVideo = path.endsWith('/videos');
    const { initializeUploadRequest: input } = request.json as Record<string, Record<string, unknown>>;
    assert.equal(input?.['owner'], page);
    const urn = `urn:li:${isVideo ? 'video' : 'image'}:C4${nextId()}`;
    const size = isVideo ? Number(input?.['fileSizeBytes']) : undefined;
    files.set(urn, { size, parts: [], isComplete: false, statusReads: 0 });
    const uploadUrl = `${url}/dms-uploads/${encodeURIComponent(urn)}`;
    if (!isVideo) return { status: 200, body: { value: { uploadUrlExpiresAt: 1, uploadUrl, image: urn } } };
    const uploadInstructions = [];
    for (let firstByte = 0; firstByte < (size ?? 0); firstByte += partBytes) {
      const lastByte = Math.min(size ?? 0, firstByte + partBytes) - 1;
      uploadInstructions.push({ uploadUrl: `${uploadUrl}/${uploadInstructions.length}`, firstByte, lastByte });
    }
    const value = { uploadUrlsExpireAt: 1, video: urn, uploadInstructions, uploadToken: 'token-1' };
    return { status: 200, body: { value } };
  }

  function upload({ path, body, headers }: ServedRequest): ServedResponse {
    const [, , name = '', part] = path.split('/');
    const file = files.get(decodeURIComponent(name));
    assert.ok(file && body.length > 0);
    assert.equal(headers['content-type'], 'application/octet-stream');
    // The address of an image needs the token. The addresses of videos are signed.
    assert.equal(headers.authorization, part === undefined ? `Bearer ${accessToken}` : undefined);
    if (part === undefined) return { status: 201 };
    assert.equal(Number(part), file.parts.length);
    file.parts.push(body);
    return { status: 200, headers: { etag: `"part-${part}"` } };
  }

  function finalize(request: ServedRequest): ServedResponse {
    const { finalizeUploadRequest: input } = request.json as Record<string, Record<string, unknown>>;
    const file = files.get(String(input?.['video']));
    assert.ok(file);
    assert.equal(input?.['uploadToken'], 'token-1');
    assert.deepEqual(
      input?.['uploadedPartIds'],
      file.parts.map((_part, index) => `part-${index}`),
    );
    assert.equal(Buffer.concat(file.parts).length, file.size);
    return { status: 200 };
  }

  function status(path: string): ServedResponse {
    const file = files.get(decodeURIComponent(path.split('/').at(-1) ?? ''));
    assert.ok(file);
    file.statusReads += 1;
    file.isComplete = file.statusReads > 1;
    return { status: 200, body: { status: file.isComplete ? 'AVAILABLE' : 'PROCESSING' } };
  }

  function onePost(method: string, urn: string): ServedResponse {
    const at = posts.findIndex(({ id }) => id === urn);
    if (at < 0) return refusal(404, 'NOT_FOUND', 'Not found');
    if (method === 'GET') return { status: 200, body: { ...posts[at], author: page } };
    posts.splice(at, 1);
    return { status: 204 };
  }

  function token(request: ServedRequest): ServedResponse {
    const form = new URLSearchParams(request.body.toString());
    assert.deepEqual(
      ['grant_type', 'client_id', 'client_secret'].map((name) => form.get(name)),
      ['refresh_token', app.clientId, app.clientSecret],
    );
    if (form.get('refresh_token') !== refreshToken)
      return { status: 400, body: { error: 'invalid_grant', error_description: 'The token has expired' } };
    return { status: 200, body: { access_token: 'new-access', expires_in: 5_184_000, refresh_token: refreshToken } };
  }

  const handle = (request: ServedRequest): ServedResponse => {
    const { method, path, query, headers } = request;
    if (path === '/oauth/v2/accessToken') return token(request);
    if (path.startsWith('/dms-uploads/') && method === 'PUT') return upload(request);
    if (headers.authorization !== `Bearer ${accessToken}`)
      return refusal(401, 'INVALID_ACCESS_TOKEN', 'Invalid access token');
    assert.match(String(headers['linkedin-version']), /^20\d{4}$/);
    assert.equal(headers['x-restli-protocol-version'], '2.0.0');
    const route = `${method} ${path}`;
    if (route === 'GET /rest/organizationAcls') {
      assert.equal(query['q'], 'roleAssignee');
      const element = (id: number, role: string) => ({
        organization: `urn:li:organization:${id}`,
        role,
        state: 'APPROVED',
      });
      return { status: 200, body: { elements: [element(42, 'ADMINISTRATOR'), element(43, 'ANALYST')] } };
    }
    if (route === 'GET /rest/organizations') {
      assert.equal(query['ids'], 'List(42)');
      return { status: 200, body: { results: { 42: { localizedName: 'Acme', vanityName: 'acme' } } } };
    }
    if (route === 'POST /rest/posts') return publish(request);
    if (route === 'GET /rest/posts') {
      assert.equal(query['author'], page);
      assert.equal(headers['x-restli-method'], 'FINDER');
      assert.ok(Number(query['count']) <= 100);
      return { status: 200, body: { elements: posts.toReversed() } };
    }
    if (route === 'GET /rest/organizationalEntityShareStatistics') {
      assert.match(query['shares'] ?? '', /^List\(urn:li:share:\d+\)$/);
      const totalShareStatistics = {
        impressionCount: 50,
        uniqueImpressionsCount: 40,
        likeCount: -1,
        commentCount: 2,
        shareCount: 1,
        clickCount: 5,
      };
      return { status: 200, body: { elements: [{ totalShareStatistics }] } };
    }
    if (/^POST \/rest\/(images|videos)$/.test(route))
      return query['action'] === 'initializeUpload' ? begin(request) : finalize(request);
    if (/^GET \/rest\/(images|videos)\//.test(route)) return status(path);
    const [, urn] = /^\/rest\/posts\/(.+)$/.exec(path) ?? [];
    assert.ok(urn !== undefined, `an unknown request ${route}`);
    return onePost(method, decodeURIComponent(urn));
  };
  return { handle, posts };
}

const attachments = ({ content = {} }: StoredPost): number => {
  const images = (content['multiImage'] as { images?: unknown[] } | undefined)?.images;
  return images?.length ?? (content['media'] === undefined ? 0 : 1);
};

/** Starts a server with one page. */
export async function startLinkedin(): Promise<SocialSuiteTarget & { server: NetworkServer }> {
  let posts: readonly StoredPost[] = [];
  const network = (url: string): ServedNetwork => {
    const linkedin = createLinkedin(url);
    posts = linkedin.posts;
    return {
      answer: linkedin.handle,
      isVisible: ({ method, path }) => method === 'POST' && path === '/rest/posts',
      isLookup: ({ method, path }) => method === 'GET' && path.startsWith('/rest/posts'),
      refusals: {
        rejected: refusal(422, 'INVALID_CONTENT', refusalText),
        limited: refusal(429, 'TOO_MANY_REQUESTS', 'Resource level throttle limit reached.'),
        disconnected: refusal(401, 'REVOKED_ACCESS_TOKEN', 'The token used in the request has been revoked'),
      },
    };
  };
  const server = await serveNetwork(network);
  return {
    server,
    network: linkedinSocial({ url: server.url, tokenUrl: `${server.url}/oauth/v2/accessToken`, app, pollMs: 1 }),
    credentials: { accessToken, refreshToken, expiresAt: Date.now() + 5_184_000_000 },
    outgoing: server.outgoing,
    async visible() {
      server.checkFaults();
      return posts.map((post) => ({
        id: post.id,
        text: fromLittleText(post.commentary),
        media: attachments(post),
      }));
    },
    simulateFault: server.simulateFault,
    dispose: server.dispose,
  };
}
