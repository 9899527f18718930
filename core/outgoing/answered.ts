// Outgoing requests that a function of the program answers instead of the network: for tests. Made by index.ts. Opens no
// connection and looks no name up.
import { type Outgoing, type OutgoingAnswer, OutgoingError, type OutgoingRequest } from '../contract/ports/outgoing.ts';
import type { Guard } from './guard.ts';
import { plainTarget, readTarget } from './target.ts';

/** What answers. @throws OutgoingError, where there is to be no answer */
export type AnswerOutgoing = (request: OutgoingRequest) => OutgoingAnswer | Promise<OutgoingAnswer>;

/** URLs are refused as for the network, except for what only a look-up shows. */
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
