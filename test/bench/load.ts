/*
 * The load generator: a separate process that measure.ts forks and sends runs to. A bare keep-alive HTTP/1.1 client on
 * sockets, because a full client would be the bottleneck. It counts only 2xx answers, and reports how busy it was itself.
 */
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

/** One run. */
export interface LoadRun {
  port: number;
  connections: number;
  /** Requests that a connection has in flight at once; 1 is plain keep-alive. */
  pipeline: number;
  /** Seconds of load before counting starts. */
  warmUp: number;
  /** Seconds that count. */
  seconds: number;
  /** Request texts, used in turn. Each is split where a new number of twelve digits is inserted. Bytes as latin1. */
  variants: string[][];
  /** True if an answer contains its request's number. */
  echo: boolean;
}

/** The result of a run. */
export interface LoadResult {
  /** Answers per second within the counted time. */
  perSecond: number;
  /** 2xx answers from the first request to the last, including warm-up: the rows that must exist. */
  accepted: number;
  failed: number;
  /** The first answer that was not 2xx, or what was wrong with it. */
  failure: string;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Share of one core that this process used. If it is near 1, this process was the bottleneck, not the server. */
  busy: number;
}

const headerEnd = Buffer.from('\r\n\r\n');
// Always 12 digits. The start time of the process keeps the numbers of two processes apart.
let next = 100_000_000_000 + (Date.now() % 800_000) * 1_000_000;

function runLoad(run: LoadRun): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const countFrom = startedAt + run.warmUp * 1000;
    const countTo = countFrom + run.seconds * 1000;
    const latencies: number[] = [];
    let acceptedCount = 0;
    let failedCount = 0;
    let failure = '';
    let open = run.connections;
    let turn = 0;
    let cpuFrom: NodeJS.CpuUsage | undefined;
    let busy = 0;

    function finish(): void {
      clearTimeout(deadline);
      latencies.sort((left, right) => left - right);
      const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0;
      const perSecond = latencies.length / run.seconds;
      resolve({ perSecond, accepted: acceptedCount, failed: failedCount, failure, p50: at(0.5), p99: at(0.99), busy });
    }

    function fail(reason: string): void {
      failedCount += 1;
      if (failure === '') failure = reason;
    }

    function connectOne(): void {
      const sentAt: number[] = [];
      const numbers: number[] = [];
      let rest: Buffer | undefined;

      function send(count: number): void {
        let text = '';
        for (let index = 0; index < count; index += 1) {
          const parts = run.variants[turn++ % run.variants.length] as string[];
          text += parts.join(String(next));
          numbers.push(next++);
          sentAt.push(performance.now());
        }
        socket.write(text, 'latin1');
      }

      function receive(chunk: Buffer): void {
        const bytes = rest === undefined ? chunk : Buffer.concat([rest, chunk]);
        rest = undefined;
        let position = 0;
        let answeredCount = 0;
        while (position < bytes.length) {
          const end = bytes.indexOf(headerEnd, position);
          if (end === -1) break;
          const head = bytes.toString('latin1', position, end);
          const length = /content-length: (\d+)/i.exec(head)?.[1];
          if (length === undefined) throw new Error(`An answer came without Content-Length:\n${head}`);
          const bodyEnd = end + 4 + Number(length);
          if (bodyEnd > bytes.length) break;
          const now = performance.now();
          const requestStartedAt = sentAt.shift() as number;
          const number = numbers.shift() as number;
          if (head.charCodeAt(9) !== 0x32) {
            fail(`${head.slice(9, 12)} ${bytes.toString('utf8', end + 4, bodyEnd)}`);
          } else if (run.echo && number % 16 === 0 && bytes.indexOf(String(number), end + 4) === -1) {
            fail(`The answer is not that of request ${number}: ${bytes.toString('utf8', end + 4, bodyEnd)}`);
          } else {
            acceptedCount += 1;
            if (now >= countFrom && now < countTo) latencies.push(now - requestStartedAt);
          }
          answeredCount += 1;
          position = bodyEnd;
        }
        if (position < bytes.length) rest = Buffer.from(bytes.subarray(position));
        if (answeredCount === 0) return;
        const now = performance.now();
        if (cpuFrom === undefined && now >= countFrom) cpuFrom = process.cpuUsage();
        if (now < countTo) {
          send(answeredCount);
        } else if (sentAt.length === 0) {
          if (cpuFrom !== undefined && busy === 0) {
            const usedTime = process.cpuUsage(cpuFrom);
            busy = (usedTime.user + usedTime.system) / 1000 / (now - countFrom);
          }
          socket.destroy();
        }
      }

      const buffer = Buffer.allocUnsafe(256 * 1024);
      const socket: Socket = connect({
        port: run.port,
        host: '127.0.0.1',
        noDelay: true,
        onread: {
          buffer,
          callback: (size) => {
            receive(buffer.subarray(0, size));
            return true;
          },
        },
      });
      socket.on('connect', () => send(run.pipeline));
      socket.on('error', (error) => fail(error.message));
      socket.on('close', () => {
        if (sentAt.length > 0) fail('The server closed a connection with requests in flight.');
        open -= 1;
        if (open === 0) finish();
      });
    }

    const limit = (run.warmUp + run.seconds + 20) * 1000;
    const deadline = setTimeout(() => reject(new Error('Answers are still missing 20 s after the run.')), limit);
    for (let index = 0; index < run.connections; index += 1) connectOne();
  });
}

process.on('message', (run: LoadRun) => {
  runLoad(run).then(
    (result) => process.send?.(result),
    (error: Error) => {
      console.error(error);
      process.exit(1);
    },
  );
});
