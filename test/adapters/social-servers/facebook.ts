// Facebook's Graph API for Pages, as its reference describes it: a user's Pages, photos, posts, videos in phases, insights.
import assert from 'node:assert/strict';
import { createHmac, randomInt } from 'node:crypto';
import { facebookSocial } from '../../../adapters/social/facebook.ts';
import type { SocialSuiteTarget } from '../../../plugins/social/testing/index.ts';
import { graphGone, graphRefusals, graphTime } from './graph-errors.ts';
import {
  assertOnlyKnown,
  imageType,
  type ServedNetwork,
  type ServedRequest,
  type ServedResponse,
  serveNetwork,
} from './network-server.ts';

const userToken = 'EAAuser0000000000000000';
const pageToken = 'EAApage1111111111111111';
const appSecret = 'app-secret-22222222';
const page = '1122334455';

interface Post {
  readonly id: string;
  readonly message: string;
  readonly at: number;
  readonly photos: readonly string[];
  readonly link: string | undefined;
}

interface Video {
  readonly id: string;
  readonly session: string;
  readonly size: number;
  received: number;
  isPublished: boolean;
  description: string;
}

const newId = (): string => String(randomInt(10 ** 11, 10 ** 12));

/** The API with one Page. */
export function createFacebookApi() {
  const photos = new Set<string>();
  const posts: Post[] = [];
  const videos = new Map<string, Video>();
  const order: string[] = [];

  const isOfPage = (call: ServedRequest): boolean =>
    !call.path.endsWith('/me/accounts') && call.query['fields'] !== 'access_token';

  function checkToken(call: ServedRequest): void {
    const token = isOfPage(call) ? pageToken : userToken;
    assert.equal(
      call.headers.authorization,
      `Bearer ${token}`,
      'the request has the token of the Page, or the token of the user for the Pages',
    );
    const proof = createHmac('sha256', appSecret).update(token).digest('hex');
    assert.equal(
      call.query['appsecret_proof'] ?? call.form['appsecret_proof'],
      proof,
      'the proof belongs to the token in use',
    );
  }

  function addPhoto({ form, files }: ServedRequest): ServedResponse {
    assertOnlyKnown(form, ['published', 'alt_text_custom', 'appsecret_proof']);
    assert.equal(form['published'], 'false');
    const [file, ...otherFiles] = files;
    assert.ok(file !== undefined && otherFiles.length === 0 && file.field === 'source');
    assert.equal(file.contentType, imageType(file.bytes));
    assert.ok(file.bytes.length <= 4_000_000);
    const id = newId();
    photos.add(id);
    return { status: 200, body: { id } };
  }

  function addPost({ form }: ServedRequest): ServedResponse {
    const attachedIds = Object.entries(form).flatMap(([name, value]) => {
      const position = name.match(/^attached_media\[(\d+)\]$/)?.[1];
      if (position === undefined) return [];
      const { media_fbid: id } = JSON.parse(value) as { media_fbid?: string };
      assert.ok(id !== undefined && photos.has(id), 'the photo was uploaded');
      return [id];
    });
    assertOnlyKnown(form, [
      'message',
      'link',
      'appsecret_proof',
      ...attachedIds.map((_id, position) => `attached_media[${position}]`),
    ]);
    assert.ok(form['message'] || form['link'] || attachedIds.length > 0, 'a post has content');
    const post = {
      id: `${page}_${newId()}`,
      message: form['message'] ?? '',
      at: Date.now(),
      photos: attachedIds,
      link: form['link'],
    };
    posts.push(post);
    order.push(post.id);
    return { status: 200, body: { id: post.id } };
  }

  function takeVideo({ form, files }: ServedRequest): ServedResponse {
    const phase = form['upload_phase'];
    if (phase === 'start') {
      assertOnlyKnown(form, ['upload_phase', 'file_size', 'appsecret_proof']);
      const video = {
        id: newId(),
        session: newId(),
        size: Number(form['file_size']),
        received: 0,
        isPublished: false,
        description: '',
      };
      videos.set(video.id, video);
      const end = Math.min(video.size, 100_000);
      return {
        status: 200,
        body: { upload_session_id: video.session, video_id: video.id, start_offset: '0', end_offset: String(end) },
      };
    }
    const video = [...videos.values()].find(({ session }) => session === form['upload_session_id']);
    assert.ok(video !== undefined, 'the session was started');
    if (phase === 'transfer') {
      assertOnlyKnown(form, ['upload_phase', 'upload_session_id', 'start_offset', 'appsecret_proof']);
      const [file] = files;
      assert.equal(file?.field, 'video_file_chunk');
      assert.equal(Number(form['start_offset']), video.received);
      video.received += file?.bytes.length ?? 0;
      const end = Math.min(video.size, video.received + 100_000);
      return { status: 200, body: { start_offset: String(video.received), end_offset: String(end) } };
    }
    assert.equal(phase, 'finish');
    assertOnlyKnown(form, ['upload_phase', 'upload_session_id', 'description', 'appsecret_proof']);
    assert.equal(video.received, video.size, 'all bytes were sent');
    assert.ok(!video.isPublished, 'a session is finished once');
    video.isPublished = true;
    video.description = form['description'] ?? '';
    order.push(video.id);
    return { status: 200, body: { success: true } };
  }

  function feed(): ServedResponse {
    const data = posts.toReversed().map(({ id, message, at, photos: attached }) => ({
      id,
      ...(message === '' ? {} : { message }),
      created_time: graphTime(at),
      permalink_url: `https://www.facebook.com/${page}/posts/${id}`,
      ...(attached.length === 0 ? {} : { attachments: { data: attachments(attached) } }),
    }));
    return { status: 200, body: { data } };
  }

  const attachments = (attached: readonly string[]): unknown[] =>
    attached.length === 1
      ? [{ target: { id: attached[0] } }]
      : [{ target: { id: 'album' }, subattachments: { data: attached.map((id) => ({ target: { id } })) } }];

  function object({ query }: ServedRequest, id: string): ServedResponse {
    const video = videos.get(id);
    const post = posts.find((one) => one.id === id);
    if (video === undefined && post === undefined) throw graphGone(id);
    if (query['fields'] === 'permalink_url') {
      return {
        status: 200,
        body: {
          id,
          permalink_url:
            video === undefined ? `https://www.facebook.com/${page}/posts/${id}` : `/${page}/videos/${id}/`,
        },
      };
    }
    if (query['fields'] === 'published,status,permalink_url') {
      assert.ok(video !== undefined);
      const uploading = { status: video.isPublished ? 'complete' : 'in_progress' };
      const status = { video_status: 'processing', uploading_phase: uploading };
      return {
        status: 200,
        body: { id, published: video.isPublished, status, permalink_url: `/${page}/videos/${id}/` },
      };
    }
    const summary = { summary: { total_count: 7 } };
    assert.match(
      query['fields'] ?? '',
      /^(likes|reactions)\.summary\(true\)\.limit\(0\),comments\.summary\(true\)\.limit\(0\)(,shares)?$/,
    );
    return {
      status: 200,
      body: { id, likes: summary, reactions: summary, comments: { summary: { total_count: 2 } }, shares: { count: 1 } },
    };
  }

  function exchange({ method, query }: ServedRequest): ServedResponse {
    const expectedQuery = { client_id: '123', client_secret: appSecret, grant_type: 'fb_exchange_token' };
    assert.deepEqual([method, query], ['GET', { ...expectedQuery, fb_exchange_token: userToken }]);
    return { status: 200, body: { access_token: 'EAAnew', token_type: 'bearer', expires_in: 5_184_000 } };
  }

  const api: ServedNetwork = {
    refusals: graphRefusals,
    isVisible: ({ method, path, form }) =>
      method === 'POST' && (path.endsWith('/feed') || (path.endsWith('/videos') && form['upload_phase'] === 'finish')),
    isLookup: ({ method, path, query }) =>
      method === 'GET' && (path.endsWith('/feed') || (query['fields'] ?? '').startsWith('published')),
    answer(call) {
      if (call.path === '/v25.0/oauth/access_token') return exchange(call);
      checkToken(call);
      const path = call.path.match(/^\/v25\.0(\/.*)$/)?.[1] ?? '';
      const [, first = '', edge = ''] = path.split('/');
      if (call.method === 'GET' && path === '/me/accounts') {
        const picture = { data: { url: 'https://scontent.example/acme.jpg' } };
        const acme = {
          id: page,
          name: 'Acme',
          username: 'acme',
          access_token: pageToken,
          tasks: ['CREATE_CONTENT', 'ANALYZE'],
          picture,
        };
        const otherPage = { id: '99', name: 'Read only', access_token: 'EAAother', tasks: ['ANALYZE'] };
        return { status: 200, body: { data: [acme, otherPage], paging: { cursors: { before: 'a', after: 'b' } } } };
      }
      if (call.method === 'GET' && path === `/${page}` && call.query['fields'] === 'access_token') {
        return { status: 200, body: { id: page, access_token: pageToken } };
      }
      if (call.method === 'POST' && path === `/${page}/photos`) return addPhoto(call);
      if (call.method === 'POST' && path === `/${page}/feed`) return addPost(call);
      if (call.method === 'POST' && path === `/${page}/videos`) return takeVideo(call);
      if (call.method === 'GET' && path === `/${page}/feed`) return feed();
      if (call.method === 'GET' && edge === '') return object(call, first);
      if (call.method === 'GET' && edge === 'insights') {
        const metrics = (call.query['metric'] ?? '').split(',');
        return {
          status: 200,
          body: { data: metrics.map((name) => ({ name, period: 'lifetime', values: [{ value: 12 }] })) },
        };
      }
      if (call.method === 'DELETE' && edge === '') {
        const position = order.indexOf(first);
        if (position < 0) throw graphGone(first);
        order.splice(position, 1);
        return { status: 200, body: { success: true } };
      }
      throw new Error('There is no such path.');
    },
  };
  const visible = () =>
    order.map((id) => {
      const post = posts.find((one) => one.id === id);
      if (post !== undefined) return { id, text: post.message, media: post.photos.length };
      return { id, text: videos.get(id)?.description ?? '', media: 1 };
    });
  return { api, visible, posts };
}

/** The API and its network. */
export async function facebookBench() {
  const state = createFacebookApi();
  const running = await serveNetwork(() => state.api);
  const url = `${running.url}/v25.0`;
  const subject: SocialSuiteTarget = {
    network: facebookSocial({ url, videoUrl: url, app: { clientId: '123', clientSecret: appSecret } }),
    credentials: { accessToken: userToken },
    outgoing: running.outgoing,
    visible: async () => state.visible(),
    simulateFault: running.simulateFault,
    dispose: running.dispose,
  };
  return { ...state, running, subject };
}
