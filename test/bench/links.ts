/*
 * Workload: following short links over HTTP with the clicks recorded, compared with a bare Fastify that redirects from a Map, in the
 * same run; p99 while 100,000 clicks are rolled up; creating links. For comparison, SQLite's look-up of a slug.
 * `npx tsx test/bench/links.ts --rounds 3 --seconds 3`
 */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import Fastify from 'fastify';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService } from '../../core/index.ts';
import { inWorkspace } from '../../core/unstable.ts';
import { fastifyHost } from '../../hosts/fastify/index.ts';
import { linksPlugin, writeSampleClicks } from '../../plugins/links/index.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    serve: { type: 'string' },
  },
});
/** The links that are followed in turn. */
const slugs = Array.from({ length: 1_000 }, (_, index) => `bench${index}`);
const destination = 'https://example.com/spring?id=1';
const folder = join(import.meta.dirname, '../../node_modules/.cache/bench-links');
const agents = ['Windows NT 10.0; Win64; x64', 'iPhone; CPU iPhone OS 17_4 like Mac OS X', 'X11; Linux x86_64'];

async function serveFloor(): Promise<number> {
  const targets = new Map(slugs.map((slug) => [slug, destination]));
  const server = Fastify();
  server.get<{ Params: { slug: string } }>('/l/:slug', (request, reply) => {
    const target = targets.get(request.params.slug);
    if (target === undefined) reply.code(404).send();
    else reply.code(302).header('Location', target).header('Cache-Control', 'private, no-store').send();
  });
  return Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port);
}

async function servePostrider() {
  mkdirSync(folder, { recursive: true });
  const filename = join(folder, `${process.pid}.db`);
  const service = createService({
    storage: sqliteStorage({ filename }),
    plugins: [linksPlugin()],
    keyring: localKeyring({ keys: [{ id: 'bench', secret: 'a secret for the bench only, 32 b.' }] }),
    environment: 'production',
    publicUrl: 'http://127.0.0.1',
  });
  await service.migrate();
  const workspace = await service.workspaces.create({
    name: 'Bench',
    defaultFrom: { email: 'a@example.com', name: 'A' },
  });
  const { links } = service.as(workspace.id);
  const from = performance.now();
  for (const slug of slugs) await links.create({ destinationUrl: destination, slug });
  const createRate = (slugs.length / (performance.now() - from)) * 1_000;
  await service.start();
  const server = Fastify();
  server.register(fastifyHost(service));
  const port = Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port);
  const { driver } = await service.core.database();
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  const query = (sql: string) => driver.read((connection) => connection.query({ sql, parameters: [] }));
  return {
    port,
    created: createRate,
    /** The number of stored clicks. */
    async stored(): Promise<number> {
      await service.core.services.linkClicks.flush();
      const sql = "select sum(json_array_length(clicks, '$.clicks')) as n from postrider_link_click_batches";
      return Number((await query(sql)).rows[0]?.['n'] ?? 0);
    },
    /** Look-ups of a slug per second, without any of our own code. */
    async lookUps(): Promise<number> {
      const began = performance.now();
      const sql = "select * from postrider_links where domain = '' and slug = ?";
      for (let count = 0; count < 20_000; count += 1)
        await driver.read((connection) => connection.query({ sql, parameters: [slugs[count % slugs.length] ?? ''] }));
      return (20_000 / (performance.now() - began)) * 1_000;
    },
    /** Writes about 100,000 clicks in one transaction, so that their roll-up starts after the last. Returns how many are pending. */
    async fill(): Promise<number> {
      const { data } = await links.list({ limit: 20 });
      await inWorkspace(service.core, workspace, async (ctx) => {
        for (const { linkId } of data) writeSampleClicks(ctx, { id: linkId, utm: {}, sandbox: false }, 50, 83);
      });
      return this.pending();
    },
    /** The longest time in milliseconds for which the event loop was blocked since the last call. */
    async held(): Promise<number> {
      const longest = delays.max / 1e6;
      delays.reset();
      return longest;
    },
    async pending(): Promise<number> {
      const waiting = await query('select sum(clicks) as n from postrider_link_pending_batches');
      const summedRows = await query('select sum(done) as n from postrider_link_rollup_sets');
      return Number(waiting.rows[0]?.['n'] ?? 0) - Number(summedRows.rows[0]?.['n'] ?? 0);
    },
    async stop(): Promise<void> {
      await server.close();
      await service.stop();
      for (const end of ['', '-wal', '-shm']) rmSync(filename + end, { force: true });
    },
  };
}

type Served = Awaited<ReturnType<typeof servePostrider>>;
type Ask = 'cpu' | 'held' | 'stored' | 'lookUps' | 'fill' | 'pending' | 'stop';

/** Microseconds of this process's processor time. */
function processorUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** The server process: answers its parent's requests. */
async function serve(kind: string): Promise<void> {
  const servedService = kind === 'floor' ? undefined : await servePostrider();
  const port = servedService?.port ?? (await serveFloor());
  process.send?.({ port, created: servedService?.created });
  process.on('message', (ask: Ask) => {
    void (async () => {
      const value = ask === 'cpu' ? processorUs() : await (servedService?.[ask] as Served['stored'] | undefined)?.();
      process.send?.({ value });
      if (ask === 'stop') process.exit(0);
    })();
  });
}

