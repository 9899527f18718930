// YouTube's Data API v3 as its reference describes it: channels, resumable uploads, playlists, statistics, deletion.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { youtubeSocial } from '../../../adapters/social/youtube.ts';
import { refusalText, type SocialSuiteTarget } from '../../../plugins/social/testing/index.ts';
import {
  ApiRefusal,
  type ServedNetwork,
  type ServedRequest,
  type ServedResponse,
  serveNetwork,
} from './network-server.ts';

const token = 'ya29.token0000000000000000';

export function googleError(status: number, reason: string, message: string): ServedResponse {
  return { status, body: { error: { code: status, message, errors: [{ message, domain: 'youtube.video', reason }] } } };
}

interface Session {
  readonly id: string;
  readonly size: number;
  readonly type: string;
  readonly title: string;
  readonly description: string;
  received: number;
  video: string | undefined;
}

interface Video {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly at: number;
}

/** The API with one channel. */
export function createYoutubeApi() {
  const sessions = new Map<string, Session>();
  const videos: Video[] = [];

  function begin({ headers, json }: ServedRequest, url: string): ServedResponse {
    assert.match(headers['content-type'] ?? '', /^application\/json; charset=UTF-8$/i);
    const { snippet, status, ...rest } = json as { snippet?: Record<string, string>; status?: Record<string, string> };
    assert.deepEqual(rest, {});
    const { title = '', description = '', ...more } = snippet ?? {};
    assert.deepEqual(more, {});
    assert.ok(title !== '' && [...title].length <= 100, 'the title has 1 to 100 characters');
    assert.ok(Buffer.byteLength(description) <= 5_000, 'the description has at most 5,000 bytes');
    assert.ok(!/[<>]/.test(title + description), 'the texts contain neither < nor >');
    assert.ok(['public', 'unlisted', 'private'].includes(status?.['privacyStatus'] ?? ''));
    const [size, type = ''] = [Number(headers['x-upload-content-length']), headers['x-upload-content-type'] as string];
    assert.ok(size > 0 && type.startsWith('video/'));
    const id = randomBytes(12).toString('base64url');
    sessions.set(id, { id, size, type, title, description, received: 0, video: undefined });
    const location = `${url}/upload/youtube/v3/videos?uploadType=resumable&part=snippet,status&upload_id=${id}`;
    return { status: 200, headers: { location } };
  }

  const incomplete = ({ received }: Session): ServedResponse => ({
    status: 308,
    headers: received === 0 ? {} : { range: `bytes=0-${received - 1}` },
  });

  function take({ headers, query, body }: ServedRequest): ServedResponse {
    const session = sessions.get(query['upload_id'] ?? '');
    if (session === undefined) return { status: 404, body: 'Not Found' };
    if (session.video !== undefined) return { status: 200, body: { kind: 'youtube#video', id: session.video } };
    const range = headers['content-range'] ?? '';
    if (range === `bytes */${session.size}`) {
      assert.equal(body.length, 0);
      return incomplete(session);
    }
    const [, first, last, total] = range.match(/^bytes (\d+)-(\d+)\/(\d+)$/)?.map(Number) ?? [];
    assert.equal(headers['content-type'], session.type);
    assert.deepEqual([first, total, body.length], [session.received, session.size, (last ?? 0) + 1 - (first ?? 0)]);
    assert.ok(body.length % 262_144 === 0 || (last ?? 0) + 1 === session.size, 'parts are multiples of 256 KB');
    session.received += body.length;
    if (session.received < session.size) return incomplete(session);
    const id = randomBytes(8).toString('base64url');
    session.video = id;
    videos.push({ id, title: session.title, description: session.description, at: Date.now() });
    return { status: 201, body: { kind: 'youtube#video', id } };
  }

  function channels({ query }: ServedRequest): ServedResponse {
    assert.equal(query['mine'], 'true');
    const snippet = {
      title: 'Acme',
      customUrl: '@acme',
      thumbnails: { default: { url: 'https://yt3.example/a.jpg' } },
    };
    const item =
      query['part'] === 'snippet'
        ? { id: 'UC123', snippet }
        : { id: 'UC123', contentDetails: { relatedPlaylists: { likes: '', uploads: 'UU123' } } };
    return { status: 200, body: { kind: 'youtube#channelListResponse', items: [item] } };
  }

  function playlist({ query }: ServedRequest): ServedResponse {
    assert.deepEqual([query['part'], query['playlistId']], ['snippet', 'UU123']);
    const items = videos.toReversed().map(({ id, title, at }) => ({
      snippet: { title, publishedAt: new Date(at).toISOString(), resourceId: { kind: 'youtube#video', videoId: id } },
    }));
    return { status: 200, body: { items } };
  }

  const api: ServedNetwork = {
    refusals: {
      rejected: googleError(400, 'invalidDescription', refusalText),
      limited: googleError(403, 'quotaExceeded', 'The request cannot be completed: you have exceeded your quota.'),
      disconnected: googleError(401, 'authError', 'Invalid Credentials'),
    },
    isVisible({ method, headers }) {
      const [, last, total] = (headers['content-range'] ?? '').match(/^bytes \d+-(\d+)\/(\d+)$/) ?? [];
      return method === 'PUT' && last !== undefined && Number(last) + 1 === Number(total);
    },
    isLookup: ({ path, headers }) =>
      path.endsWith('/playlistItems') || (headers['content-range'] ?? '').startsWith('bytes */'),
    answer(call, url) {
      const { method, path, query } = call;
      if (method === 'POST' && path === '/token') {
        const { grant_type: grant, client_id: id, client_secret: secret, refresh_token: refresh } = call.form;
        assert.deepEqual([grant, id, secret], ['refresh_token', 'client', 'client-secret']);
        if (refresh !== '1//refresh') throw new ApiRefusal({ status: 400, body: { error: 'invalid_grant' } });
        return { status: 200, body: { access_token: 'ya29.next', expires_in: 3_599, token_type: 'Bearer' } };
      }
      assert.equal(call.headers.authorization, `Bearer ${token}`);
      if (path === '/upload/youtube/v3/videos') {
        assert.deepEqual([query['uploadType'], query['part']], ['resumable', 'snippet,status']);
        return method === 'POST' ? begin(call, url) : take(call);
      }
      if (method === 'GET' && path === '/youtube/v3/channels') return channels(call);
      if (method === 'GET' && path === '/youtube/v3/playlistItems') return playlist(call);
      assert.equal(path, '/youtube/v3/videos');
      const position = videos.findIndex(({ id }) => id === query['id']);
      if (method === 'DELETE') {
        if (position < 0) throw new ApiRefusal(googleError(404, 'videoNotFound', 'The video cannot be found.'));
        videos.splice(position, 1);
        return { status: 204 };
      }
      assert.equal(query['part'], 'statistics');
      const statistics = { viewCount: '31', likeCount: '4', favoriteCount: '0', commentCount: '2' };
      return { status: 200, body: { items: position < 0 ? [] : [{ id: query['id'], statistics }] } };
    },
  };
  return { api, sessions, videos };
}

/** The API and its network. */
export async function youtubeBench() {
  const state = createYoutubeApi();
  const running = await serveNetwork(() => state.api);
  const subject: SocialSuiteTarget = {
    network: youtubeSocial({
      url: running.url,
      tokenUrl: `${running.url}/token`,
      chunkBytes: 262_144,
      app: { clientId: 'client', clientSecret: 'client-secret' },
    }),
    credentials: { accessToken: token, refreshToken: '1//refresh', expiresAt: Date.now() + 3_600_000 },
    options: { company: true },
    outgoing: running.outgoing,
    visible: async () =>
      state.videos.map(({ id, description }) => ({
        id,
        text: description,
        media: 1,
      })),
    simulateFault: running.simulateFault,
    dispose: running.dispose,
  };
  return { ...state, running, subject };
}
