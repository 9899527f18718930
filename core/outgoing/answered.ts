// For tests: outgoing requests that a function of the program answers instead of the network. Made by index.ts. Opens
// no connection and looks no name up.
import { type Outgoing, type OutgoingAnswer, OutgoingError, type OutgoingRequest } from '../contract/ports/outgoing.ts';
import type { Guard } from './guard.ts';
import { plainTarget, readTarget } from './target.ts';

/** The function that answers. @throws OutgoingError to simulate a request without an answer */
export type AnswerOutgoing = (request: OutgoingRequest) => OutgoingAnswer | Promise<OutgoingAnswer>;

/** Refuses the same URLs as for the network, except those that only a look-up would refuse. */
export function createAnsweredOutgoing(guardOf: (rules?: 'production') => Guard, answer: AnswerOutgoing): Outgoing {
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
      plainTarget(host, port);
      throw new OutgoingError(
        'connection_failed',
        `No connection is opened to ${host}: outgoing.answer answers the requests of this service, and no other protocol.`,
      );
    },
    close: async () => undefined,
  };
}
