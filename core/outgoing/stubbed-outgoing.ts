// A stub of outgoing requests for tests: a function of the program answers them. Made by index.ts. Opens no connection and
// makes no DNS look-up.
import {
  type Outgoing,
  OutgoingError,
  type OutgoingRequest,
  type OutgoingResponse,
} from '../contract/ports/outgoing.ts';
import type { Guard } from './guard.ts';
import { readTarget, tcpTarget } from './target.ts';

/** The function that answers. @throws OutgoingError to simulate a request without an answer */
export type OutgoingResponder = (request: OutgoingRequest) => OutgoingResponse | Promise<OutgoingResponse>;

/** Refuses the same URLs as real requests do, unless the refusal depends on the address that a DNS look-up returns. */
export function createStubbedOutgoing(guardOf: (rules?: 'production') => Guard, answer: OutgoingResponder): Outgoing {
  return {
    async check(url, rules) {
      guardOf(rules).checkLiteral(readTarget(url));
    },
    async request(request) {
      guardOf().checkLiteral(readTarget(request.url));
      request.signal?.throwIfAborted();
      return answer(request);
    },
    async connect({ host, port }) {
      // Refuses an invalid host or port, like a real connection.
      tcpTarget(host, port);
      throw new OutgoingError(
        'connection_failed',
        `No connection is opened to ${host}: outgoing.answer handles only the HTTP requests of this service.`,
      );
    },
    close: async () => undefined,
  };
}
