// time-limit: 180
// A process is killed after the provider accepted a message and before the service recorded that. A code is never sent twice. A message
// of another class is sent again, which shows that the process died at the right moment. The provider is a server that checks Twilio's
// requests strictly.
// full-run: kill
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createSimulatedClock } from '../../hosts/testing/simulated-clock.ts';
import { compiledSources } from '../support/compiled.ts';
import { startSmsApi, twilioApi } from '../support/sms-apis.ts';
import { smsTestService } from './sms-service.ts';

const test = suite('SMS when a process is killed');
const script = join(await compiledSources(), 'test/faults/sms-process.js');
const to = '+14155550123';

/** Sends one message and kills a process during the hand-over. Returns what the provider got, and the record after a restart. */
async function killInHandOver(templateKey: 'auth_login_code' | 'order_shipped', variables: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-sms-'));
  const filename = join(folder, 'sms.db');
  const twilio = await startSmsApi(twilioApi);
  const clock = createSimulatedClock(Date.now());
  const service = smsTestService({ storage: sqliteStorage({ filename }), sms: twilio.adapter, clock });
  try {
    await service.migrate();
    const { id } = await service.workspaces.create({ name: 'A', defaultFrom: { email: 'a@example.com', name: 'A' } });
    const { sms } = service.as(id);
    const isCode = templateKey === 'auth_login_code';
    const consent = isCode
      ? {}
      : {
          consentProofId: (await sms.consentCreate({ to, source: 'checkout', wording: 'Text me about my order.' })).id,
        };
    await sms.send({ templateKey, to, variables, ...consent });
    const child = spawn(process.execPath, [script, filename, twilio.url], { stdio: ['pipe', 'inherit', 'inherit'] });
    const [, signal] = await once(child, 'exit');
    assert.is(signal, 'SIGKILL');
    assert.is((await twilio.received()).length, 1, 'the provider has accepted the message');
    // The next process finds the job when the first process's lease has ended.
    for (let minutes = 0; minutes < 5; minutes += 1) {
      clock.advance(60_000);
      await service.drain();
    }
    const { data } = await sms.deliveries();
    return { received: (await twilio.received()).length, status: data[0]?.status, events: data[0]?.events ?? [] };
  } finally {
    await service.stop();
    await twilio.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

test('a code is not sent twice, and its event names the reason', async () => {
  const { received, status, events } = await killInHandOver('auth_login_code', { code: '482913' });
  assert.equal([received, status], [1, 'failed']);
  assert.match(JSON.stringify(events), /the process that handed it over stopped or lost the job/);
});

test('a message of another class is sent again although the provider had accepted it', async () => {
  const { received, status } = await killInHandOver('order_shipped', { order: 'A-1042' });
  assert.equal([received, status], [2, 'sent']);
});

test.run();
