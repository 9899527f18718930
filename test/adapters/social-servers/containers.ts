// Instagram and Threads, as their references describe them: containers whose files the network fetches, states, publication,
// quotas, insights. The server really fetches the files.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { instagramSocial } from '../../../adapters/social/instagram.ts';
import { threadsSocial } from '../../../adapters/social/threads.ts';
import type { SocialNetwork } from '../../../plugins/social/port/index.ts';
import type { SocialSuiteTarget } from '../../../plugins/social/testing/index.ts';
import { graphError, graphGone, graphRefusals, graphTime } from './graph-errors.ts';
import {
  ApiRefusal,
  assertOnlyKnown,
  imageType,
  type ServedNetwork,
  type ServedRequest,
  type ServedResponse,
  serveNetwork,
} from './network-server.ts';

const token = 'IGAAtoken0000000000000000';
const user = '17841400000000001';

interface Shape {
  readonly id: 'instagram' | 'threads';
  readonly version: string;
  readonly edge: string;
  readonly publish: string;
  readonly text: string;
  readonly state: string;
  readonly reason: string;
  readonly quota: string;
  readonly me: Readonly<Record<string, string>>;
  readonly images: readonly string[];
  readonly maxChildren: number;
  readonly parameters: readonly string[];
  readonly metrics: string;
  make(url: string): SocialNetwork;
}

export const instagramShape: Shape = {
  id: 'instagram',
  version: 'v25.0',
  edge: 'media',
  publish: 'media_publish',
  text: 'caption',
  state: 'status_code',
  reason: 'status',
  quota: 'content_publishing_limit',
  me: {
    user_id: user,
    username: 'acme',
    name: 'Acme',
    account_type: 'BUSINESS',
    profile_picture_url: 'https://scontent.example/a.jpg',
  },
  images: ['image/jpeg'],
  maxChildren: 10,
  parameters: ['image_url', 'video_url', 'media_type', 'caption', 'alt_text', 'is_carousel_item', 'children'],
  metrics: 'views,reach,likes,comments,shares,saved',
  make: (url) => instagramSocial({ url, pollMs: 1 }),
};

export const threadsShape: Shape = {
  id: 'threads',
  version: 'v1.0',
  edge: 'threads',
  publish: 'threads_publish',
  text: 'text',
  state: 'status',
  reason: 'error_message',
  quota: 'threads_publishing_limit',
  me: { id: user, username: 'acme', name: 'Acme', threads_profile_picture_url: 'https://scontent.example/a.jpg' },
  images: ['image/jpeg', 'image/png'],
  maxChildren: 20,
  parameters: [
    'image_url',
    'video_url',
    'media_type',
    'text',
    'alt_text',
    'is_carousel_item',
    'children',
    'link_attachment',
  ],
  metrics: 'views,likes,replies,reposts,quotes,shares',
  make: (url) => threadsSocial({ url, pollMs: 1 }),
};

interface Container {
  readonly form: Readonly<Record<string, string>>;
  readonly children: readonly string[];
  /** The number of requests for its state that are answered before the files are ready. */
  pending: number;
  state: 'IN_PROGRESS' | 'FINISHED' | 'PUBLISHED' | 'ERROR' | 'EXPIRED';
}

interface Post {
  readonly id: string;
  readonly text: string;
  readonly media: number;
  readonly type: string;
  readonly at: number;
}

const newId = (): string => String(randomInt(10 ** 11, 10 ** 12));

