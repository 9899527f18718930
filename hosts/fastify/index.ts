// Fastify 5: the service as an encapsulated plugin, at any prefix. Called by embedding programs. Adds no feature, does not load
// Fastify itself, and does not change the program's parsers, hooks, handlers and schemas.
import type { Http2Server, ServerHttp2Session } from 'node:http2';
import type {
  FastifyInstance,
  FastifyPluginCallback,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  RouteShorthandOptions,
} from 'fastify';
import { checkOptions, coreErrors, type Service } from '../../core/index.ts';
import { plainAddress } from '../node/address.ts';
import { HostRequest, headersOf, targetOf } from '../node/request.ts';
import { hostRefusal } from '../node/response.ts';
import { bodyLimitOf, bodyOf } from './body.ts';
import { depthOf, pathBelow } from './path.ts';
import { sendResponse } from './reply.ts';

/** Options of the Fastify host. */
export interface FastifyHostOptions {
  /**
   * The maximum number of bytes in a request body under this mount; never more than the service's `settings.maxBodyBytes`.
   * (Default: the program's bodyLimit if it differs from Fastify's default, else the service's limit)
   */
  readonly bodyLimit?: number;
  /** Passes requests for unknown paths to the program's not-found handler instead of answering 404. (Default: false) */
  readonly fallthrough?: boolean;
  /** The path of the program's page, such as /admin, to which the pages of the service link back. (Default: none) */
  readonly startPage?: string;
  /**
   * Whether `app.close()` stops the service; false if the program uses the service after Fastify has closed.
   * (Default: true)
   */
  readonly stopOnClose?: boolean;
}

/** Fastify's error for an unreadable Content-Type, raised before any parser reads the body. */
const isUnreadableType = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE';

/** Hides these routes from documentation generated from the program's routes, because the service documents itself. */
const hiddenFromDocs: RouteShorthandOptions = { schema: { hide: true } as FastifySchema };

/**
 * Before Node 24 a closed server keeps accepting requests over its HTTP/2 sessions. Fastify rejects these requests but would wait
 * for the sessions forever. Once closing begins, no session accepts more requests; running requests are completed.
 */
function closeSessions(app: FastifyInstance): void {
  if (app.initialConfig.http2 !== true) return;
  const sessions = new Set<ServerHttp2Session>();
  (app.server as unknown as Http2Server).on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  app.addHook('preClose', (done) => {
    for (const session of sessions) session.close();
    done();
  });
}

/** Whether the program's request id has the prefix of the service's ids. The core checks the rest. */
const isServiceId = (id: unknown): id is string => typeof id === 'string' && id.startsWith('req_');

/**
 * The service as a Fastify plugin: `app.register(fastifyHost(service), { prefix: '/messaging' })`. Register it directly, without
 * fastify-plugin: bodies reach the service unread only inside its own scope.
 */
export function fastifyHost(
  service: Pick<Service, 'dispatch' | 'core' | 'stop'>,
  options: FastifyHostOptions = {},
): FastifyPluginCallback {
  checkOptions<FastifyHostOptions>('fastifyHost', options, {
    bodyLimit: 'optional',
    fallthrough: 'optional',
    startPage: 'optional',
    stopOnClose: 'optional',
  });
  const { core } = service;
  const { maxBodyBytes } = core.settings;
  const { startPage } = options;

  return function postrider(app, _registered, done) {
    const limit = bodyLimitOf(options.bodyLimit, app.initialConfig.bodyLimit, maxBodyBytes);
    const depth = depthOf(app.prefix);

    const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const { raw, ip, host, id } = request;
      const headers = headersOf(raw);
      if (isServiceId(id)) headers['x-request-id'] = id;
      const requested = {
        method: request.method,
        url: pathBelow(targetOf(raw.url ?? '/'), depth),
        headers,
        body: bodyOf(request, limit, maxBodyBytes),
        host: host === '' ? undefined : host,
        address: ip === undefined ? undefined : plainAddress(ip),
        startPage,
      };
      const response = await service.dispatch(new HostRequest(reply.raw, requested));
      // The program's own time limit may already have sent a response.
      if (reply.sent) return;
      if (options.fallthrough === true && response.unknownRoute === true) reply.callNotFound();
      else sendResponse(request, reply, response);
    };

    const handle = (request: FastifyRequest, reply: FastifyReply): void => {
      serve(request, reply).catch((cause: unknown) => {
        const requestId = core.ports.ids.create('req');
        request.log.error({ err: cause, request_id: requestId }, 'the Fastify host failed');
        if (reply.raw.headersSent) reply.raw.destroy();
        else sendResponse(request, reply, hostRefusal(coreErrors.internal_error(), requestId));
      });
    };

    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload));
    app.setErrorHandler((error, request, reply) => {
      if (!isUnreadableType(error)) throw error;
      handle(request, reply);
    });
    app.all('/*', hiddenFromDocs, handle);
    if (depth > 0) app.all('/', hiddenFromDocs, handle);
    closeSessions(app);
    if (options.stopOnClose ?? true) app.addHook('onClose', () => service.stop());
    done();
  };
}

/**
 * Answers the well-known addresses of the service at the root of the program, where clients of the MCP endpoint look, too:
 * `app.register(fastifyWellKnown(service))`. Other well-known addresses are passed to the program's not-found handler.
 */
export function fastifyWellKnown(service: Pick<Service, 'dispatch' | 'core'>): FastifyPluginCallback {
  return function postriderWellKnown(app, _registered, done) {
    const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const { raw, ip } = request;
      const requested = {
        method: request.method,
        url: targetOf(raw.url ?? '/'),
        headers: headersOf(raw),
        body: undefined,
        host: request.host === '' ? undefined : request.host,
        address: ip === undefined ? undefined : plainAddress(ip),
      };
      const response = await service.dispatch(new HostRequest(reply.raw, requested));
      if (response.unknownRoute === true) reply.callNotFound();
      else sendResponse(request, reply, response);
    };
    app.route({ method: ['GET', 'OPTIONS'], url: '/.well-known/*', ...hiddenFromDocs, handler: answer });
    done();
  };
}
