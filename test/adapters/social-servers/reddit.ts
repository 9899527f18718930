// Reddit's API as reddit.com/dev/api describes it: the account, upload leases, submissions, deletion, and the storage that
// takes the files.

import assert from 'node:assert/strict';
import { redditSocial } from '../../../adapters/social/reddit.ts';
import { parseUrl } from '../../../core/contract/values/parse-url.ts';
import { refusalText, type SocialSuiteTarget } from '../../../plugins/social/testing/index.ts';
import {
  type NetworkServer,
  type ServedNetwork,
  type ServedRequest,
  type ServedResponse,
  serveNetwork,
} from './network-server.ts';

const accessToken = 'reddit-access-token-123';
const refreshToken = 'reddit-refresh-token-123';
const app = { clientId: 'reddit-client', clientSecret: 'reddit-secret-123' };
const userAgent = 'server:example.acme:v1.0 (by /u/acme)';

/** A submission as Reddit stores it. */
export interface StoredSubmission {
  readonly name: string;
  readonly kind: string;
  readonly title: string;
  readonly selftext: string;
  readonly url: string;
  readonly media: number;
  /** The number of requests that Reddit still answers without the post. */
  hidden: number;
}

const submitted = (data: unknown, errors: readonly string[][] = [], more: object = {}): ServedResponse => ({
  status: 200,
  body: { json: { errors, ...(errors.length === 0 ? { data } : {}), ...more } },
});

const submitFields = new Set([
  'api_type',
  'raw_json',
  'sendreplies',
  'sr',
  'title',
  'kind',
  'text',
  'url',
  'video_poster_url',
  'resubmit',
]);

