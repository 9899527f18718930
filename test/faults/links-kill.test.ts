// time-limit: 120
// Clicks when a process ends. An orderly stop loses no click. SIGKILL loses at most the clicks that were not yet
// written, and no click if clicks are recorded before the answer. A killed roll-up continues where it stopped.
// full-run: kill
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService } from '../../core/index.ts';
import { linksPlugin } from '../../plugins/links/index.ts';
import { findSet } from '../../plugins/links/rollups/pending.ts';
import { type RollUpResult, rollUp } from '../../plugins/links/rollups/roll-up.ts';
import { batchRows } from '../../plugins/links/tables.ts';
import { compiledSources } from '../support/compiled.ts';

const test = suite('clicks when a process ends');
const script = join(await compiledSources(), 'test/faults/links-process.js');
/** Concurrent visits in the process: their answers may be in transit when it ends. */
const followers = 4;
/** Redirects answered before the process is ended. */
const minRedirects = 400;
/**
 * Ends a process under load, once it has answered enough redirects and written some of its clicks. With `summing`, it ends as soon as
 * a roll-up is running. Returns the redirects `answered`, the clicks `seen` in storage before the end, the clicks `stored` after it,
 * and the clicks in the sums once all are rolled up.
 */
async function endUnderLoad(signal: 'SIGKILL' | 'SIGTERM', record: string, { summing = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-links-'));
  const filename = join(folder, 'links.db');
  const service = createService({
    storage: sqliteStorage({ filename }),
    keyring: localKeyring({ keys: [{ id: 'test', secret: 'a secret for tests only, 32 bytes' }] }),
    plugins: [linksPlugin()],
  });
  try {
    await service.migrate();
    const { id } = await service.workspaces.create({ name: 'A', defaultFrom: { email: 'a@example.com', name: 'A' } });
    const { linkId } = await service.as(id).links.create({ destinationUrl: 'https://example.com/', slug: 'counted' });
    const child = spawn(process.execPath, [script, filename, record], { stdio: ['ignore', 'pipe', 'inherit'] });
    const processClosed = once(child, 'close');
    const database = await service.core.database();
    const storedNow = async (): Promise<number> => {
      const batches = await database.read(id, (handle) =>
        handle.db.selectFrom('link_click_batches').selectAll().execute(),
      );
      return batches.reduce((sum, row) => sum + batchRows.decode(row).clicks.clicks.length, 0);
    };
    let answeredCount = 0;
    let firstOutput = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = `${firstOutput}${text}`.split('\n');
      firstOutput = lines.pop() ?? '';
      answeredCount = Number(lines.at(-1) ?? answeredCount);
    });
    let seenCount = 0;
    let isSumming = !summing;
    while (child.exitCode === null && (answeredCount < minRedirects || seenCount === 0 || !isSumming)) {
      await new Promise((resolve) => setTimeout(resolve, summing ? 1 : 20));
      seenCount = await storedNow();
      isSumming ||= (await database.read(id, findSet)) !== undefined;
    }
    child.kill(signal);
    await processClosed;
    const storedCount = await storedNow();
    const rollUpPart = (): Promise<RollUpResult> =>
      database.transact(async (scope) => {
        const trx = scope.handle({ workspaceId: id, sandbox: false });
        const part = await rollUp(
          { trx, now: Date.now(), newId: (prefix) => service.core.ports.ids.create(prefix) },
          { limit: 100 },
        );
        await scope.flush();
        return part;
      });
    while ((await rollUpPart()).set !== undefined);
    const { total, bots } = (await service.as(id).links.read({ linkId })).clicks;
    return { answered: answeredCount, seen: seenCount, stored: storedCount, summed: total + bots };
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

test('an orderly stop loses no click', async () => {
  const { answered, stored } = await endUnderLoad('SIGTERM', 'buffered');
  assert.ok(answered >= minRedirects);
  assert.is(stored, answered);
});

test('SIGKILL loses at most the clicks that were not yet written', async () => {
  const { answered, seen, stored } = await endUnderLoad('SIGKILL', 'buffered');
  console.log(`# ${answered - stored} of ${answered} clicks lost by SIGKILL`);
  assert.ok(stored >= seen, `${stored} of the ${seen} clicks that were written are there`);
  assert.ok(stored <= answered + followers, `${stored} stored of ${answered} answered`);
});

test('after SIGKILL during a roll-up, the sums contain each stored click once', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { stored, summed } = await endUnderLoad('SIGKILL', 'buffered', { summing: true });
    assert.is(summed, stored);
  }
});

test('if clicks are recorded before the answer, SIGKILL loses no click', async () => {
  const { answered, stored } = await endUnderLoad('SIGKILL', 'before-answer');
  assert.ok(stored >= answered, `${stored} stored of ${answered} answered`);
});

test.run();
