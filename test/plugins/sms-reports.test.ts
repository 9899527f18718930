// Reports of providers about texts: how one that names nothing but the provider's id finds its message.
import * as assert from 'uvu/assert';
import type { SmsAdapter, SmsReport } from '../../plugins/sms/port/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { migratedTestService } from '../support/migrated-tables.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

const path = '/v1/messaging/transactional';
const login = { templateKey: 'auth_login_code', to: '+14155550123', variables: { code: '482913' } };
const publicUrl = 'https://app.example.com/messaging';

await twoDatabases('reports about SMS', (test, database) => {
  const open = (options: object = {}) => migratedTestService(database, { plugins: bareStandardPlugins, ...options });

  test('a report that names the id of the provider alone finds its message, on the live side and in the workspace that it names', async () => {
    const reports: SmsReport[] = [];
    let taken = 0;
    const sms: SmsAdapter = {
      id: 'reporting',
      capabilities: { captures: false },
      sender: '+12025550100',
      send: async () => ({ providerMessageId: `p${++taken}` }),
      reports: { read: async () => reports },
      close: async () => undefined,
    };
    const warnings: [object, string][] = [];
    const warn = (fields: object, message: string) => void warnings.push([fields, message]);
    const bench = await open({ sms, publicUrl, logger: { debug() {}, info() {}, warn, error() {} } });
    try {
      const post = async (providerMessageId: string, query = '') => {
        reports.splice(0, 1, { kind: 'status', providerMessageId, status: 'delivered' });
        const headers = { host: 'app.example.com' };
        const url = `/inbound/sms/reporting${query}`;
        const { status } = await bench.service.dispatch({
          method: 'POST',
          url,
          headers,
          body: '',
          address: '203.0.113.7',
        });
        assert.is(status, 200);
      };
      const statuses = async () => {
        const { data } = await bench.service.as(bench.workspaceId).sms.deliveries();
        return data.map(({ status }) => status).sort();
      };
      await bench.request(path, { body: login });
      await bench.drain();
      await bench.request(path, { body: login });
      await bench.drain();
      assert.equal(await statuses(), ['sent', 'sent']);
      const unknown = (providerMessageId: string) => [
        { provider: 'reporting', providerMessageId },
        'a report names no SMS that this service sent',
      ];
      await post('p2', `?workspace=${bench.foreignWorkspaceId}`);
      await post('p3');
      assert.equal(
        [await statuses(), warnings],
        [
          ['sent', 'sent'],
          [unknown('p2'), unknown('p3')],
        ],
      );
      await post('p2');
      await post('p2');
      assert.equal(await statuses(), ['delivered', 'sent']);
      assert.is((await bench.events('sms.delivered')).length, 1);
      // An id of the program's own, or of an old copy of the database, is no reason to lose the report.
      await post('p1', `?workspace=${bench.workspaceId}&sms=sms_unknown`);
      assert.equal([await statuses(), warnings.length], [['delivered', 'delivered'], 2]);
    } finally {
      await bench.close();
    }
  });
});
