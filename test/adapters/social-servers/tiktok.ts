// TikTok's Content Posting API as its reference describes it: the creator, announced videos with their uploads, photos that it
// fetches, and the status of a publication.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { tiktokSocial } from '../../../adapters/social/tiktok.ts';
import { refusalText, type SocialSuiteTarget } from '../../../plugins/social/testing/index.ts';
import {
  ApiRefusal,
  assertOnlyKnown,
  imageType,
  type ServedNetwork,
  type ServedRequest,
  type ServedResponse,
  serveNetwork,
} from './network-server.ts';

const token = 'act.token0000000000000000';

interface Publication {
  readonly id: string;
  readonly kind: 'video' | 'photo';
  readonly text: string;
  readonly media: number;
  readonly size: number;
  readonly chunks: number;
  readonly chunkSize: number;
  readonly key: string;
  sent: number;
  receivedChunks: number;
  /** The number of status requests until the publication is complete. */
  pending: number;
  failReason: string | undefined;
}

const good = (data: object): ServedResponse => ({
  status: 200,
  body: { data, error: { code: 'ok', message: '', log_id: '2' } },
});
export const tiktokError = (status: number, code: string, message: string): ServedResponse => ({
  status,
  body: { error: { code, message, log_id: '2' } },
});

/** The API with one creator. */
export function createTiktokApi() {
  const publications: Publication[] = [];
  const privacy = { options: ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'] };
  const newPublication = (
    fields: Pick<Publication, 'kind' | 'text' | 'media' | 'size' | 'chunks' | 'chunkSize'>,
  ): Publication => {
    const id = `${fields.kind === 'video' ? 'v_pub_file' : 'p_pub_url'}~v2.${randomInt(10 ** 12)}`;
    const publication = {
      ...fields,
      id,
      key: String(randomInt(10 ** 12)),
      sent: 0,
      receivedChunks: 0,
      pending: 1,
      failReason: undefined,
    };
    publications.push(publication);
    return publication;
  };

  function announceVideo({ json }: ServedRequest, url: string): ServedResponse {
    assertOnlyKnown(json, ['post_info', 'source_info']);
    const { post_info: info, source_info: source } = json as {
      post_info: Record<string, string>;
      source_info: Record<string, unknown>;
    };
    assertOnlyKnown(info, ['title', 'privacy_level']);
    assert.ok((info['title'] ?? '').length <= 2_200);
    assert.ok(privacy.options.includes(info['privacy_level'] ?? ''));
    const {
      source: from,
      video_size: size,
      chunk_size: chunkSize,
      total_chunk_count: chunks,
      ...more
    } = source as Record<string, number>;
    assert.deepEqual([from as unknown, more], ['FILE_UPLOAD', {}]);
    assert.ok(size !== undefined && chunkSize !== undefined && chunks !== undefined);
    assert.equal(
      chunks,
      Math.floor(size / chunkSize),
      'total_chunk_count is video_size divided by chunk_size, rounded down',
    );
    assert.ok(size < 5_000_000 ? chunkSize === size : chunkSize >= 5_000_000 && chunkSize <= 64_000_000);
    const publication = newPublication({ kind: 'video', text: info['title'] ?? '', media: 1, size, chunks, chunkSize });
    const upload_url = `${url}/upload?upload_id=${publication.id}&upload_token=${publication.key}`;
    return good({ publish_id: publication.id, upload_url });
  }

  function takeChunk({ headers, query, body }: ServedRequest): ServedResponse {
    assert.equal(headers.authorization, undefined, 'the store of uploads gets no token');
    const publication = publications.find(({ id }) => id === query['upload_id']);
    assert.ok(publication !== undefined && publication.key === query['upload_token']);
    assert.ok(headers['content-type']?.startsWith('video/'));
    const [, first, last, total] =
      (headers['content-range'] ?? '').match(/^bytes (\d+)-(\d+)\/(\d+)$/)?.map(Number) ?? [];
    assert.deepEqual([first, total, body.length], [publication.sent, publication.size, (last ?? 0) + 1 - (first ?? 0)]);
    publication.sent += body.length;
    publication.receivedChunks += 1;
    const isLast = publication.sent === publication.size;
    if (isLast) assert.equal(publication.receivedChunks, publication.chunks);
    else assert.equal(body.length, publication.chunkSize);
    return { status: isLast ? 201 : 206 };
  }

  async function announcePhotos({ json }: ServedRequest): Promise<ServedResponse> {
    assertOnlyKnown(json, ['media_type', 'post_mode', 'post_info', 'source_info']);
    assert.deepEqual([json['media_type'], json['post_mode']], ['PHOTO', 'DIRECT_POST']);
    const { post_info: info, source_info: source } = json as {
      post_info: Record<string, string>;
      source_info: Record<string, unknown>;
    };
    assertOnlyKnown(info, ['title', 'description', 'privacy_level']);
    assert.ok((info['description'] ?? '').length <= 4_000 && (info['title'] ?? '').length <= 90);
    const { source: from, photo_images: images, photo_cover_index: cover, ...more } = source;
    assert.deepEqual([from, cover, more], ['PULL_FROM_URL', 0, {}]);
    const urls = images as string[];
    assert.ok(urls.length >= 1 && urls.length <= 35);
    for (const url of urls) {
      const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
      assert.equal(imageType(bytes), 'image/jpeg', 'TikTok takes no PNG');
    }
    const publication = newPublication({
      kind: 'photo',
      text: info['description'] ?? '',
      media: urls.length,
      size: 0,
      chunks: 0,
      chunkSize: 0,
    });
    return good({ publish_id: publication.id });
  }

  function status({ json }: ServedRequest): ServedResponse {
    assertOnlyKnown(json, ['publish_id']);
    const publication = publications.find(({ id }) => id === json['publish_id']);
    if (publication === undefined)
      throw new ApiRefusal(tiktokError(400, 'invalid_publish_id', 'The publish_id does not exist.'));
    const { sent, size, failReason } = publication;
    if (failReason !== undefined) return good({ status: 'FAILED', fail_reason: failReason, uploaded_bytes: sent });
    if (sent < size) return good({ status: 'PROCESSING_UPLOAD', uploaded_bytes: sent });
    publication.pending -= 1;
    if (publication.pending >= 0) return good({ status: 'PROCESSING_UPLOAD', uploaded_bytes: sent });
    return good({ status: 'PUBLISH_COMPLETE', publicaly_available_post_id: [publication.id.slice(-12)] });
  }

  const api: ServedNetwork = {
    refusals: {
      rejected: tiktokError(400, 'invalid_params', refusalText),
      limited: tiktokError(429, 'rate_limit_exceeded', 'The API rate limit was exceeded.'),
      disconnected: tiktokError(401, 'access_token_invalid', 'The access token is invalid or not found.'),
    },
    isVisible({ method, path, headers }) {
      const [, last, total] = (headers['content-range'] ?? '').match(/^bytes \d+-(\d+)\/(\d+)$/) ?? [];
      return (
        path.endsWith('/content/init/') ||
        (method === 'PUT' && last !== undefined && Number(last) + 1 === Number(total))
      );
    },
    isLookup: ({ path }) => path.endsWith('/status/fetch/'),
    answer(call, url) {
      const { method, path } = call;
      if (method === 'PUT' && path === '/upload') return takeChunk(call);
      if (method === 'POST' && path === '/v2/oauth/token/') {
        const { refresh_token: refresh, ...rest } = call.form;
        assert.deepEqual(rest, { grant_type: 'refresh_token', client_key: 'client', client_secret: 'client-secret' });
        if (refresh !== 'rft.refresh')
          throw new ApiRefusal({
            status: 400,
            body: { error: 'invalid_grant', error_description: 'Refresh token is invalid or expired.' },
          });
        return {
          status: 200,
          body: { access_token: 'act.next', refresh_token: 'rft.next', expires_in: 86_400, open_id: 'o' },
        };
      }
      assert.equal(call.headers.authorization, `Bearer ${token}`);
      if (method === 'GET' && path === '/v2/user/info/') {
        assert.equal(call.query['fields'], 'open_id,avatar_url,display_name');
        return good({ user: { open_id: '-000abc', display_name: 'Acme', avatar_url: 'https://p16.example/a.jpg' } });
      }
      assert.equal(method, 'POST');
      assert.equal(call.headers['content-type'], 'application/json; charset=UTF-8');
      if (path === '/v2/post/publish/creator_info/query/') {
        return good({
          creator_avatar_url: 'https://p16.example/a.jpg',
          creator_username: 'acme',
          creator_nickname: 'Acme',
          privacy_level_options: privacy.options,
          max_video_post_duration_sec: 300,
        });
      }
      if (path === '/v2/post/publish/video/init/') return announceVideo(call, url);
      if (path === '/v2/post/publish/content/init/') return announcePhotos(call);
      assert.equal(path, '/v2/post/publish/status/fetch/');
      return status(call);
    },
  };
  return { api, publications, privacy };
}

/** The API and its network. */
export async function tiktokBench() {
  const state = createTiktokApi();
  const running = await serveNetwork(() => state.api);
  const subject: SocialSuiteTarget = {
    network: tiktokSocial({
      url: running.url,
      pollMs: 1,
      chunkBytes: 5_000_000,
      app: { clientId: 'client', clientSecret: 'client-secret' },
    }),
    credentials: { accessToken: token, refreshToken: 'rft.refresh', expiresAt: Date.now() + 86_400_000 },
    options: { company: true },
    outgoing: running.outgoing,
    // A completely uploaded or fetched publication becomes visible.
    visible: async () =>
      state.publications
        .filter(({ sent, size, failReason }) => sent === size && failReason === undefined)
        .map(({ id, text, media }) => ({ id, text, media })),
    simulateFault: running.simulateFault,
    cannotTell: ({ media }, step) => media[0]?.kind === 'image' && step === 'announce',
    dispose: running.dispose,
  };
  return { ...state, running, subject };
}
