/*
 * One release that accepts sends in a separate process, in rounds that accept.ts requests, and reports the processor time
 * of each. It also runs in checkouts of other releases, so it uses only features that all of them have.
 */
import { rmSync } from 'node:fs';
import { createContestantService } from './contestant-service.ts';
import { receiptVariables, templateKey } from './mail-fixture.ts';

const [location = '', storage = 'sqlite', wantedEvents = 'all', atOnceText = '32'] = process.argv.slice(2);
const atOnce = Number(atOnceText);

const { service, keys } = await createContestantService({
  port: 0,
  storage: storage as 'sqlite' | 'postgres',
  databasePath: location,
  databaseUrl: location,
  workspaces: 4,
  keys: 8,
});
if (wantedEvents === 'none') {
  const { driver, prefix } = await service.core.database();
  const sql = `delete from ${prefix}event_interests where consumer = 'testing'`;
  await driver.transact((connection) => connection.query({ sql, parameters: [] }));
}

let sentCount = 0;

async function send(): Promise<void> {
  sentCount += 1;
  const number = String(sentCount).padStart(6, '0');
  const { status, body } = await service.dispatch({
    method: 'POST',
    url: `/v1/templates/${templateKey}/send`,
    headers: {
      authorization: `Bearer ${keys[sentCount % keys.length]}`,
      'content-type': 'application/json',
      'idempotency-key': `accept-${number}`,
    },
    body: JSON.stringify({ to: `n${number}@example.com`, variables: receiptVariables(number) }),
    address: '127.0.0.1',
  });
  if (status !== 202) throw new Error(`A send was answered ${status}: ${String(body)}`);
}

/** Microseconds of processor time and of wall-clock time. */
async function runRound(
  count: number,
): Promise<{ readonly user: number; readonly system: number; readonly clock: number }> {
  const usedBefore = process.cpuUsage();
  const began = performance.now();
  for (let startedCount = 0; startedCount < count; startedCount += atOnce)
    await Promise.all(Array.from({ length: atOnce }, send));
  return { ...process.cpuUsage(usedBefore), clock: (performance.now() - began) * 1_000 };
}

process.on('message', async (message: number | 'end') => {
  if (message !== 'end') {
    const { user, system, clock } = await runRound(message);
    process.send?.({ user: user / message, system: system / message, clock: clock / message });
    return;
  }
  await service.stop();
  if (storage === 'sqlite') for (const end of ['', '-wal', '-shm']) rmSync(`${location}${end}`, { force: true });
  process.disconnect();
});
process.send?.('ready');
