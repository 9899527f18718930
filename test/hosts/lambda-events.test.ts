// time-limit: 300
// Events of AWS Lambda that are not HTTP requests (for those see lambda-table.test.ts): messages, schedules, actions; also limits, paths
// and addresses. Nothing continues after an answer.
// full-run: slow
import { gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { encodeReference, type JobQueue, type OutgoingReference } from '../../core/index.ts';
import { type LambdaHttpResult, lambdaHost } from '../../hosts/lambda/index.ts';
import { createTestService } from '../../hosts/testing/index.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { createHostBench } from './bench.ts';
import { balancerEvent, clientView, httpEvent, restEvent } from './lambda-events.ts';

const test = suite('events of AWS Lambda');
const context = { getRemainingTimeInMillis: () => 30_000 };
const get = (path: string, headers: Record<string, string> = {}) => ({ method: 'GET', path, headers });

async function faultOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  return error instanceof Error ? `${error.name} ${error.message}` : 'none';
}

/** A service with a queue that records its input, and one accepted send. */
async function createQueued() {
  const sentReferences: OutgoingReference[] = [];
  const queue: JobQueue = {
    id: 'recording',
    maxDelayMs: 0,
    async send(messages) {
      sentReferences.push(...messages);
      return [];
    },
    consume: async () => ({ stop: async () => undefined }),
    check: async () => undefined,
    close: async () => undefined,
  };
  const bench = await createTestService({ plugins: bareStandardPlugins, queue });
  const { templates } = bench.service.as(bench.workspaceId);
  await templates.create({ key: 'order', mode: 'html', subject: 'Order', body: '<p>Thank you</p>' });
  await templates.publish({ key: 'order' });
  const handler = lambdaHost(bench.service);
  sentReferences.length = 0;
  const send = {
    method: 'POST',
    path: '/v1/templates/order/send',
    headers: { authorization: `Bearer ${bench.liveKey}`, 'content-type': 'application/json', 'idempotency-key': 'one' },
    body: JSON.stringify({ to: 'ada@example.com' }),
  };
  assert.is(clientView(await handler(httpEvent(send), context)).status, 202);
  return { ...bench, handler, sent: sentReferences };
}

const sqsEvent = (bodies: readonly string[], queue = 'jobs') => ({
  Records: bodies.map((body, index) => ({
    messageId: `0000000${index}-2c1f-4b4c-9d7e-3a5b6c7d8e9f`,
    receiptHandle: 'AQEBzWwaftRI0KuVm4tP+/7q1rGgNqicHq',
    body,
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: '1795428672000',
      SenderId: 'AROA',
      ApproximateFirstReceiveTimestamp: '1795428672001',
    },
    messageAttributes: {},
    md5OfBody: 'e4e68fb7bd0e697a0ae8f1bb342846b3',
    eventSource: 'aws:sqs',
    eventSourceARN: `arn:aws:sqs:eu-west-1:123456789012:${queue}`,
    awsRegion: 'eu-west-1',
  })),
});

test('accepted work is queued before the answer, and is done when SQS calls', async () => {
  const { handler, sent, lastMailTo, close } = await createQueued();
  assert.ok(sent.length > 0, 'no work was queued');
  assert.is(lastMailTo('ada@example.com'), undefined);
  const bodies = [...sent.map(encodeReference), 'not a job reference'];
  const result = await handler(sqsEvent(bodies), context);
  assert.equal(result, {
    batchItemFailures: [{ itemIdentifier: `0000000${bodies.length - 1}-2c1f-4b4c-9d7e-3a5b6c7d8e9f` }],
  });
  assert.is(lastMailTo('ada@example.com')?.subject, 'Order');
  await close();
});

test('a FIFO queue stops at the first message that fails', async () => {
  const { handler, sent, lastMailTo, close } = await createQueued();
  const bodies = ['no reference', ...sent.map(encodeReference)];
  const { batchItemFailures } = (await handler(sqsEvent(bodies, 'jobs.fifo'), context)) as {
    batchItemFailures: readonly unknown[];
  };
  assert.is(batchItemFailures.length, bodies.length);
  assert.is(lastMailTo('ada@example.com'), undefined);
  await close();
});

