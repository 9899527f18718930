// One message in the endpoint: the input of a method's handler, and the form of its result.
import type { HttpRequest } from '../contract/http/http.ts';
import type { Admission } from '../pipeline/admit.ts';
import type { Core } from '../pipeline/core.ts';
import { release } from '../projections/release.ts';
import type { RpcId } from './json-rpc.ts';
import type { EndpointOptions } from './url-options.ts';

/** The revision without initialize. https://modelcontextprotocol.io/specification/2026-07-28 */
export const modernRevision = '2026-07-28';

/** `legacy`: revisions up to 2025-11-25, with initialize. `modern`: 2026-07-28. */
export type Era = 'legacy' | 'modern';

/** An authenticated, valid request. */
export interface Exchange {
  readonly core: Core;
  readonly admission: Admission;
  readonly requestId: string;
  readonly http: HttpRequest;
  readonly era: Era;
  readonly id: RpcId;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly options: EndpointOptions;
}

/** The server's name and version. */
export const serverInfo = (core: Core): { name: string; version: string } => ({
  name: core.ports.service.name,
  version: release,
});

/** The keys of `_meta` for protocol data. */
export const metaKeys = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const;

/** The members that the protocol adds to a result. */
export interface ResultExtras {
  readonly meta?: Readonly<Record<string, unknown>>;
  /**
   * Whether the revision requires cache hints. They forbid caching, since scopes and rows change the result. (Default:
   * false)
   */
  readonly cacheable?: boolean;
}

/** The members that the revision requires in every result, as JSON text. Empty if it requires none. */
export function resultExtras(
  { core, era }: Pick<Exchange, 'core' | 'era'>,
  { meta = {}, cacheable = false }: ResultExtras = {},
): string {
  const parts: string[] = [];
  const allMeta: Record<string, unknown> = { ...meta };
  if (era === 'modern') {
    parts.push('"resultType":"complete"');
    if (cacheable) parts.push('"ttlMs":0,"cacheScope":"private"');
    allMeta[metaKeys.serverInfo] = serverInfo(core);
  }
  if (Object.keys(allMeta).length > 0) parts.push(`"_meta":${JSON.stringify(allMeta)}`);
  return parts.join(',');
}

/** A result as JSON text: its members (also JSON text), and the members that the revision requires. */
export function writeResult(
  exchange: Pick<Exchange, 'core' | 'era'>,
  members: string,
  extras: ResultExtras = {},
): string {
  const extraMembers = resultExtras(exchange, extras);
  return `{${members}${members === '' || extraMembers === '' ? '' : ','}${extraMembers}}`;
}
