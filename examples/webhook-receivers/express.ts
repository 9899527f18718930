import express from 'express';
import { isWebhookVerificationError, verifyWebhook, type WebhookEvent } from 'postrider/webhooks';

const secret = process.env.WEBHOOK_SECRET ?? '';
const app = express();

// Before express.json(): a parsed body cannot be verified.
app.post('/webhooks', express.raw({ type: 'application/json' }), (request, response) => {
  let event: WebhookEvent;
  try {
    event = verifyWebhook({ body: request.body, headers: request.headers, secret });
  } catch (error) {
    if (!isWebhookVerificationError(error)) throw error;
    console.error(`Refused a webhook: ${error.reason}`);
    response.sendStatus(400);
    return;
  }
  keep(event);
  response.sendStatus(204);
});

app.use(express.json());
// The program's other routes.

// In your program, use a table with a unique id: store the event before the answer, and process it afterwards.
const kept = new Map<string, WebhookEvent>();

function keep(event: WebhookEvent): void {
  if (kept.has(event.id)) return;
  kept.set(event.id, event);
  setImmediate(work, event);
}

function work(event: WebhookEvent): void {
  if (event.source === 'custom') {
    console.log(`${event.type}: ${event.data.contact.email}`, event.data.metadata);
    return;
  }
  switch (event.type) {
    case 'send.sent':
      console.log(`${event.data.to} was sent "${event.data.subject}"`);
      break;
    case 'send.bounced':
      console.log(`${event.data.to} bounced: ${event.data.event.bounce?.diagnostic}`);
      break;
    default: // Events that this program does not know.
  }
}

const port = Number(process.env.PORT ?? 4_000);
app.listen(port, '127.0.0.1', () => console.log(`Listening on http://localhost:${port}/webhooks`));