function createReddit(url: string) {
  const posts: StoredSubmission[] = [];
  /** The address, the type and the state of each file, by id. */
  const files = new Map<string, { url: string; type: string; isStored: boolean }>();
  let last = 1_000;
  let refusals: ServedResponse[] = [];
  const nextId = (): string => {
    last += 1;
    return last.toString(36);
  };

  function keep(post: Omit<StoredSubmission, 'name'>): StoredSubmission {
    const keptPost = { ...post, name: `t3_${nextId()}` };
    posts.push(keptPost);
    return keptPost;
  }

  const storedAt = (address: string | null) =>
    [...files.values()].find((file) => file.url === address && file.isStored)?.type ?? '';

  function checkCommon(sr: unknown, title: unknown): ServedResponse | undefined {
    assert.ok(typeof title === 'string' && title !== '' && [...title].length <= 300);
    if (sr === 'nowhere') return submitted({}, [['SUBREDDIT_NOEXIST', "that community doesn't exist", 'sr']]);
    assert.equal(sr, 'acme');
    return refusals.shift();
  }

  function submit(request: ServedRequest): ServedResponse {
    const form = new URLSearchParams(request.body.toString());
    for (const name of form.keys()) assert.ok(submitFields.has(name), `an unknown field ${name}`);
    assert.equal(form.get('api_type'), 'json');
    const refusal = checkCommon(form.get('sr'), form.get('title'));
    if (refusal !== undefined) return refusal;
    const [kind, title, selftext] = ['kind', 'title', 'text'].map((name) => form.get(name) ?? '') as [
      string,
      string,
      string,
    ];
    const address = form.get('url') ?? '';
    if ([...selftext].length > 40_000) return submitted({}, [['TOO_LONG', 'this is too long (max: 40000)', 'text']]);
    const common = { kind, title, selftext, url: address };
    if (kind === 'self' || kind === 'link') {
      if (kind === 'link') assert.ok(parseUrl(address) !== undefined && !form.has('text'));
      const { name } = keep({ ...common, media: 0, hidden: 0 });
      return submitted({ url: `https://www.reddit.com/r/acme/comments/${name.slice(3)}/x/`, id: name.slice(3), name });
    }
    assert.ok(kind === 'image' || kind === 'video', `an unknown kind ${kind}`);
    assert.match(storedAt(address), new RegExp(`^${kind}/`));
    if (kind === 'video') assert.match(storedAt(form.get('video_poster_url')), /^image\//);
    keep({ ...common, media: 1, hidden: 2 });
    return submitted({ user_submitted_page: 'https://www.reddit.com/user/acme/submitted/', websocket_url: 'wss://x' });
  }

  function gallery(request: ServedRequest): ServedResponse {
    const { sr, title, items, text, ...others } = request.json;
    assert.deepEqual(others, { api_type: 'json', sendreplies: true, show_error_list: true });
    const refusal = checkCommon(sr, title);
    if (refusal !== undefined) return refusal;
    const list = items as { media_id: string; caption: string; outbound_url: string }[];
    assert.ok(list.length >= 2 && list.length <= 20);
    for (const { media_id: id } of list) assert.ok(files.get(id)?.isStored);
    const { name } = keep({
      kind: 'gallery',
      title: String(title),
      selftext: String(text),
      url: '',
      media: list.length,
      hidden: 0,
    });
    return submitted({ url: `https://www.reddit.com/gallery/${name.slice(3)}`, id: name });
  }

  function lease(request: ServedRequest): ServedResponse {
    const form = new URLSearchParams(request.body.toString());
    assert.deepEqual([...form.keys()].sort(), ['filepath', 'mimetype']);
    const type = form.get('mimetype') ?? '';
    assert.match(type, /^(image\/(jpeg|png|gif)|video\/(mp4|quicktime))$/);
    const id = nextId();
    files.set(id, { url: `${url}/storage/rte_images/${id}`, type, isStored: false });
    const fields = Object.entries({ acl: 'private', key: `rte_images/${id}`, 'Content-Type': type }).map(
      ([name, value]) => ({ name, value }),
    );
    return { status: 200, body: { args: { action: `${url}/storage`, fields }, asset: { asset_id: id } } };
  }

  function store(request: ServedRequest): ServedResponse {
    assert.equal(request.headers.authorization, undefined, 'the storage does not get the token');
    const { form, files: sentFiles } = request;
    assert.deepEqual(
      [...Object.keys(form), ...sentFiles.map(({ field }) => field)],
      ['acl', 'key', 'Content-Type', 'file'],
    );
    const file = files.get(form['key']?.split('/')[1] ?? '');
    assert.ok(file && (sentFiles[0]?.bytes.length ?? 0) > 0);
    file.isStored = true;
    return { status: 201, body: '<PostResponse/>' };
  }

  function listing(found: readonly StoredSubmission[]): ServedResponse {
    const createdAt = Math.floor(Date.now() / 1_000);
    const children = found.map(({ name, title, selftext, url: address }) => ({
      kind: 't3',
      data: {
        name,
        title,
        selftext,
        url: address,
        subreddit: 'Acme',
        created_utc: createdAt,
        ups: 3,
        num_comments: 2,
        num_crossposts: 0,
        view_count: null,
      },
    }));
    return { status: 200, body: { kind: 'Listing', data: { children } } };
  }

  function submissions({ query }: ServedRequest): ServedResponse {
    assert.ok(query['sort'] === 'new' && Number(query['limit']) <= 100);
    const visible = posts.filter(({ hidden }) => hidden === 0);
    for (const post of posts) post.hidden = Math.max(0, post.hidden - 1);
    return listing(visible.toReversed());
  }

  function token(request: ServedRequest): ServedResponse {
    const basic = `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')}`;
    assert.equal(request.headers.authorization, basic);
    const form = new URLSearchParams(request.body.toString());
    assert.equal(form.get('grant_type'), 'refresh_token');
    if (form.get('refresh_token') !== refreshToken)
      return { status: 400, body: { message: 'Bad Request', error: 400 } };
    return { status: 200, body: { access_token: 'new-access', token_type: 'bearer', expires_in: 86_400, scope: '*' } };
  }

  const handle = (request: ServedRequest): ServedResponse => {
    const { method, path, query, headers } = request;
    if (path === '/storage') return store(request);
    assert.equal(headers['user-agent'], userAgent);
    if (path === '/api/v1/access_token') return token(request);
    if (headers.authorization !== `bearer ${accessToken}`)
      return { status: 401, body: { message: 'Unauthorized', error: 401 } };
    const route = `${method} ${path}`;
    if (route === 'GET /api/v1/me')
      return { status: 200, body: { id: 'abc', name: 'acme', icon_img: '', subreddit: { title: 'Acme' } } };
    if (route === 'POST /api/media/asset.json') return lease(request);
    if (route === 'POST /api/submit') return submit(request);
    if (route === 'POST /api/submit_gallery_post.json') return gallery(request);
    if (route === 'GET /user/acme/submitted') return submissions(request);
    if (route === 'GET /api/info') return listing(posts.filter(({ name }) => name === query['id']));
    assert.equal(route, 'POST /api/del');
    const at = posts.findIndex(({ name }) => name === new URLSearchParams(request.body.toString()).get('id'));
    if (at >= 0) posts.splice(at, 1);
    return { status: 200, body: {} };
  };
  return {
    handle,
    posts,
    refuseNext(answer: ServedResponse) {
      refusals = [...refusals, answer];
    },
  };
}

/** The subject of the shared suite, with more access for a test. */
export interface RedditBench extends SocialSuiteTarget {
  readonly server: NetworkServer;
  readonly posts: readonly StoredSubmission[];
  /** Makes the next submission get this answer. */
  refuseNext(errors: readonly string[][], more?: object): void;
}

/** Starts a server with one account. */
export async function startReddit(): Promise<RedditBench> {
  let reddit: ReturnType<typeof createReddit> | undefined;
  const isSubmission = ({ path }: ServedRequest): boolean => path.startsWith('/api/submit');
  const network = (url: string): ServedNetwork => {
    reddit = createReddit(url);
    return {
      answer: reddit.handle,
      isVisible: isSubmission,
      isLookup: ({ path }) => path.endsWith('/submitted'),
      refusals: {
        rejected: submitted({}, [['RULE', refusalText, 'title']]),
        limited: {
          status: 429,
          body: { message: 'Too Many Requests', error: 429 },
          headers: { 'x-ratelimit-reset': '300' },
        },
        disconnected: { status: 401, body: { message: 'Unauthorized', error: 401 } },
      },
    };
  };
  const server = await serveNetwork(network);
  if (reddit === undefined) throw new Error('The server has not started.');
  const { posts, refuseNext } = reddit;
  return {
    server,
    posts,
    refuseNext: (errors, more = {}) => refuseNext(submitted({}, errors, more)),
    network: redditSocial({
      url: server.url,
      tokenUrl: `${server.url}/api/v1/access_token`,
      app,
      userAgent,
      pollMs: 1,
    }),
    credentials: { accessToken, refreshToken, expiresAt: Date.now() + 86_400_000 },
    options: { company: true },
    outgoing: server.outgoing,
    async visible() {
      server.checkFaults();
      return posts.map(({ name, selftext, media }) => ({ id: name, text: selftext, media }));
    },
    simulateFault: server.simulateFault,
    dispose: server.dispose,
  };
}
