// time-limit: 300
// The table of requests through AWS Lambda in every event format that is answered over HTTP: the
// answers equal those of service.fetch exactly.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type LambdaHostOptions, lambdaHost } from '../../hosts/lambda/index.ts';
import { createHostBench } from './bench.ts';
import type { HostClient } from './host-clients.ts';
import { balancerEvent, clientView, type EventParts, httpEvent, partsOf, restEvent } from './lambda-events.ts';
import { testHostTable } from './table.ts';

const test = suite('requests through AWS Lambda');
const context = { getRemainingTimeInMillis: () => 30_000 };

type EventMaker = (parts: EventParts) => unknown;

const formats: Readonly<Record<string, EventMaker>> = {
  'a REST API': restEvent,
  'a REST API that passes bodies in base64': (parts) => restEvent({ ...parts, base64: true }),
  'an HTTP API': httpEvent,
  'an HTTP API with a stage': (parts) => httpEvent({ ...parts, stage: 'live' }),
  'a function URL that passes bodies in base64': (parts) => httpEvent({ ...parts, base64: true }),
  'a load balancer': (parts) => balancerEvent(parts, false),
  'a load balancer with multi-value headers': (parts) => balancerEvent(parts, true),
};

for (const [name, eventOf] of Object.entries(formats)) {
  const clientOf =
    (handler: ReturnType<typeof lambdaHost>, mount: string): HostClient =>
    async (request) =>
      clientView(JSON.parse(JSON.stringify(await handler(eventOf(partsOf(request, mount)), context))));
  testHostTable(
    test,
    name,
    async ({ service }) => {
      // Jobs that a drain runs take ids, so the answers to later requests would have other ids.
      const options: LambdaHostOptions = { basePath: '/messaging', settleMs: 0 };
      return { client: clientOf(lambdaHost(service, options), '/messaging'), close: async () => undefined };
    },
    [
      // A load balancer without multi-value headers passes only the last of several values.
      ...(name === 'a load balancer' ? ['a query parameter given twice'] : []),
      // The document of all plugins exceeds the megabyte that a load balancer allows.
      ...(name.startsWith('a load balancer') ? ['the OpenAPI document'] : []),
    ],
  );
}

test('a load balancer passes the last value of a repeated parameter', async () => {
  const bench = await createHostBench();
  const handler = lambdaHost(bench.service);
  const path = '/v1/suppressions?reason=complaint&reason=manual&limit=5';
  const headers = { authorization: `Bearer ${bench.liveKey}` };
  const answer = clientView(await handler(balancerEvent({ method: 'GET', path, headers }, false), context));
  assert.is(answer.status, 200);
  await bench.close();
});

test('a header with a line break is a server error, in every format', async () => {
  const bench = await createHostBench();
  const handler = lambdaHost(bench.service, { basePath: '/messaging', settleMs: 0 });
  for (const [name, eventOf] of Object.entries(formats)) {
    const result = await handler(eventOf({ method: 'GET', path: '/messaging/smuggles', headers: {} }), context);
    const answer = clientView(JSON.parse(JSON.stringify(result)));
    assert.is(answer.status, 500, name);
    assert.not.match(JSON.stringify(answer), 'stolen', name);
  }
  await bench.close();
});

test('a stream that is not read ends with its invocation', async () => {
  const bench = await createHostBench();
  const handler = lambdaHost(bench.service, { settleMs: 0 });
  const { started, ended } = bench.streams;
  for (const [method, status] of [
    ['HEAD', 200],
    ['GET', 500],
  ] as const) {
    const name = `lambda ${method}`;
    const answer = clientView(
      JSON.parse(
        JSON.stringify(await handler(httpEvent({ method, path: `/endless?name=${name}`, headers: {} }), context)),
      ),
    );
    assert.is(answer.status, status);
    assert.equal(ended, started);
  }
  assert.ok(started.length > 0);
  await bench.close();
});

test.run();