test('without a queue, accepted work is done in the same call or by a schedule, and no timer remains', async () => {
  const bench = await createHostBench();
  const send = (key: string) => ({
    method: 'POST',
    path: '/v1/templates/receipt/send',
    headers: { authorization: `Bearer ${bench.liveKey}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ to: `${key}@example.com`, variables: { name: 'Ada' } }),
  });
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  await lambdaHost(bench.service)(httpEvent(send('ada')), context);
  assert.is(bench.lastMailTo('ada@example.com')?.subject, 'Thank you, Ada');
  assert.is(timers(), before);
  const handler = lambdaHost(bench.service, { settleMs: 0 });
  await handler(restEvent(send('bob')), context);
  assert.is(bench.lastMailTo('bob@example.com'), undefined);
  const report = await handler({ version: '0', source: 'aws.events', 'detail-type': 'Scheduled Event' }, context);
  assert.equal(report, { ran: 1, failed: 0, hasMore: false });
  assert.is(bench.lastMailTo('bob@example.com')?.subject, 'Thank you, Ada');
  assert.is(timers(), before);
  assert.equal(await handler({ action: 'migrate' }, context), { migrated: [] });
  await bench.close();
});

test('a message of SNS reaches the route that checks it, and fails if the route refuses it', async () => {
  const { service, close } = await createHostBench();
  const message = {
    Type: 'Notification',
    MessageId: 'm1',
    TopicArn: 'arn:aws:sns:eu-west-1:123456789012:mail',
    Message: '{}',
    SigningCertUrl: 'https://sns.eu-west-1.amazonaws.com/x.pem',
  };
  const event = { Records: [{ EventSource: 'aws:sns', EventVersion: '1.0', EventSubscriptionArn: 'a', Sns: message }] };
  const seenRequests: (string | undefined)[] = [];
  const dispatch: typeof service.dispatch = (request) => {
    seenRequests.push(request.address);
    return service.dispatch(request);
  };
  assert.is(await lambdaHost({ ...service, dispatch }, { snsPath: '/hooks/provider' })(event, context), undefined);
  // Without an address, a limit by address would log a warning.
  assert.equal(seenRequests, ['127.0.0.1']);
  const refusal = await faultOf(lambdaHost(service, { snsPath: '/v1/nothing' })(event, context));
  assert.match(refusal, /^LambdaHostError message_refused: \/v1\/nothing answered 404 to the message m1/);
  await close();
});

test('if SES reports are off, the error for a message of SNS names the option that switches them on', async () => {
  const { service, close } = await createTestService({ plugins: bareStandardPlugins });
  const message = { Type: 'Notification', MessageId: 'm1', TopicArn: 'arn:aws:sns:eu-west-1:1:mail', Message: '{}' };
  const event = { Records: [{ EventSource: 'aws:sns', EventVersion: '1.0', EventSubscriptionArn: 'a', Sns: message }] };
  const refusal = await faultOf(lambdaHost(service)(event, context));
  assert.match(refusal, /inbound\/mail\/ses answered 404 .*emailPlugin\(\{ reports: .*sesReports\(\{ topics \}\)/);
  await close();
});

test('the OpenAPI document of all plugins passes a load balancer if the client accepts compression', async () => {
  const { service, liveKey, close } = await createTestService({ plugins: bareStandardPlugins });
  const handler = lambdaHost(service);
  const headers = { authorization: `Bearer ${liveKey}` };
  const ask = (more: Record<string, string>) =>
    handler(balancerEvent(get('/v1/openapi.json', { ...headers, ...more }), true), context);
  assert.is(JSON.parse(clientView(await ask({})).body).error.code, 'answer_too_large');
  const { statusCode, isBase64Encoded, body, multiValueHeaders } = (await ask({
    'accept-encoding': 'gzip',
  })) as LambdaHttpResult;
  assert.equal([statusCode, isBase64Encoded], [200, true]);
  assert.equal(multiValueHeaders?.['Content-Encoding'], ['gzip']);
  assert.is(JSON.parse(gunzipSync(Buffer.from(body, 'base64')).toString()).openapi, '3.1.0');
  await close();
});

test('an answer that is too large is refused with a code', async () => {
  const { service, lines, close } = await createHostBench();
  const handler = lambdaHost(service);
  const wholeAnswer = clientView(await handler(httpEvent(get('/endless')), context));
  assert.equal([wholeAnswer.status, JSON.parse(wholeAnswer.body).error.code], [500, 'answer_too_large']);
  assert.match(wholeAnswer.body, /6291456 bytes.*Accept-Encoding: gzip.*streaming: true/);
  const small = clientView(await handler(balancerEvent(get('/endless'), true), context));
  assert.match(small.body, /1048576 bytes/);
  assert.is(lines.length, 2);
  await close();
});

test('an incomplete handmade event is refused with the name of the missing part, and never causes a TypeError', async () => {
  const { service, close } = await createHostBench();
  const handler = lambdaHost(service);
  const http = { method: 'GET', sourceIp: '192.0.2.1' };
  const requestContext = { stage: '$default', domainName: 'x', http };
  const faults: [unknown, string][] = [
    [{ version: '2.0', requestContext: { http: {} } }, 'rawPath'],
    [{ version: '2.0', rawPath: 7, requestContext }, 'rawPath'],
    [{ version: '2.0', rawPath: '/', requestContext: { http: { method: null } } }, 'requestContext.http.method'],
    [{ version: '2.0', rawPath: '/', headers: { a: 1 }, requestContext }, 'headers.a'],
    [{ version: '2.0', rawPath: '/', headers: 'x', requestContext }, 'headers'],
    [{ version: '2.0', rawPath: '/', cookies: 'a=b', requestContext }, 'cookies'],
    [{ version: '2.0', rawPath: '/', body: {}, requestContext }, 'body'],
    [{ httpMethod: 'GET', requestContext: { stage: 'v', identity: { sourceIp: '192.0.2.1' } } }, 'path'],
    [{ httpMethod: 'GET', path: '/', requestContext: { identity: {} } }, 'requestContext.stage'],
    [{ path: '/', requestContext: { elb: {} } }, 'httpMethod'],
    [{ Records: [{ eventSource: 'aws:sqs' }] }, '0.messageId'],
    [{ Records: [{ eventSource: 'aws:sqs', messageId: '1', body: 5, eventSourceARN: 'a' }] }, '0.body'],
    [{ Records: [{ EventSource: 'aws:sns' }] }, '0.Sns'],
  ];
  for (const [event, part] of faults) {
    const fault = await faultOf(handler(event, context));
    assert.match(fault, /^LambdaHostError event_invalid: /, JSON.stringify(event));
    assert.match(fault, ` ${part} is missing or of another type`, JSON.stringify(event));
  }
  for (const event of [
    null,
    undefined,
    5,
    'text',
    [],
    {},
    { Records: [null] },
    { Records: {} },
    { requestContext: null },
  ])
    assert.match(await faultOf(handler(event, context)), /^LambdaHostError event_unknown: /, JSON.stringify(event));
  const minimal = { version: '2.0', rawPath: '/v1/workspace', requestContext: { http: { method: 'GET' } } };
  assert.is(clientView(await handler(minimal, context)).status, 401);
  await close();
});

test('other events, actions and options are refused with a code, and so is SQLite on Lambda', async () => {
  const { service, close } = await createHostBench();
  const handler = lambdaHost(service);
  assert.match(await faultOf(handler({ Records: [{ eventSource: 'aws:s3' }] }, context)), /event_unknown/);
  assert.match(await faultOf(handler({ action: 'erase' }, context)), /action_unknown: There is no action "erase"/);
  assert.throws(() => lambdaHost(service, { basePath: 'messaging' }), /option_invalid/);
  assert.throws(() => lambdaHost(service, { streaming: true }), /streaming_unavailable/);
  process.env['AWS_LAMBDA_FUNCTION_NAME'] = 'postrider';
  try {
    assert.throws(() => lambdaHost(service), /storage_not_shared: SQLite keeps its database in a file/);
    assert.match(await faultOf(lambdaHost(() => service)({}, context)), /storage_not_shared/);
  } finally {
    delete process.env['AWS_LAMBDA_FUNCTION_NAME'];
  }
  await close();
});

test('a service is created once, at the first event', async () => {
  const { service, close } = await createHostBench();
  let count = 0;
  const handler = lambdaHost(async () => {
    count += 1;
    return service;
  });
  assert.is(count, 0);
  await Promise.all([handler(httpEvent(get('/everywhere')), context), handler(httpEvent(get('/everywhere')), context)]);
  assert.is(count, 1);
  await close();
});

test('paths are relative to the mount, decoded or not, and cookies are one header', async () => {
  const { service, close } = await createHostBench();
  const handler = lambdaHost(service, { basePath: '/messaging' });
  const codeOf = async (event: unknown) => JSON.parse(clientView(await handler(event, context)).body).error.code;
  assert.is(await codeOf(httpEvent(get('/other/v1/workspace'))), 'route_not_found');
  assert.is(await codeOf(restEvent(get('/messaging/v1/workspace'))), 'invalid_api_key');
  assert.is(await codeOf({ ...httpEvent({ ...get('/messaging/v1/workspace'), stage: 'live' }) }), 'invalid_api_key');
  const seenRequests: unknown[] = [];
  const listening = {
    ...service,
    dispatch: async (request: unknown) => {
      seenRequests.push(request);
      return { status: 200, headers: { 'Set-Cookie': 'a=1' }, body: '' };
    },
  };
  const configuredHandler = lambdaHost(listening);
  const answer = (await configuredHandler(httpEvent(get('/grüße/a b', { cookie: 'a=1; b=2' })), context)) as {
    cookies: string[];
  };
  assert.equal(answer.cookies, ['a=1']);
  const restAnswer = (await configuredHandler(
    restEvent({ ...get('/x'), sourceIp: '198.51.100.7' }),
    context,
  )) as object;
  assert.equal((restAnswer as { multiValueHeaders: unknown }).multiValueHeaders, { 'Set-Cookie': ['a=1'] });
  await configuredHandler(balancerEvent(get('/y', { 'x-forwarded-for': '6.6.6.6' }), false), context);
  const behind = lambdaHost(listening, { trustProxy: 1 });
  await behind(
    balancerEvent(get('/z', { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-host': 'go.example' }), true),
    context,
  );
  const [first, second, third, fourth] = seenRequests as {
    url: string;
    address: string;
    host?: string;
    headers: Record<string, string>;
  }[];
  assert.equal([first?.url, first?.headers['cookie']], ['/gr%C3%BC%C3%9Fe/a%20b', 'a=1; b=2']);
  assert.equal([second?.address, third?.address], ['198.51.100.7', '203.0.113.9']);
  assert.equal([fourth?.address, fourth?.host], ['192.0.2.1', 'go.example']);
  await close();
});

test.run();
