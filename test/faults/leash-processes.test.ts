// time-limit: 240
// Three processes with three agents each use the same key: together they cause exactly the sends that its leash allows,
// through all kinds of calls, although some calls are rolled back after they were counted.
// full-run: slow
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compiledSources } from '../support/compiled.ts';
import { type DatabaseKind, serverKinds, withDatabase } from './databases.ts';
import { createLeashService, type LeashInstructions } from './leash-process.ts';
import { seed } from './mail-service.ts';

const test = suite('a leash across processes');
const script = join(await compiledSources(), 'test/faults/leash-process.js');
const [processes, rounds, limit] = [3, 4, 10];

/** A process that is ready to begin, and the lines that it prints. */
async function startAgent(order: LeashInstructions) {
  const child = spawn(process.execPath, [script, JSON.stringify(order)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const reading = createInterface(child.stdout).on('line', (line) => void lines.push(line));
  const processEnd = Promise.all([once(child, 'close'), once(reading, 'close')]);
  await Promise.race([once(reading, 'line'), processEnd]);
  assert.equal(lines, ['ready']);
  return {
    begin: () => child.stdin.write('begin'),
    async counts(): Promise<number[]> {
      const [[code]] = await processEnd;
      assert.is(code, 0);
      return lines.slice(1).map(Number);
    },
  };
}

function register(kind: DatabaseKind): void {
  test(`an agent with ${limit} sends an hour causes ${limit} over ${processes} processes, on ${kind}`, () =>
    withDatabase(kind, async (location) => {
      const service = createLeashService(location);
      try {
        const { workspaceId } = await seed(service);
        const live = service.as(workspaceId) as unknown as Calls;
        await live.sequences.create({
          ...{ key: 'loose', name: 'Loose', settings: { reentry: 'never' } },
          nodes: [{ id: 'pause', kind: 'delay', for: 'P1D' }],
        });
        await live.sequences.publish({ keyOrId: 'loose' });
        const { listId } = await live.lists.create({ name: 'Two', optin: 'single' });
        const contacts = await Promise.all(
          ['one', 'two'].map((name) => live.contacts.upsert({ email: `${name}@example.net` })),
        );
        await live.lists.membersAdd({ listId, contactIds: contacts.map(({ id }) => id) });
        const keys: string[] = [];
        for (let round = 0; round < rounds; round += 1) {
          const key = {
            workspaceId,
            name: 'agent',
            mode: 'mcp',
            preset: 'full',
            leash: { sendsPerHour: limit },
          } as const;
          keys.push((await service.keys.create(key)).secret);
        }
        const agents = await Promise.all(
          Array.from({ length: processes }, (_, number) => startAgent({ location, number, keys, listId })),
        );
        for (const agent of agents) agent.begin();
        const counts = await Promise.all(agents.map((agent) => agent.counts()));
        const totals = keys.map((_, round) => counts.reduce((sum, count) => sum + (count[round] ?? 0), 0));
        assert.equal(totals, Array(rounds).fill(limit), JSON.stringify(counts));
        console.log(`# ${kind}: sends by process and round: ${JSON.stringify(counts)}`);
        for (const key of keys) {
          const headers = { authorization: `Bearer ${key}` };
          const { body } = await service.dispatch({
            method: 'GET',
            url: '/v1/workspace',
            headers,
            body: undefined,
            address: '127.0.0.1',
          });
          assert.is(JSON.parse(String(body)).leash.left.sendsPerHour.amount, 0);
        }
      } finally {
        await service.stop();
      }
    }));
}

/** The typed calls that this test makes. */
interface Calls {
  readonly sequences: { create(input: object): Promise<unknown>; publish(input: object): Promise<unknown> };
  readonly lists: { create(input: object): Promise<{ listId: string }>; membersAdd(input: object): Promise<unknown> };
  readonly contacts: { upsert(input: object): Promise<{ id: string }> };
}

register('sqlite');
for (const kind of await serverKinds()) register(kind);
test.run();
