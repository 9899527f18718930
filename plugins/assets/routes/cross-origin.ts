// Uploads by pages of other origins: the browser asks first (https://fetch.spec.whatwg.org/#http-cors-protocol). The signed URL is all that
// an upload needs, so every origin may send one; no cookie and no key is ever read.
import { definePublicRoute } from '../../../core/index.ts';

/** What every answer to an upload carries, so that a page of another origin may read it. */
export const crossOrigin = { 'Access-Control-Allow-Origin': '*' } as const;

/** Browsers ask once in so many seconds. */
const maxAge = '600';

export const allowUpload = definePublicRoute({
  http: 'OPTIONS /assets/{token}',
  description: 'Tells browsers that a page of any origin may send the file of an upload.',
  limit: { perMinute: 300, burst: 100 },
  async handler() {
    const headers = {
      ...crossOrigin,
      'Access-Control-Allow-Methods': 'PUT, GET, HEAD',
      'Access-Control-Allow-Headers': 'content-type, range',
      'Access-Control-Max-Age': maxAge,
    };
    return { status: 204, headers, body: '' };
  },
});
