// X's API v2 as docs.x.com describes it: users/me, chunked uploads, posts, latest posts, deletion, metrics, token refresh.
import assert from 'node:assert/strict';
import { xSocial } from '../../../adapters/social/x.ts';
import { refusalText, type SocialSuiteTarget } from '../../../plugins/social/testing/index.ts';
import {
  type NetworkServer,
  type ServedNetwork,
  type ServedRequest,
  type ServedResponse,
  serveNetwork,
} from './network-server.ts';

const accessToken = 'x-access-token-1234567890';
const refreshToken = 'x-refresh-token-1234567890';
const app = { clientId: 'x-client-id', clientSecret: 'x-client-secret-123' };

interface Upload {
  readonly total: number;
  readonly category: string;
  received: number;
  segments: number;
  statusReads: number;
  ready: boolean;
}

interface Post {
  readonly id: string;
  readonly text: string;
  readonly media: readonly string[];
  readonly answered: string | undefined;
  readonly createdAt: string;
}

/** Approximates X's weighted count, well enough to refuse texts that are far too long. */
const isTooLong = (text: string): boolean => [...text.replace(/https?:\/\/\S+/g, 'x'.repeat(23))].length > 280;

const problem = (status: number, title: string, detail: string): ServedResponse => ({
  status,
  body: { title, detail, type: 'about:blank', status },
});

/** The text as X stores it: with entities, short links, and a link for attachments. */
const storedText = ({ text, media }: Post): string => {
  const linkedText = text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/https?:\/\/\S+/g, () => 'https://t.co/AbC123xyz0');
  return media.length === 0 ? linkedText : `${linkedText} https://t.co/Media12345`.trim();
};