/** The API with one account. */
export function createContainerApi(shape: Shape) {
  const containers = new Map<string, Container>();
  const posts: Post[] = [];
  const quota = { used: 0, deleted: 0 };
  /** The state that new containers get; undefined if their files can be used. */
  const nextState: { state: 'ERROR' | undefined } = { state: undefined };

  function checkToken({ headers, query, form }: ServedRequest): void {
    if (shape.id === 'instagram') assert.equal(headers.authorization, `Bearer ${token}`);
    else assert.equal(query['access_token'] ?? form['access_token'], token);
  }

  async function fetchFile(form: Container['form']): Promise<void> {
    const { image_url: image, video_url: video } = form;
    const answer = await fetch(image ?? video ?? '');
    assert.equal(answer.status, 200);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (image === undefined) return;
    assert.ok(shape.images.includes(imageType(bytes)), `the network accepts the image type ${imageType(bytes)}`);
    assert.ok(bytes.length <= 8_000_000);
  }

  async function addContainer({ form: { access_token: _token, ...form } }: ServedRequest): Promise<ServedResponse> {
    assertOnlyKnown(form, shape.parameters);
    const children = form['children']?.split(',') ?? [];
    const isItem = form['is_carousel_item'] === 'true';
    const type = form['media_type'] ?? 'IMAGE';
    const allowedTypes = {
      instagram: isItem ? ['IMAGE', 'VIDEO'] : ['IMAGE', 'REELS', 'CAROUSEL'],
      threads: ['TEXT', 'IMAGE', 'VIDEO', 'CAROUSEL'],
    };
    assert.ok(allowedTypes[shape.id].includes(type), `the type ${type}`);
    if (type === 'CAROUSEL') {
      assert.ok(children.length >= 2 && children.length <= shape.maxChildren, `${children.length} items`);
      for (const child of children) {
        const one = containers.get(child);
        assert.equal(one?.state, 'FINISHED', 'an item is ready');
        assert.equal(one?.form['is_carousel_item'], 'true');
      }
    } else if (type === 'TEXT') assert.ok(form['text'], 'a text post has a text');
    else await fetchFile(form);
    if (isItem) assert.equal(form[shape.text], undefined, 'items have no text');
    if (form['link_attachment'] !== undefined) assert.equal(type, 'TEXT');
    const id = newId();
    containers.set(id, { form, children, pending: type === 'TEXT' ? 0 : 1, state: 'IN_PROGRESS' });
    return { status: 200, body: { id } };
  }

  function readContainer(id: string, container: Container): ServedResponse {
    if (container.state === 'IN_PROGRESS' && container.pending === 0) container.state = nextState.state ?? 'FINISHED';
    container.pending = Math.max(0, container.pending - 1);
    const reason = container.state === 'ERROR' ? { [shape.reason]: 'Error: 2207026' } : {};
    return { status: 200, body: { id, [shape.state]: container.state, ...reason } };
  }

  function publish({ form }: ServedRequest): ServedResponse {
    assertOnlyKnown(form, ['creation_id', 'access_token']);
    const container = containers.get(form['creation_id'] ?? '');
    assert.ok(container !== undefined && container.form['is_carousel_item'] !== 'true');
    if (container.state === 'PUBLISHED') throw new ApiRefusal(graphError(400, 100, 'The media was published already.'));
    assert.equal(container.state, 'FINISHED', 'the container is ready');
    container.state = 'PUBLISHED';
    const id = newId();
    const media = container.children.length || (container.form['media_type'] === 'TEXT' ? 0 : 1);
    const types: Readonly<Record<string, string>> = { TEXT: 'TEXT_POST', CAROUSEL: 'CAROUSEL_ALBUM', REELS: 'VIDEO' };
    const mediaType = container.form['media_type'] ?? 'IMAGE';
    const type = types[mediaType] ?? mediaType;
    posts.push({ id, text: container.form[shape.text] ?? '', media, type, at: Date.now() });
    quota.used += 1;
    return { status: 200, body: { id } };
  }

  function object({ query }: ServedRequest, id: string): ServedResponse {
    const container = containers.get(id);
    if (query['fields'] === `${shape.state},${shape.reason}`) {
      if (container === undefined) throw graphGone(id);
      return readContainer(id, container);
    }
    assert.equal(query['fields'], 'permalink');
    if (!posts.some((post) => post.id === id)) throw graphGone(id);
    return { status: 200, body: { id, permalink: `https://www.${shape.id}.example/p/${id}` } };
  }

  function list({ query }: ServedRequest): ServedResponse {
    assert.equal(query['fields'], `id,${shape.text},media_type,timestamp,permalink`);
    const data = posts.toReversed().map(({ id, text, type, at }) => ({
      id,
      media_type: type,
      ...(text === '' ? {} : { [shape.text]: text }),
      timestamp: graphTime(at),
      permalink: `https://www.${shape.id}.example/p/${id}`,
    }));
    return { status: 200, body: { data } };
  }

  function limit({ query }: ServedRequest): ServedResponse {
    const all = {
      quota_usage: quota.used,
      config: { quota_total: 250, quota_duration: 86_400 },
      delete_quota_usage: quota.deleted,
      delete_config: { quota_total: 100, quota_duration: 86_400 },
    };
    const fieldNames = (query['fields'] ?? '').split(',');
    return {
      status: 200,
      body: { data: [Object.fromEntries(Object.entries(all).filter(([name]) => fieldNames.includes(name)))] },
    };
  }

  function remove(id: string): ServedResponse {
    assert.equal(shape.id, 'threads', 'Instagram has no deletion');
    const position = posts.findIndex((post) => post.id === id);
    if (position < 0) throw graphGone(id);
    posts.splice(position, 1);
    quota.deleted += 1;
    return { status: 200, body: { success: true, deleted_id: id } };
  }

  const api: ServedNetwork = {
    refusals: graphRefusals,
    isVisible: ({ method, path }) => method === 'POST' && path.endsWith(`/${shape.publish}`),
    isLookup: ({ method, path, query }) =>
      method === 'GET' && (path.endsWith(`/${shape.edge}`) || (query['fields'] ?? '').startsWith(shape.state)),
    answer(call) {
      if (call.path === '/refresh_access_token') {
        const grant = shape.id === 'instagram' ? 'ig_refresh_token' : 'th_refresh_token';
        assert.deepEqual(call.query, { grant_type: grant, access_token: token });
        return { status: 200, body: { access_token: 'IGAAnew', token_type: 'bearer', expires_in: 5_183_944 } };
      }
      checkToken(call);
      const path = call.path.startsWith(`/${shape.version}/`) ? call.path.slice(shape.version.length + 1) : '';
      const [, first = '', edge = ''] = path.split('/');
      if (call.method === 'GET' && path === '/me') return { status: 200, body: shape.me };
      if (call.method === 'POST' && path === `/${user}/${shape.edge}`) return addContainer(call);
      if (call.method === 'POST' && path === `/${user}/${shape.publish}`) return publish(call);
      if (call.method === 'GET' && path === `/${user}/${shape.edge}`) return list(call);
      if (call.method === 'GET' && path === `/${user}/${shape.quota}`) return limit(call);
      if (call.method === 'GET' && edge === '') return object(call, first);
      if (call.method === 'DELETE' && edge === '') return remove(first);
      if (call.method === 'GET' && edge === 'insights') {
        assert.equal(call.query['metric'], shape.metrics);
        const data = shape.metrics.split(',').map((name) => ({ name, period: 'lifetime', values: [{ value: 5 }] }));
        return { status: 200, body: { data } };
      }
      throw new Error('There is no such path.');
    },
  };
  return { api, posts, containers, quota, broken: nextState };
}

/** The API and its network, with internal state that a test may inspect. */
export async function containerBench(shape: Shape) {
  const state = createContainerApi(shape);
  const running = await serveNetwork(() => state.api);
  const subject: SocialSuiteTarget = {
    network: shape.make(`${running.url}/${shape.version}`),
    credentials: { accessToken: token },
    ...(shape.id === 'threads' ? { options: { company: true } } : {}),
    outgoing: running.outgoing,
    visible: async () => state.posts.map(({ id, text, media }) => ({ id, text, media })),
    simulateFault: running.simulateFault,
    dispose: running.dispose,
  };
  return { ...state, running, subject };
}