interface Server {
  readonly port: number;
  readonly created: number;
  ask(question: Ask): Promise<number>;
}

async function start(kind: string): Promise<Server> {
  const child: ChildProcess = fork(import.meta.filename, ['--serve', kind], { execArgv: process.execArgv });
  const [ready] = (await once(child, 'message')) as [{ port: number; created: number }];
  return {
    ...ready,
    async ask(question) {
      child.send(question);
      const [{ value }] = (await once(child, 'message')) as [{ value: number }];
      return value;
    },
  };
}

interface Load {
  readonly answered: number;
  readonly perSecond: number;
  readonly p99: number;
  /** The server's processor time per request, in microseconds. */
  readonly cpuEach: number;
}

/** Loads keep-alive connections, each with `pipeline` requests in flight, for `seconds`. Every answer must be a redirect. */
async function load(port: number, seconds: number, pipeline: number): Promise<Omit<Load, 'cpuEach'>> {
  const until = performance.now() + seconds * 1_000;
  const latencies: number[] = [];
  let answeredCount = 0;
  let turn = 0;
  const began = performance.now();
  const run = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      const sentTimes: number[] = [];
      let unreadText = '';
      const send = () => {
        turn += 1;
        sentTimes.push(performance.now());
        const agent = `Mozilla/5.0 (${agents[turn % agents.length]}) Chrome/1${turn % 40}.0`;
        socket.write(
          `GET /l/${slugs[turn % slugs.length]} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: ${agent}\r\n\r\n`,
        );
      };
      socket.setNoDelay(true).setEncoding('latin1');
      socket.on('connect', () => {
        for (let count = 0; count < pipeline; count += 1) send();
      });
      socket.on('data', (text: string) => {
        const parts = (unreadText + text).split('\r\n\r\n');
        unreadText = parts.pop() ?? '';
        for (const part of parts) {
          if (!part.startsWith('HTTP/1.1 302')) return reject(new Error(part));
          latencies.push(performance.now() - (sentTimes.shift() ?? 0));
          answeredCount += 1;
          if (performance.now() < until) send();
          else if (sentTimes.length === 0) socket.end(resolve);
        }
      });
      socket.on('error', reject);
    });
  await Promise.all(Array.from({ length: 16 }, run));
  const took = performance.now() - began;
  latencies.sort((one, other) => one - other);
  return {
    answered: answeredCount,
    perSecond: (answeredCount / took) * 1_000,
    p99: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
  };
}

const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0;
const round = (value: number): number => Math.round(value * 100) / 100;

async function main(): Promise<void> {
  const [floor, postrider] = [await start('floor'), await start('postrider')];
  const seconds = Number(options.seconds);
  let followedCount = 0;
  const follow = async (server: Server, time: number, pipeline: number): Promise<Load> => {
    const before = await server.ask('cpu');
    const result = await load(server.port, time, pipeline);
    if (server === postrider) followedCount += result.answered;
    return { ...result, cpuEach: ((await server.ask('cpu')) - before) / result.answered };
  };
  for (const server of [floor, postrider]) await follow(server, 1, 8);
  const waitForRollUp = async (): Promise<void> => {
    while ((await postrider.ask('pending')) > 0) await new Promise((resolve) => setTimeout(resolve, 500));
  };
  await waitForRollUp();
  const quiet = await follow(postrider, 1, 1);
  const pairs: { readonly floor: Load; readonly postrider: Load }[] = [];
  for (let index = 0; index < Number(options.rounds); index += 1)
    pairs.push({
      floor: await follow(floor, seconds, 8),
      postrider: await follow(postrider, seconds, 8),
    });
  assert.equal(await postrider.ask('stored'), followedCount, 'every redirect has its click');
  const lookUps = await postrider.ask('lookUps');
  const waiting = await postrider.ask('fill');
  await postrider.ask('held');
  const rolling = await follow(postrider, seconds, 1);
  const heldMs = await postrider.ask('held');
  const pendingCount = await postrider.ask('pending');
  console.log(
    JSON.stringify({
      redirects: round(median(pairs.map((pair) => pair.postrider.perSecond))),
      floor: round(median(pairs.map((pair) => pair.floor.perSecond))),
      ratio: round(median(pairs.map((pair) => pair.postrider.perSecond / pair.floor.perSecond))),
      // This figure does not depend on other load on the machine.
      cpuEach: round(median(pairs.map((pair) => pair.postrider.cpuEach))),
      floorCpuEach: round(median(pairs.map((pair) => pair.floor.cpuEach))),
      cpuRatio: round(median(pairs.map((pair) => pair.floor.cpuEach / pair.postrider.cpuEach))),
      clicks: followedCount,
      lookUpsPerSecond: round(lookUps),
      linksCreatedPerSecond: round(postrider.created),
      p99: round(quiet.p99),
      p99WhileRolledUp: round(rolling.p99),
      longestHold: round(heldMs),
      rolledUpFrom: waiting,
      rolledUpTo: pendingCount,
    }),
  );
  for (const server of [floor, postrider]) await server.ask('stop');
}

await (options.serve === undefined ? main() : serve(options.serve));