/** The network in memory. */
function createX() {
  const uploads = new Map<string, Upload>();
  const posts: Post[] = [];
  const alts = new Map<string, string>();
  let lastId = 1_900_000_000_000_000_000n;
  const nextId = (): string => {
    lastId += 1n;
    return String(lastId);
  };

  function publish(request: ServedRequest): ServedResponse {
    const {
      text = '',
      media,
      reply,
      ...others
    } = request.json as {
      text?: string;
      media?: { media_ids: string[] };
      reply?: { in_reply_to_tweet_id: string };
    };
    assert.deepEqual(others, {}, 'the post has no unknown field');
    assert.ok(text !== '' || media !== undefined, 'a text or media is present');
    const ids = media?.media_ids ?? [];
    for (const id of ids) assert.ok(uploads.get(id)?.ready, `the upload ${id} is ready`);
    const kinds = ids.map((id) => uploads.get(id)?.category);
    assert.ok(ids.length <= (kinds.every((kind) => kind === 'tweet_image') ? 4 : 1), 'these media may be combined');
    const answeredId = reply?.in_reply_to_tweet_id;
    if (answeredId !== undefined && !posts.some(({ id }) => id === answeredId))
      return problem(403, 'Forbidden', 'You attempted to reply to a Tweet that is deleted or not visible to you.');
    if (isTooLong(text)) return problem(403, 'Forbidden', 'Your Tweet text is too long.');
    if (ids.length === 0 && posts.some((post) => post.text === text && post.answered === answeredId))
      return problem(403, 'Forbidden', 'You are not allowed to create a Tweet with duplicate content.');
    const post = { id: nextId(), text, media: ids, answered: answeredId, createdAt: new Date().toISOString() };
    posts.push(post);
    return { status: 201, body: { data: { id: post.id, text: storedText(post), edit_history_tweet_ids: [post.id] } } };
  }

  function upload(request: ServedRequest): ServedResponse {
    const { method, path, query } = request;
    if (method === 'GET') {
      assert.equal(query['command'], 'STATUS');
      const uploadFound = uploads.get(query['media_id'] ?? '');
      assert.ok(uploadFound, 'the upload is known');
      uploadFound.statusReads += 1;
      uploadFound.ready = uploadFound.statusReads > 1;
      const state = uploadFound.ready ? 'succeeded' : 'in_progress';
      return { status: 200, body: { data: { id: query['media_id'], processing_info: { state } } } };
    }
    if (path === '/2/media/upload/initialize') {
      const fields = request.json;
      assert.deepEqual(Object.keys(fields).sort(), ['media_category', 'media_type', 'total_bytes']);
      const { media_category: category, media_type: type, total_bytes: total } = fields;
      assert.match(String(category), /^tweet_(image|gif|video)$/);
      assert.match(String(type), /^(image\/(jpeg|png|webp|gif)|video\/(mp4|quicktime))$/);
      const id = nextId();
      uploads.set(id, {
        total: Number(total),
        category: String(category),
        received: 0,
        segments: 0,
        statusReads: 0,
        ready: false,
      });
      return { status: 200, body: { data: { id, media_key: `3_${id}`, expires_after_secs: 86_400 } } };
    }
    const [, id = '', command] = /^\/2\/media\/upload\/(\d+)\/(append|finalize)$/.exec(path) ?? [];
    const uploadFound = uploads.get(id);
    assert.ok(uploadFound, `the upload at ${path} is known`);
    if (command === 'append') {
      assert.equal(Number(request.form['segment_index']), uploadFound.segments);
      const piece = request.files.find(({ field }) => field === 'media')?.bytes ?? Buffer.alloc(0);
      assert.ok(piece.length > 0 && piece.length <= 5_242_880, 'the piece has at most 5 MB');
      uploadFound.segments += 1;
      uploadFound.received += piece.length;
      return { status: 200, body: { data: { expires_at: 1 } } };
    }
    assert.equal(uploadFound.received, uploadFound.total, 'all bytes arrived');
    uploadFound.ready = uploadFound.category === 'tweet_image';
    const info = uploadFound.ready ? {} : { processing_info: { state: 'pending', check_after_secs: 1 } };
    return { status: 200, body: { data: { id, size: uploadFound.total, ...info } } };
  }

  function metricsOf({ query }: ServedRequest): ServedResponse {
    const ids = (query['ids'] ?? '').split(',');
    const data = posts
      .filter(({ id }) => ids.includes(id))
      .map(({ id }) => ({
        id,
        public_metrics: {
          retweet_count: 1,
          reply_count: 2,
          like_count: 3,
          quote_count: 1,
          bookmark_count: 4,
          impression_count: 100,
        },
        ...(query['tweet.fields']?.includes('non_public')
          ? { non_public_metrics: { impression_count: 100, url_link_clicks: 5, user_profile_clicks: 1 } }
          : {}),
      }));
    return { status: 200, body: { data } };
  }

  function token(request: ServedRequest): ServedResponse {
    const basic = `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')}`;
    assert.equal(request.headers.authorization, basic);
    const form = new URLSearchParams(request.body.toString());
    assert.equal(form.get('grant_type'), 'refresh_token');
    if (form.get('refresh_token') !== refreshToken)
      return {
        status: 400,
        body: { error: 'invalid_request', error_description: 'Value passed for the token was invalid.' },
      };
    return {
      status: 200,
      body: { token_type: 'bearer', expires_in: 7_200, access_token: 'new-access', refresh_token: 'new-refresh' },
    };
  }

  const handle = (request: ServedRequest): ServedResponse => {
    const { method, path, headers } = request;
    if (path === '/2/oauth2/token') return token(request);
    if (headers.authorization !== `Bearer ${accessToken}`) return problem(401, 'Unauthorized', 'Unauthorized');
    const route = `${method} ${path}`;
    if (route === 'GET /2/users/me')
      return { status: 200, body: { data: { id: '77', name: 'Acme', username: 'acme' } } };
    if (route === 'POST /2/tweets') return publish(request);
    if (route === 'GET /2/tweets') return metricsOf(request);
    if (route === 'POST /2/media/metadata') {
      const { id, metadata } = request.json as { id: string; metadata: { alt_text: { text: string } } };
      alts.set(id, metadata.alt_text.text);
      return { status: 200, body: { data: { id } } };
    }
    if (path.startsWith('/2/media/upload')) return upload(request);
    if (route === 'GET /2/users/77/tweets') {
      const max = Number(request.query['max_results']);
      assert.ok(max >= 5 && max <= 100);
      const data = posts.toReversed().map((post) => ({
        id: post.id,
        text: storedText(post),
        created_at: post.createdAt,
        ...(post.answered === undefined ? {} : { referenced_tweets: [{ type: 'replied_to', id: post.answered }] }),
      }));
      return { status: 200, body: { data, meta: { result_count: data.length } } };
    }
    const [, id] = /^DELETE \/2\/tweets\/(\d+)$/.exec(route) ?? [];
    assert.ok(id !== undefined, `an unknown request ${route}`);
    const at = posts.findIndex((post) => post.id === id);
    if (at < 0) return problem(404, 'Not Found Error', 'Could not find tweet.');
    posts.splice(at, 1);
    return { status: 200, body: { data: { deleted: true } } };
  };
  return { handle, posts, alts };
}

/** Starts a server with one account. */
export async function startX(): Promise<
  SocialSuiteTarget & { server: NetworkServer; alts: ReadonlyMap<string, string> }
> {
  const { handle, posts, alts } = createX();
  const network = (): ServedNetwork => ({
    answer: handle,
    isVisible: ({ method, path }) => method === 'POST' && path === '/2/tweets',
    isLookup: ({ method, path }) => method === 'GET' && path === '/2/users/77/tweets',
    refusals: {
      rejected: problem(403, 'Forbidden', refusalText),
      limited: {
        ...problem(429, 'Too Many Requests', 'Too Many Requests'),
        headers: {
          'x-rate-limit-remaining': '0',
          'x-rate-limit-reset': String(Math.ceil(Date.now() / 1_000) + 900),
        },
      },
      disconnected: problem(401, 'Unauthorized', 'Unauthorized'),
    },
  });
  const server = await serveNetwork(network);
  return {
    server,
    alts,
    network: xSocial({ url: server.url, app, pollMs: 1 }),
    credentials: { accessToken, refreshToken, expiresAt: Date.now() + 7_200_000 },
    options: { company: true },
    outgoing: server.outgoing,
    async visible() {
      server.checkFaults();
      return posts.map(({ id, text, media }) => ({ id, text, media: media.length }));
    },
    simulateFault: server.simulateFault,
    dispose: server.dispose,
  };
}
