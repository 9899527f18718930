// Decides which web pages may call the endpoint. A page whose host name was pointed at this machine (DNS rebinding) is
// recognised by its Origin header, which every browser sends. Called by endpoint.ts before anything else.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http

import type { HttpRequest } from '../contract/http/http.ts';
import { parseUrl } from '../contract/values/parse-url.ts';
import type { Core } from '../pipeline/core.ts';
import { RpcFault, rpcCodes } from './json-rpc.ts';

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

const originOf = (text: string): string | undefined => parseUrl(text)?.origin;

function isAllowed(input: string, allowed: ReadonlySet<string>, development: boolean): boolean {
  const url = parseUrl(input);
  if (url === undefined) return false;
  const { protocol, hostname, origin } = url;
  // An editor's own scheme (vscode-webview:, app:) has no host name that DNS rebinding could misuse.
  if (protocol !== 'http:' && protocol !== 'https:') return true;
  // In production, any local program may serve a page on this machine. Only in development is such a page a developer's tool.
  return (development && loopback.test(hostname)) || allowed.has(origin);
}

/** Makes the check. @throws RpcFault with status 403 */
export function createOriginCheck({ settings, ports }: Core): (request: HttpRequest) => void {
  const { publicUrl, environment } = ports.service;
  const development = environment === 'development';
  const urls = [...settings.toolOrigins, ...(publicUrl === undefined ? [] : [publicUrl])];
  const allowed = new Set(urls.flatMap((url) => originOf(url) ?? []));
  return ({ headers: { origin } }) => {
    if (origin === undefined || isAllowed(origin, allowed, development)) return;
    throw new RpcFault(
      rpcCodes.refused,
      `Pages of ${origin.slice(0, 200)} may not call this endpoint. Name the origin in settings.toolOrigins to let them.`,
      { status: 403 },
    );
  };
}
