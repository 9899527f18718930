// time-limit: 240
// Two hundred concurrent requests with one Idempotency-Key over real HTTP make one send, round after round, on each database.
// full-run: slow
import { Agent, createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import express from 'express';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import { expressHost } from '../../hosts/express/index.ts';
import { SmtpSink } from '../support/smtp-sink.ts';
import { reconcileDeliveries } from './accounting.ts';
import { type DatabaseKind, serverKinds, withDatabase } from './databases.ts';
import { createMailService, type DatabaseLocation, requestOf, seed, storageOf } from './mail-service.ts';
import type { JournalEntry } from './worker-plan.ts';

const test = suite('one key');
const callers = 200;

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: { readonly id?: string; readonly error?: { readonly code: string } };
}

/** A caller's connection, which sends the request of a key. */
type Caller = (key: string) => Promise<Answer>;

/** A service behind HTTP, and the mail server that it sends to. */
interface Scene {
  readonly door: Caller;
  readonly sink: SmtpSink;
  drain(): Promise<unknown>;
  /** The number of requests that arrived after an earlier request was received and before the earlier request was committed. */
  met(): number;
}

async function withHttpService(location: DatabaseLocation, work: (scene: Scene) => Promise<void>): Promise<void> {
  const sink = await SmtpSink.start();
  const mail = smtpMail({ host: sink.host, port: sink.port, tls: { rejectUnauthorized: false } });
  const running = new Set<string>();
  let overlapCount = 0;
  const service = createMailService({
    storage: storageOf(location),
    mail,
    onPhase(phase, requestId) {
      if (phase === 'request.received' && running.size > 0) overlapCount += 1;
      if (phase === 'request.received') running.add(requestId);
      if (phase === 'transaction.committed') running.clear();
    },
  });
  const { apiKey } = await seed(service);
  const app = express();
  app.use('/messaging', expressHost(service));
  // Idle connections stay open: closing one on a busy machine would collide with the caller's next request.
  const server = createServer({ keepAliveTimeout: 0 }, app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const caller: Caller = (key) =>
    new Promise((resolve, reject) => {
      const { url, body } = requestOf(key);
      const headers = {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      };
      const sending = request({ agent, port, host: '127.0.0.1', method: 'POST', path: `/messaging${url}`, headers });
      sending.once('error', reject);
      sending.once('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(text) }),
        );
      });
      sending.end(JSON.stringify(body));
    });
  try {
    await work({ door: caller, sink, drain: () => service.drain(), met: () => overlapCount });
  } finally {
    agent.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await service.stop();
    await sink.stop();
  }
}

/** Every answer that a caller got until its request was accepted. */
async function requestUntilAccepted(caller: Caller, key: string): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (;;) {
    const answer = await caller(key);
    answers.push(answer);
    if (answer.status === 202) return answers;
    assert.is(answer.status, 409, JSON.stringify(answer.body));
    assert.is(answer.body.error?.code, 'idempotency_key_in_progress');
    assert.is(answer.headers['retry-after'], '1');
    await pause(250);
  }
}

const isReplay = ({ headers }: Answer): boolean => headers['idempotent-replay'] === 'true';

function registerRounds(kind: DatabaseKind, rounds: number): void {
  test(`${callers} simultaneous requests make one send on ${kind}, ${rounds} times`, () =>
    withDatabase(kind, (location) =>
      withHttpService(location, async ({ door, sink, drain, met }) => {
        const keys = Array.from({ length: rounds }, (_, round) => `least-${round}`);
        const entries: JournalEntry[] = [];
        let refusedCount = 0;
        for (const key of keys) {
          const answers = (
            await Promise.all(Array.from({ length: callers }, () => requestUntilAccepted(door, key)))
          ).flat();
          const acceptedAnswers = answers.filter(({ status }) => status === 202);
          refusedCount += answers.length - acceptedAnswers.length;
          assert.is(acceptedAnswers.length, callers);
          assert.is(new Set(acceptedAnswers.map(({ body }) => body.id)).size, 1, 'all answers have one id');
          assert.is(
            acceptedAnswers.filter((answer) => !isReplay(answer)).length,
            1,
            'one call was executed, and the others were replays',
          );
          for (const answer of acceptedAnswers) {
            entries.push({ kind: 'accepted', key, id: String(answer.body.id), replayed: isReplay(answer) });
          }
        }
        await drain();
        const findings = await reconcileDeliveries({ keys, entries }, storageOf(location), sink.messages);
        console.log(
          `# ${kind}: ${findings.accepted} answers of 202, ${refusedCount} of 409, ${sink.messages.length} messages`,
        );
        assert.equal(findings.lost, []);
        assert.equal(findings.doubled, []);
        assert.is(sink.messages.length, rounds);
        assert.ok(met() > callers, `only ${met()} requests overlapped: the test proves little`);
      }),
    ));
}

registerRounds('sqlite', 10);
for (const kind of await serverKinds()) registerRounds(kind, kind === 'mariadb' ? 4 : 10);
test.run();
