// The tests that every host must pass: answers to the table of requests equal those of service.fetch exactly, and HEAD equals
// GET without a body. Used by the *-table tests.
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { createHostBench, type HostBench } from './bench.ts';
import {
  checkResponse,
  comparedHeaders,
  fetchRequest,
  type HostClient,
  type HostResponse,
  hostResponseOf,
  lengthOf,
  requestAll,
} from './host-clients.ts';
import { hostRequests, type TableRequest } from './requests.ts';

/** A program that embeds the service. */
export interface OpenHostClient {
  readonly client: HostClient;
  close(): Promise<void>;
}

/** Opens a way to call the bench's service. */
export type HostClientOpener = (bench: HostBench) => Promise<OpenHostClient>;

const fetchedTables = new Map<string, Promise<Map<string, HostResponse>>>();

const tableWithout = (bench: HostBench, unlike: readonly string[]): TableRequest[] =>
  hostRequests(bench).filter(({ name }) => !unlike.includes(name));

async function fetchAll(answeredByFramework: readonly string[]): Promise<Map<string, HostResponse>> {
  const bench = await createHostBench();
  const requests = tableWithout(bench, answeredByFramework);
  const client: HostClient = async (request) =>
    hostResponseOf(await bench.service.fetch(fetchRequest('http://localhost', request)));
  const answers = await requestAll(client, requests);
  await bench.close();
  for (const request of requests) checkResponse(request, answers);
  return answers;
}

/** The answers of service.fetch, requested once per test file. Their ids depend on the number of requests. */
function fetchedAnswers(unlike: readonly string[]): Promise<Map<string, HostResponse>> {
  const key = unlike.join();
  const answers = fetchedTables.get(key) ?? fetchAll(unlike);
  fetchedTables.set(key, answers);
  return answers;
}

function checkSame(request: TableRequest, answer: HostResponse | undefined, same: HostResponse | undefined): void {
  assert.is(answer?.body, same?.body, request.name);
  for (const header of comparedHeaders)
    assert.is(answer?.headers[header], same?.headers[header], `${request.name}: ${header}`);
  const length = answer?.headers['content-length'];
  if (request.streamed === true) assert.is(length, undefined, `${request.name}: content-length`);
  else if (request.bare === true) assert.is(answer?.body, '', request.name);
  else assert.is(length, String(answer && lengthOf(answer)), `${request.name}: content-length`);
}

async function checkHead(client: HostClient, { liveKey }: HostBench): Promise<void> {
  const headers = { authorization: `Bearer ${liveKey}`, 'x-request-id': 'req_01ARZ3NDEKTSV4RRFFQ69G5FAV' };
  const ask = (method: string, path: string) =>
    client({ name: `${method} ${path}`, method, path, headers, status: 200 });
  const getAnswer = await ask('GET', '/v1/templates/receipt');
  const head = await ask('HEAD', '/v1/templates/receipt');
  assert.is(head.status, 200);
  assert.is(head.body, '');
  assert.is(head.headers['content-length'], String(Buffer.byteLength(getAnswer.body)));
  assert.is(head.headers['content-type'], getAnswer.headers['content-type']);
  assert.is((await ask('HEAD', '/v1/templates/none')).status, 404);
  const refusal = await ask('HEAD', '/v1/templates/receipt/send');
  assert.is(refusal.status, 405);
  assert.is(refusal.headers['allow'], 'POST');
}

/** Adds both tests of a host. `answeredByFramework` names requests that the framework answers before they reach the host. */
export function testHostTable(test: Test, name: string, open: HostClientOpener, unlike: readonly string[] = []): void {
  const withClient = (run: (client: HostClient, bench: HostBench) => Promise<void>) => async () => {
    const bench = await createHostBench();
    const { client, close } = await open(bench);
    try {
      await run(client, bench);
    } finally {
      await close();
      await bench.close();
    }
  };

  test(
    `${name} answers the table like service.fetch`,
    withClient(async (client, bench) => {
      const same = await fetchedAnswers(unlike);
      const requests = tableWithout(bench, unlike);
      const answers = await requestAll(client, requests);
      for (const request of requests) {
        checkResponse(request, answers);
        checkSame(request, answers.get(request.name), same.get(request.name));
      }
    }),
  );

  test(`${name} answers HEAD with the headers of GET and no body`, withClient(checkHead));
}
