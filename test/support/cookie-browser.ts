// A browser without scripts, for the tests of examples in which people sign in. It uses node:http, because fetch() always marks its
// requests as requests of a script, and some servers respond to these differently.
import { request } from 'node:http';
import { text } from 'node:stream/consumers';

/** A response as the browser's test reads it. */
export interface BrowserResponse {
  readonly status: number;
  /** The address of a redirect, or '' if there is none */
  readonly location: string;
  readonly body: string;
}

/** Requests a path; with a form, by POST. */
export type BrowserRequest = (path: string, form?: URLSearchParams) => Promise<BrowserResponse>;

/** A browser that keeps cookies and does not follow redirects. */
export function createBrowser(origin: string): BrowserRequest {
  const cookies = new Map<string, string>();
  return (path, form) =>
    new Promise((resolve, reject) => {
      const headers = {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        accept: 'text/html',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-site': 'same-origin',
        ...(form === undefined ? {} : { origin, 'content-type': 'application/x-www-form-urlencoded' }),
      };
      const clientRequest = request(new URL(path, origin), { method: form === undefined ? 'GET' : 'POST', headers });
      clientRequest.once('error', reject).once('response', (response) => {
        for (const cookie of response.headers['set-cookie'] ?? []) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
          if (value === '') cookies.delete(name);
          else cookies.set(name, value);
        }
        const {
          statusCode: status = 0,
          headers: { location = '' },
        } = response;
        text(response).then((body) => resolve({ status, location, body }), reject);
      });
      clientRequest.setTimeout(10_000, () =>
        clientRequest.destroy(new Error(`${path} did not respond within ten seconds`)),
      );
      clientRequest.end(form?.toString());
    });
}
