// Stores the webhook deliveries of a service instead of posting them. For tests of embedding programs and of plugins.
import { OutgoingError, type OutgoingRequest } from '../../core/contract/ports/outgoing.ts';
import type { OutgoingResponder } from '../../core/outgoing/stubbed-outgoing.ts';
import type { WebhookEvent } from '../../core/webhooks/received-event.ts';
import { standardHeaders } from '../../core/webhooks/signature.ts';

/** A delivery, as its receiver would have received it. */
export interface CapturedWebhook {
  readonly url: string;
  /** Includes the signature, made at the time of the service's clock. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact text that is signed. */
  readonly body: string;
  readonly event: WebhookEvent;
  /** The response status of the receiver; see `answerWith`. */
  readonly status: number;
}

/** Deliveries that were not posted. */
export interface CaptureWebhooks {
  /** For createService: `outgoing: webhooks.outgoing`. All other outgoing requests fail, so that nothing leaves the process. */
  readonly outgoing: { readonly answer: OutgoingResponder };
  /** The attempts to deliver, newest first. */
  deliveries(): readonly CapturedWebhook[];
  /** The newest attempt with an event of this type; undefined if there is none. */
  lastOf(type: string): CapturedWebhook | undefined;
  /** Sets the response status of receivers from now on. (Default: 200) */
  answerWith(status: number): void;
  /** Removes the captured deliveries. */
  clear(): void;
}

/** Makes a store of captured deliveries. It keeps them until `clear`. */
export function captureWebhooks(): CaptureWebhooks {
  /** Oldest first. */
  let captured: CapturedWebhook[] = [];
  let status = 200;
  const answer = ({ url, method, headers, body }: OutgoingRequest) => {
    if (headers[standardHeaders.id] === undefined || typeof body !== 'string')
      throw new OutgoingError(
        'connection_failed',
        `This service captures webhooks and makes no other requests: ${method} ${new URL(url).origin} was not sent. Give it another \`outgoing\` to send it.`,
      );
    captured.push({ url, headers, body, event: JSON.parse(body) as WebhookEvent, status });
    return { status, headers: {}, body: new Uint8Array(), cut: false };
  };
  return {
    outgoing: { answer },
    deliveries: () => captured.toReversed(),
    lastOf: (type) => captured.findLast(({ event }) => event.type === type),
    answerWith(newStatus) {
      status = newStatus;
    },
    clear() {
      captured = [];
    },
  };
}
