import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';

const secret = process.env.WEBHOOK_SECRET ?? '';

/** Whether one of the signatures matches the body. */
function isGenuine(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const timestamp = String(headers['x-postrider-timestamp']);
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false;
  const expected = createHmac('sha256', secret).update(`t=${timestamp}|`).update(body).digest();
  return String(headers['x-postrider-signature'])
    .split(',')
    .filter((part) => part.startsWith('v1='))
    .map((part) => Buffer.from(part.slice(3), 'hex'))
    .some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected));
}

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const genuine = isGenuine(request.headers, body);
  console.log(genuine ? `Received ${JSON.parse(body.toString()).type}` : 'Refused a webhook');
  response.writeHead(genuine ? 204 : 400).end();
});

const port = Number(process.env.PORT ?? 4_000);
server.listen(port, '127.0.0.1', () => console.log(`Listening on http://localhost:${port}/webhooks`));
