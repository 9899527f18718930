/* The receiver of the webhook bench, in a separate process: reads a body and answers 200. Sends its port to its parent. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume();
  request.once('end', () => response.writeHead(200).end());
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
