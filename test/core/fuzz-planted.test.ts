// time-limit: 300
// Tests the fuzzing itself: it finds each fault that is planted in an operation or a response, and names it.
// full-run: fuzz
import { pbkdf2Sync } from 'node:crypto';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import type { TestDatabase } from '../support/databases.ts';
import { requestsTo } from './fuzz-requests.ts';
import { fuzz } from './fuzz-run.ts';
import { openTarget, type TargetOptions } from './fuzz-target.ts';
import { plantedPlugin } from './planted-plugin.ts';

const test = suite('planted faults');

const memory: TestDatabase = {
  name: 'sqlite',
  createStorage: () => sqliteStorage({ filename: ':memory:' }),
  newPrefix: () => 't_',
};

/** Fuzzes one operation and returns the finding. */
async function findingOf(operationId: string, options: TargetOptions, shrink = true): Promise<string | undefined> {
  const target = await openTarget(memory, options);
  try {
    const operation = target.test.service.core.registry.operations.get(operationId);
    if (operation === undefined) throw new Error(`There is no operation ${operationId}.`);
    const requests = requestsTo(operation, await operation.fixture(target.kit));
    const { finding } = await fuzz(target, requests, 150, { shrink });
    return finding;
  } finally {
    await target.close();
  }
}

const plugins = [plantedPlugin()];

for (const [operationId, word] of [
  ['planted.label', 'TypeError'],
  ['planted.read', 'RangeError: no such character'],
  ['planted.list', 'breaks its own schema'],
] as const) {
  test(`the fuzzing finds an operation that fails on some input: ${operationId}`, async () => {
    const finding = await findingOf(operationId, { plugins });
    assert.ok(finding?.includes('status 500') && finding.includes(word), finding);
  });
}

test('without a planted fault, the same run finds nothing', async () => {
  assert.is(await findingOf('keys.read', { plugins }), undefined);
});

/** Uses processor time, like a slow check. */
function useProcessor(milliseconds: number): void {
  const end = process.cpuUsage().user + milliseconds * 1_000;
  while (process.cpuUsage().user < end) pbkdf2Sync('a', 'b', 10_000, 32, 'sha256');
}

const isRefusal = (status: number): boolean => status === 422;

const plantedFaults: Readonly<
  Record<string, { readonly spoil: NonNullable<TargetOptions['tamper']>; readonly word: string }>
> = {
  'a refusal without an envelope': {
    spoil: (_request, answer) => (isRefusal(answer.status) ? { ...answer, body: '{"message":"bad request"}' } : answer),
    word: 'a refusal without an envelope',
  },
  'a body that is not JSON': {
    spoil: (_request, answer) => (isRefusal(answer.status) ? { ...answer, body: '<h1>Bad request</h1>' } : answer),
    word: 'the body is not JSON',
  },
  'an answer without an X-Request-Id': {
    spoil: (_request, { headers: { 'X-Request-Id': _, ...headers }, ...answer }) => ({ ...answer, headers }),
    word: 'the X-Request-Id is undefined',
  },
  'an envelope with the id of another request': {
    spoil: (_request, answer) => ({
      ...answer,
      body: String(answer.body).replace(/req_\w{26}/, `req_${'0'.repeat(26)}`),
    }),
    word: 'the envelope names the request',
  },
  'an undeclared error code': {
    spoil: (_request, answer) => ({ ...answer, body: String(answer.body).replace('validation_failed', 'oops') }),
    word: 'the code oops is declared nowhere',
  },
  'a header with a line break from the request': {
    spoil: (request, answer) => ({
      ...answer,
      headers: { ...answer.headers, 'X-Path': decodeURI(request.url.replace(/%(?![0-9A-F]{2})|%[89A-F]./g, '')) },
    }),
    word: 'the header "X-Path" is',
  },
  'an answer that takes too long': {
    spoil: (request, answer) => {
      if (request.url.length > 300) useProcessor(4_100);
      return answer;
    },
    word: 'ms of processor time',
  },
};

for (const [name, { spoil, word }] of Object.entries(plantedFaults)) {
  test(`the fuzzing finds ${name}`, async () => {
    const finding = await findingOf('templates.read', { tamper: spoil }, name !== 'an answer that takes too long');
    assert.ok(finding?.includes(word), finding);
  });
}

test('the fuzzing reports the smallest request that shows the fault, not the first', async () => {
  const target = await openTarget(memory, { plugins });
  const requests = fc.string({ minLength: 1, maxLength: 60 }).map((name) => ({
    method: 'GET',
    url: `/v1/planted/things/${encodeURIComponent(`${name.replace(/[^ -~]/g, 'x')}é`)}`,
  }));
  const { finding } = await fuzz(target, requests, 50);
  assert.ok(finding !== undefined && /things\/(%20|\w)%C3%A9"/.test(finding), finding);
  await target.close();
});

test.run();
