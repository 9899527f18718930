// The table of requests through Fastify, with and without a socket: the answers equal those of service.fetch exactly.
// full-run: slow
import fastify from 'fastify';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fastifyHost } from '../../hosts/fastify/index.ts';
import { createHostBench } from './bench.ts';
import { fastifyProgram, injectClient, listening } from './fastify-programs.ts';
import { hostClientTo } from './host-clients.ts';
import { testHostTable } from './table.ts';

const test = suite('requests through Fastify');

/** Fastify's router answers these requests itself, before any plugin. */
const unlike = ['a path that does not decode'];

testHostTable(
  test,
  'Fastify',
  async ({ service }) => {
    const app = fastifyProgram(service);
    return { client: hostClientTo(`${await listening(app)}/messaging`), close: () => app.close() };
  },
  unlike,
);

testHostTable(
  test,
  'Fastify without a socket',
  async ({ service }) => {
    const app = fastifyProgram(service);
    return { client: injectClient(app, '/messaging'), close: () => app.close() };
  },
  unlike,
);

testHostTable(
  test,
  'Fastify, mounted at the root,',
  async ({ service }) => {
    const app = fastify();
    app.register(fastifyHost(service, { stopOnClose: false }));
    return { client: hostClientTo(await listening(app)), close: () => app.close() };
  },
  unlike,
);

test('the answers that Fastify makes itself are as documented', async () => {
  const bench = await createHostBench();
  const app = fastifyProgram(bench.service);
  const answer = await app.inject({ url: '/messaging/v1/templates/%E0%A4%A' });
  assert.equal([answer.statusCode, answer.json<{ code: string }>().code], [400, 'FST_ERR_BAD_URL']);
  await app.close();
  await bench.close();
});

test.run();
