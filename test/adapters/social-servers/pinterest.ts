// Pinterest's API v5 as its published description (pinterest/api-description, 5.23.0) defines it: the account, boards, pins, uploads
// of video, analytics.

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { pinterestSocial } from '../../../adapters/social/pinterest.ts';
import { parseUrl } from '../../../core/contract/values/parse-url.ts';
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

const token = 'pina_token0000000000000000';
const board = '549755885175';

interface Pin {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly media: number;
  readonly at: number;
}

const newId = (): string => String(randomInt(10 ** 11, 10 ** 12));
const error = (status: number, code: number, message: string): ServedResponse => ({ status, body: { code, message } });

/** Checks an image in the description's format: its type, and its bytes in base64. */
function checkImage(item: Readonly<Record<string, unknown>>): void {
  const { content_type: type, data, ...more } = item;
  assert.deepEqual(more, {});
  assert.match(data as string, /^[a-zA-Z0-9+/=]+$/);
  assert.equal(imageType(Buffer.from(data as string, 'base64')), type);
}

/** The API with one account and two boards. */
export function createPinterestApi() {
  const pins: Pin[] = [];
  const media = new Map<string, { isUploaded: boolean; statusReads: number }>();

  function mediaOf(source: Readonly<Record<string, unknown>>): number {
    const { source_type: type, ...rest } = source;
    if (type === 'image_base64') {
      checkImage(rest);
      return 1;
    }
    if (type === 'multiple_image_base64') {
      assertOnlyKnown(rest, ['items']);
      const items = rest['items'] as Record<string, unknown>[];
      assert.ok(items.length >= 2 && items.length <= 5);
      items.forEach(checkImage);
      return items.length;
    }
    assert.equal(type, 'video_id');
    assertOnlyKnown(rest, ['media_id', 'cover_image_key_frame_time']);
    assert.ok(Number.isInteger(rest['cover_image_key_frame_time']), 'a video has a cover');
    assert.ok((media.get(rest['media_id'] as string)?.statusReads ?? 0) > 1, 'the video was processed');
    return 1;
  }

  function addPin({ json }: ServedRequest): ServedResponse {
    assertOnlyKnown(json, ['board_id', 'title', 'description', 'link', 'alt_text', 'media_source']);
    const {
      board_id: id,
      title = '',
      description = '',
      link = '',
      alt_text: alt = '',
    } = json as Record<string, string>;
    assert.equal(id, board);
    assert.ok([...title].length <= 100 && [...description].length <= 800 && [...alt].length <= 500);
    assert.ok(link.length <= 2_048 && (link === '' || parseUrl(link) !== undefined));
    const pin = {
      id: newId(),
      title,
      description,
      media: mediaOf(json['media_source'] as object as Record<string, unknown>),
      at: Date.now(),
    };
    pins.push(pin);
    return { status: 201, body: { id: pin.id, board_id: board, title, description } };
  }

  function upload({ headers, form, files }: ServedRequest): ServedResponse {
    assert.equal(headers.authorization, undefined, 'the store of uploads gets no token');
    assert.deepEqual(Object.keys(form).sort(), ['Content-Type', 'key', 'policy', 'x-amz-signature']);
    assert.deepEqual([files.length, files[0]?.field], [1, 'file']);
    const knownMedia = media.get(form['key'] ?? '');
    assert.ok(knownMedia !== undefined);
    knownMedia.isUploaded = true;
    return { status: 204 };
  }

  const viewOf = ({ id, title, description, at }: Pin) => ({
    id,
    title: title || null,
    description: description || null,
    board_id: board,
    // The API writes UTC without a zone.
    created_at: new Date(at).toISOString().slice(0, 19),
  });

  const api: ServedNetwork = {
    refusals: {
      rejected: error(400, 1, refusalText),
      limited: {
        ...error(429, 8, 'You have exceeded your rate limit.'),
        headers: { 'x-ratelimit-reset': '30' },
      },
      disconnected: error(401, 2, 'Authentication failed.'),
    },
    isVisible: ({ method, path }) => method === 'POST' && path === '/v5/pins',
    isLookup: ({ method, path }) => method === 'GET' && path.endsWith('/pins'),
    answer(call, url) {
      const { method, path } = call;
      if (method === 'POST' && path === '/upload') return upload(call);
      if (method === 'POST' && path === '/v5/oauth/token') {
        assert.equal(call.headers.authorization, `Basic ${Buffer.from('client:client-secret').toString('base64')}`);
        const { grant_type: grant, refresh_token: refresh } = call.form;
        assert.equal(grant, 'refresh_token');
        if (refresh !== 'pinr_refresh') throw new ApiRefusal(error(401, 3, 'Your session is over.'));
        return { status: 200, body: { access_token: 'pina_next', refresh_token: 'pinr_next', expires_in: 2_592_000 } };
      }
      assert.equal(call.headers.authorization, `Bearer ${token}`);
      const id = path.match(/^\/v5\/(?:pins|media)\/(\d+)/)?.[1] ?? '';
      if (method === 'GET' && path === '/v5/user_account') {
        const body = {
          account_type: 'BUSINESS',
          id: '2783136121146311751',
          username: 'acme',
          business_name: 'Acme',
          profile_image: 'https://i.pinimg.example/a.jpg',
        };
        return { status: 200, body };
      }
      if (method === 'GET' && path === '/v5/boards') {
        assert.equal(call.query['page_size'], '250');
        const isSecond = call.query['bookmark'] === 'next';
        const items = isSecond ? [{ id: '2', name: 'Ideas' }] : [{ id: board, name: 'News' }];
        return { status: 200, body: { items, bookmark: isSecond ? null : 'next' } };
      }
      if (method === 'POST' && path === '/v5/media') {
        assert.deepEqual(call.json, { media_type: 'video' });
        const media_id = newId();
        media.set(media_id, { isUploaded: false, statusReads: 0 });
        const upload_parameters = {
          'x-amz-signature': 'signature',
          key: media_id,
          policy: 'policy',
          'Content-Type': 'multipart/form-data',
        };
        return { status: 201, body: { media_id, media_type: 'video', upload_url: `${url}/upload`, upload_parameters } };
      }
      if (method === 'GET' && path === `/v5/media/${id}`) {
        const knownMedia = media.get(id);
        assert.ok(knownMedia !== undefined);
        knownMedia.statusReads += knownMedia.isUploaded ? 1 : 0;
        const status = knownMedia.isUploaded ? (knownMedia.statusReads > 1 ? 'succeeded' : 'processing') : 'registered';
        return { status: 200, body: { media_id: id, media_type: 'video', status } };
      }
      if (method === 'POST' && path === '/v5/pins') return addPin(call);
      if (method === 'GET' && path === `/v5/boards/${board}/pins`) {
        return { status: 200, body: { items: pins.toReversed().map(viewOf), bookmark: null } };
      }
      if (method === 'GET' && path === `/v5/pins/${id}/analytics`) {
        const days = Date.parse(call.query['end_date'] ?? '') - Date.parse(call.query['start_date'] ?? '');
        assert.ok(days > 0 && days <= 90 * 86_400_000);
        const summary_metrics = { IMPRESSION: 240, OUTBOUND_CLICK: 20, SAVE: 20 };
        return {
          status: 200,
          body: { all: { summary_metrics, lifetime_metrics: { TOTAL_COMMENTS: 10, TOTAL_REACTIONS: 12 } } },
        };
      }
      assert.deepEqual([method, path], ['DELETE', `/v5/pins/${id}`]);
      const position = pins.findIndex((pin) => pin.id === id);
      if (position < 0) throw new ApiRefusal(error(404, 50, 'Pin not found.'));
      pins.splice(position, 1);
      return { status: 204 };
    },
  };
  return { api, pins };
}

/** The API and its network. */
export async function pinterestBench() {
  const state = createPinterestApi();
  const running = await serveNetwork(() => state.api);
  const subject: SocialSuiteTarget = {
    network: pinterestSocial({
      url: `${running.url}/v5`,
      pollMs: 1,
      app: { clientId: 'client', clientSecret: 'client-secret' },
    }),
    credentials: { accessToken: token, refreshToken: 'pinr_refresh', expiresAt: Date.now() + 3_600_000 },
    outgoing: running.outgoing,
    visible: async () => state.pins.map(({ id, description, media }) => ({ id, text: description, media })),
    simulateFault: running.simulateFault,
    dispose: running.dispose,
  };
  return { ...state, running, subject };
}
