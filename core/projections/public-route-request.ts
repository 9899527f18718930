// The request of a public route's handler. Its query and its body are parsed only when they are read, because the busiest
// routes need neither. Made by the kernel's public routes.

import type { PublicRequest } from '../contract/declaration/public-route.ts';
import type { HttpRequest } from '../contract/http/http.ts';
import { hostName } from '../contract/values/host-name.ts';
import { createBodyReader } from './request-body.ts';

/** A request to a public route. */
export class PublicRouteRequest implements PublicRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: PublicRequest['headers'];
  readonly body: PublicRequest['body'];
  readonly host: string | undefined;
  readonly params: PublicRequest['params'];
  declare readonly address?: string;
  declare readonly startPage?: string;
  readonly #request: HttpRequest;
  readonly #maxBytes: number;
  #query: URLSearchParams | undefined;
  #reader: ReturnType<typeof createBodyReader> | undefined;

  constructor(request: HttpRequest, params: PublicRequest['params'], maxBytes: number) {
    this.method = request.method;
    this.url = request.url;
    this.headers = request.headers;
    this.body = request.body;
    this.host = hostName(request.host ?? request.headers.host);
    this.params = params;
    if (request.address !== undefined) this.address = request.address;
    if (request.startPage !== undefined) this.startPage = request.startPage;
    this.#request = request;
    this.#maxBytes = maxBytes;
  }

  // Undefined if the raw request has no signal.
  get signal(): AbortSignal {
    return this.#request.signal as AbortSignal;
  }

  get query(): URLSearchParams {
    if (this.#query === undefined) {
      const queryStart = this.url.indexOf('?');
      this.#query = new URLSearchParams(queryStart === -1 ? '' : this.url.slice(queryStart + 1));
    }
    return this.#query;
  }

  get bytes(): PublicRequest['bytes'] {
    return this.#read().bytes;
  }

  get text(): PublicRequest['text'] {
    return this.#read().text;
  }

  get form(): PublicRequest['form'] {
    return this.#read().form;
  }

  get json(): PublicRequest['json'] {
    return this.#read().json;
  }

  #read(): ReturnType<typeof createBodyReader> {
    this.#reader ??= createBodyReader(this.#request, this.#maxBytes);
    return this.#reader;
  }
}
