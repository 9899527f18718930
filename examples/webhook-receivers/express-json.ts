import express from 'express';
import { isWebhookVerificationError, verifyWebhook } from 'postrider/webhooks';

const secret = process.env.WEBHOOK_SECRET ?? '';
const app = express();
const bytesOf = new WeakMap<object, Buffer>();

// Keeps the received bytes in addition to the parsed body.
app.use(express.json({ verify: (request, _response, bytes) => void bytesOf.set(request, bytes) }));

app.post('/webhooks', (request, response) => {
  try {
    const event = verifyWebhook({ body: bytesOf.get(request) ?? '', headers: request.headers, secret });
    console.log(`Received ${event.type}`);
    response.sendStatus(204);
  } catch (error) {
    if (!isWebhookVerificationError(error)) throw error;
    console.error(`Refused a webhook: ${error.reason}`);
    response.sendStatus(400);
  }
});

const port = Number(process.env.PORT ?? 4_000);
app.listen(port, '127.0.0.1', () => console.log(`Listening on http://localhost:${port}/webhooks`));
