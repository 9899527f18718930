// A delivery that gets no free database connection before its hand-over. This is an error of the database, not of a mail adapter. The
// delivery is retried, and the send does not show the error.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { captureMail } from '../../adapters/mail/capture.ts';
import { StorageError } from '../../core/index.ts';
import { createTestService } from '../../hosts/testing/index.ts';
import { standardPlugins } from '../../plugins/index.ts';

const test = suite('a delivery without a connection');

test('the delivery waits for the next attempt, and no error names a mail adapter', async () => {
  const logLines: string[] = [];
  const log = (_fields: unknown, message?: string) => void logLines.push(String(message));
  const capture = captureMail();
  let busy = true;
  const kit = await createTestService({
    plugins: standardPlugins,
    logger: { debug: () => undefined, info: () => undefined, warn: log, error: log },
    // A pool without a free connection throws this error when a delivery looks for its mail adapter.
    mail: () => {
      if (busy) throw new StorageError('busy', 'No database connection was free for 10000 ms.');
      return capture;
    },
  });
  try {
    const { templates, email, sends } = kit.service.as(kit.workspaceId);
    await templates.create({ key: 'ticket', mode: 'html', subject: 'Your ticket', body: '<p>Here.</p>' });
    await templates.publish({ key: 'ticket' });
    const { id } = await email.send({ template: 'ticket', to: 'ada@example.com', variables: {} });

    assert.is((await kit.service.drain()).failed, 1);
    const waiting = await sends.read({ id });
    assert.is(waiting.status, 'sent');
    assert.equal(
      waiting.events.map(({ type }) => type),
      ['send.queued'],
    );
    assert.equal(logLines, ['an attempt of a job failed']);

    busy = false;
    kit.advanceClock(31_000);
    await kit.service.drain();
    assert.is(capture.lastTo('ada@example.com')?.subject, 'Your ticket');
  } finally {
    await kit.close();
  }
});

test.run();
