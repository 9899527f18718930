// node:http: the service as a request listener, at the root or below a path. Called by programs without a framework, by the
// command line, and by frameworks that use node's own request and response. Changes no setting of the server.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkOptions, coreErrors, type Service } from '../../core/index.ts';
import { unknownRoutePage } from '../../core/unstable.ts';
import { clientAddress, forwardedHost } from './address.ts';
import { bodyOf } from './body.ts';
import { HostRequest, headersOf, targetOf } from './request.ts';
import { hostRefusal, writeResponse } from './response.ts';
import { isWellKnown } from './well-known.ts';

/** Options of the node:http host. */
export interface NodeHostOptions {
  /** The mount path of the service, such as `/messaging`. (Default: the root) */
  readonly basePath?: string;
  /** The number of proxies in front that write X-Forwarded-For and X-Forwarded-Host; true trusts every proxy. (Default: false) */
  readonly trustProxy?: boolean | number;
  /** The path of the program's page, such as /admin, to which the pages of the service link back. (Default: none) */
  readonly startPage?: string;
}

/**
 * The argument of `createServer`. If the program passes `next`, it is called for requests outside of `basePath` and for faults of
 * the host. Without `next` the host responds itself.
 */
export type NodeHost = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;

/** The path below the base; undefined outside of it. */
function pathBelow(target: string, base: string): string | undefined {
  if (base === '') return target;
  if (!target.startsWith(base)) return undefined;
  const rest = target.slice(base.length);
  if (rest.startsWith('/')) return rest;
  return rest === '' || rest.startsWith('?') ? `/${rest}` : undefined;
}

function baseOf(path: string): string {
  const base = path.replace(/\/+$/, '');
  if (base !== '' && !base.startsWith('/'))
    throw new TypeError(`nodeHost: basePath must start with a slash, as in /messaging. It is ${JSON.stringify(path)}.`);
  return base;
}

/** The service for node:http: `createServer(nodeHost(service, { basePath: '/messaging' }))`. */
export function nodeHost(service: Pick<Service, 'dispatch' | 'core'>, options: NodeHostOptions = {}): NodeHost {
  checkOptions<NodeHostOptions>('nodeHost', options, {
    basePath: 'optional',
    trustProxy: 'optional',
    startPage: 'optional',
  });
  const { core } = service;
  const { maxBodyBytes } = core.settings;
  const base = baseOf(options.basePath ?? '');
  const trustProxy = options.trustProxy ?? false;
  const { startPage } = options;

  const serve = async (
    request: IncomingMessage,
    response: ServerResponse,
    url: string,
    unknown?: () => void,
  ): Promise<void> => {
    const address = clientAddress(request, trustProxy);
    const host = forwardedHost(request, trustProxy);
    const requested = {
      method: request.method ?? 'GET',
      url,
      headers: headersOf(request),
      body: bodyOf(request, maxBodyBytes),
      address,
      host,
      startPage,
    };
    const answer = await service.dispatch(new HostRequest(response, requested));
    if (unknown !== undefined && answer.unknownRoute === true) return unknown();
    writeResponse(request, response, answer);
  };

  return (request, response, next) => {
    const target = targetOf(request.url ?? '/');
    const pathBelowMount = pathBelow(target, base);
    // Clients of the MCP endpoint look at the root of the origin, too.
    const url = pathBelowMount ?? (isWellKnown(target) ? target : undefined);
    if (url === undefined) {
      if (next !== undefined) return next();
      const [path = target] = target.split('?', 1);
      const error = coreErrors.route_not_found({ path: path.slice(0, 200) });
      const requestId = core.ports.ids.create('req');
      const page = unknownRoutePage({ url: target, headers: headersOf(request) }, error, requestId);
      return writeResponse(request, response, page ?? hostRefusal(error, requestId));
    }
    serve(request, response, url, pathBelowMount === undefined ? next : undefined).catch((cause: unknown) => {
      if (next !== undefined) return next(cause);
      const requestId = core.ports.ids.create('req');
      const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
      core.log.error({ request_id: requestId, cause: text }, 'the node host failed');
      if (response.headersSent) response.destroy();
      else writeResponse(request, response, hostRefusal(coreErrors.internal_error(), requestId));
    });
  };
}
