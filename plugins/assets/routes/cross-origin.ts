// Uploads by pages of other origins: the browser sends a preflight (https://fetch.spec.whatwg.org/#http-cors-protocol). An upload needs
// only the signed URL, so every origin may send one. Cookies and keys are never read.
import { definePublicRoute } from '../../../core/index.ts';

/** The header of every response to an upload, so that a page of another origin may read it. */
export const crossOrigin = { 'Access-Control-Allow-Origin': '*' } as const;

/** The time for which browsers cache the preflight, in seconds. */
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
