// time-limit: 120
// A connector whose server has stalled takes no more than its own slots. Meanwhile messages through other servers go out.
// full-run: slow
import * as assert from 'uvu/assert';
import { openConnectorBench } from '../support/connector-bench.ts';
import { twoDatabases } from '../support/databases.ts';
import { ScriptedSmtpServer } from '../support/smtp-server.ts';

await twoDatabases('a stalled mail server', (test, database) => {
  test('a hundred other messages go out, and the messages of the stalled server wait without counting an attempt', async () => {
    const bench = await openConnectorBench(database);
    const stalled = await ScriptedSmtpServer.start({ content: 'hang' });
    await bench.publish('code');
    const { host, port } = stalled;
    await bench.service.connectors.create(bench.workspaceId, {
      kind: 'mail',
      provider: 'smtp',
      name: 'Stalled',
      credentials: { user: 'post', pass: 'any' },
      options: { host, port },
      uses: { templates: ['receipt'] },
    });
    const to = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        to: `${prefix}${index}@example.com`,
        variables: { name: 'Ada' },
      }));
    const { email } = bench.service.as(bench.workspaceId);
    const { data } = await email.batch({ template: 'receipt', recipients: to('stuck', 40) });
    await email.batch({ template: 'code', recipients: to('other', 100) });
    const draining = bench.drain();
    await bench.sink.until((sink) => sink.messages.length === 100);
    const statuses = await Promise.all(
      data.map(async (item) => (await bench.readSend('id' in item ? item.id : '')).status),
    );
    assert.ok(stalled.hanging > 0 && stalled.hanging <= 5, `${stalled.hanging} messages hang`);
    assert.ok(
      statuses.every((status) => status === 'sent'),
      statuses.join(' '),
    );
    await stalled.stop();
    await draining;
    await bench.close();
  });
});
