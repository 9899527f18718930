// The responses of the endpoints that programs call: JSON that is never cached. Web pages of any origin may read it, because
// these endpoints use no cookies.
import {
  type CorePorts,
  definePublicRoute,
  type HttpResponse,
  isPostriderError,
  type PublicRequest,
  type PublicRoute,
  type PublicRouteContext,
} from '../../../core/index.ts';
import type { OAuthRefusal } from '../tokens/result.ts';

const anyOrigin = { 'Access-Control-Allow-Origin': '*' };
const notCached = { 'Cache-Control': 'no-store', Pragma: 'no-cache', 'X-Content-Type-Options': 'nosniff' };

/** JSON for programs. */
export const programResponse = (
  status: number,
  value: object,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=utf-8', ...notCached, ...anyOrigin, ...headers },
  body: JSON.stringify(value),
});

/** A refusal in the form of RFC 6749. */
export const refusalResponse = ({ error, description }: OAuthRefusal): HttpResponse =>
  programResponse(error === 'invalid_client' ? 401 : 400, { error, error_description: description });

/** Without a public URL the server has no issuer identifier, so its routes are hidden. */
export const hiddenWithoutUrl = ({ service }: Pick<CorePorts, 'service'>): boolean => service.publicUrl === undefined;

/** The response to a preflight request of a browser (CORS). */
export const preflight = (path: `/${string}`, methods: string): PublicRoute =>
  definePublicRoute({
    http: `OPTIONS ${path}`,
    description: 'Lets web pages of other origins call this.',
    hidden: hiddenWithoutUrl,
    handler: async () => ({
      status: 204,
      headers: {
        ...anyOrigin,
        'Access-Control-Allow-Methods': methods,
        'Access-Control-Allow-Headers': 'Authorization, Content-Type, MCP-Protocol-Version',
        'Access-Control-Max-Age': '86400',
      },
      body: '',
    }),
  });

/** The response of a handler. Faults of the body get the form of RFC 6749. */
export async function inOAuthForm(work: () => Promise<HttpResponse>): Promise<HttpResponse> {
  try {
    return await work();
  } catch (error) {
    if (!isPostriderError(error) || error.status >= 500 || error.status === 429) throw error;
    return programResponse(error.status, { error: 'invalid_request', error_description: error.message });
  }
}

/** A POST of a form by a program. */
export const formRoute = (
  path: `/${string}`,
  description: string,
  handler: (ctx: PublicRouteContext, form: URLSearchParams) => Promise<HttpResponse>,
): PublicRoute =>
  definePublicRoute({
    http: `POST ${path}`,
    description,
    hidden: hiddenWithoutUrl,
    limit: { perMinute: 300, burst: 300 },
    maxBodyBytes: 16_384,
    handler: (ctx: PublicRouteContext, request: PublicRequest) =>
      inOAuthForm(async () => {
        const form = await request.form();
        const repeatedName = [...new Set(form.keys())].find(
          (name) => name !== 'resource' && form.getAll(name).length > 1,
        );
        if (repeatedName === undefined) return handler(ctx, form);
        return refusalResponse({ error: 'invalid_request', description: 'A parameter is repeated.' });
      }),
  });
