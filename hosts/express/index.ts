// Express 4 and 5: the service as middleware, at any base path, before or after the program's body parsers. Called by embedding
// programs. Adds no feature, changes no setting of the program, and does not load Express itself.

import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { checkOptions, type HttpRequestBody, type Service } from '../../core/index.ts';
import { plainAddress } from '../node/address.ts';
import { bodyOf } from '../node/body.ts';
import { HostRequest, headersOf, targetOf } from '../node/request.ts';
import { writeResponse } from '../node/response.ts';
import { isWellKnown } from '../node/well-known.ts';
import { bodyOfParserError } from './parser-error.ts';

/** Options of the Express host. */
export interface ExpressHostOptions {
  /** Passes requests for unknown paths on to the program instead of answering 404. (Default: false) */
  readonly fallthrough?: boolean;
  /** The path of the program's page, such as /admin, to which the pages of the service link back. (Default: none) */
  readonly startPage?: string;
}

/** The argument of `app.use`: the middleware, and an error handler for bodies that an earlier body parser rejected. */
export type ExpressHost = [RequestHandler, ErrorRequestHandler];

/**
 * The service as Express middleware: `app.use('/messaging', expressHost(service))`.
 * A body that the program's parser rejected (bad JSON, too large) gets the same response as if the service had read it. Every
 * other error is passed to the program.
 */
export function expressHost(
  service: Pick<Service, 'dispatch' | 'core'>,
  options: ExpressHostOptions = {},
): ExpressHost {
  checkOptions<ExpressHostOptions>('expressHost', options, { fallthrough: 'optional', startPage: 'optional' });
  const { maxBodyBytes } = service.core.settings;
  const { startPage } = options;

  const serve = async (
    request: Request,
    response: Response,
    next: () => void,
    body: HttpRequestBody,
  ): Promise<void> => {
    const requestedUrl = {
      method: request.method,
      url: targetOf(request.url),
      headers: headersOf(request),
      body,
      // Express returns the host without a port, regardless of which header its trust proxy setting selects.
      host: request.hostname,
      address: request.ip === undefined ? undefined : plainAddress(request.ip),
      startPage,
    };
    const answer = await service.dispatch(new HostRequest(response, requestedUrl));
    if (options.fallthrough === true && answer.unknownRoute === true) return next();
    writeResponse(request, response, answer);
  };

  return [
    (request, response, next) => {
      serve(request, response, next, bodyOf(request, maxBodyBytes)).catch(next);
    },
    (error: unknown, request, response, next) => {
      const body = bodyOfParserError(error, maxBodyBytes);
      if (body === undefined) next(error);
      else serve(request, response, () => next(error), body).catch(next);
    },
  ];
}

/**
 * Answers the well-known addresses of the service at the root of the program, where clients of the MCP endpoint look, too:
 * `app.use(expressWellKnown(service))`. All other requests, including other well-known addresses, are passed to the program.
 */
export function expressWellKnown(service: Pick<Service, 'dispatch' | 'core'>): RequestHandler {
  const [serve] = expressHost(service, { fallthrough: true });
  return (request, response, next) => {
    if (isWellKnown(targetOf(request.url))) serve(request, response, next);
    else next();
  };
}
