import fastify from 'fastify';
import { isWebhookVerificationError, verifyWebhook } from 'postrider/webhooks';

const secret = process.env.WEBHOOK_SECRET ?? '';
const app = fastify();

await app.register(async (hooks) => {
  // Applies inside this plugin only: everywhere else JSON is parsed as before.
  hooks.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  hooks.post('/webhooks', async (request, reply) => {
    try {
      const event = verifyWebhook({ body: request.body as Buffer, headers: request.headers, secret });
      console.log(`Received ${event.type}`);
      return reply.code(204).send();
    } catch (error) {
      if (!isWebhookVerificationError(error)) throw error;
      console.error(`Refused a webhook: ${error.reason}`);
      return reply.code(400).send();
    }
  });
});

const port = Number(process.env.PORT ?? 4_000);
await app.listen({ port, host: '127.0.0.1' });
console.log(`Listening on http://localhost:${port}/webhooks`);
