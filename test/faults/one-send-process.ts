// A service behind real HTTP that answers until its standard input ends: `node --import tsx one-send-process.ts PLAN`.
// Prints its port and the settings of its live writer. Traced by fsync.test.ts.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import express from 'express';
import { expressHost } from '../../hosts/express/index.ts';
import { createMailService, type DatabaseLocation, storageOf } from './mail-service.ts';

const location = JSON.parse(process.argv[2] ?? '{}') as DatabaseLocation;
const service = createMailService({ storage: storageOf(location) });
const { driver } = await service.core.database();
const app = express();
app.use(expressHost(service));
const server = createServer(app);
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
console.log(JSON.stringify({ port, settings: await driver.describe() }));

await text(process.stdin);
server.closeAllConnections();
server.close();
await service.stop();
