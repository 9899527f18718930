// Express 4 and 5: the service as middleware, at any base path, before or after the program's body parsers. Called by
// embedding programs. Adds no feature, changes no setting of the program, and does not load Express itself.

import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { checkOptions, type HttpRequestBody, type Service } from '../../core/index.ts';
import { plainAddress } from '../node/address.ts';
import { writeAnswer } from '../node/answer.ts';
import { bodyOf } from '../node/body.ts';
import { HostRequest, headersOf, targetOf } from '../node/request.ts';
import { bodyOfParserError } from './parser-error.ts';

/** Options of the Express host. */
export interface ExpressHostOptions {
  /** Passes requests for unknown paths on to the program instead of answering 404. (Default: false) */
  readonly fallthrough?: boolean;
  /** The path of a page of the program, such as /admin, that the pages of the service lead back to. (Default: none) */
  readonly startPage?: string;
}

/** The argument of `app.use`: the middleware, and an error handler for bodies that an earlier body parser refused. */
export type ExpressHost = [RequestHandler, ErrorRequestHandler];

/**
 * The service as Express middleware: `app.use('/messaging', expressHost(service))`.
 * A body that the program's parser refused (bad JSON, too large) is answered as if it had arrived here unread; every
 * other error goes on to the program.
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
    const asked = {
      method: request.method,
      url: targetOf(request.url),
      headers: headersOf(request),
      body,
      // Express gives it without a port, whichever header its trust proxy setting makes it read.
      host: request.hostname,
      address: request.ip === undefined ? undefined : plainAddress(request.ip),
      startPage,
    };
    const answer = await service.dispatch(new HostRequest(response, asked));
    if (options.fallthrough === true && answer.unknownRoute === true) return next();
    writeAnswer(request, response, answer);
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
