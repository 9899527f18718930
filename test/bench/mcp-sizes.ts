/*
 * The size of tools/list for the standard plugins in a workspace with ten templates, by preset and option of the URL: bytes, and
 * tokens of models, estimated as a quarter of the characters. `npx tsx test/bench/mcp-sizes.ts`
 */
import { createTestService } from '../../hosts/testing/test-service.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { variablesSchema } from './mail-fixture.ts';

const presets = ['read', 'send', 'author', 'full'] as const;
const queries = ['', '?toolsets=core', '?toolsets=templates,email', '?templates=compact', '?schemas=full'] as const;

const testService = await createTestService({ plugins: standardPlugins });
const { templates } = testService.service.as(testService.workspaceId);
for (let count = (await templates.list({})).data.length; count < 10; count += 1) {
  const key = `mail-${count}`;
  await templates.create({ key, mode: 'html', subject: 'A mail', body: '<p>Hello</p>', variables: variablesSchema });
  await templates.publish({ key });
}
const rows: Record<string, string | number>[] = [];
for (const preset of presets) {
  const { secret } = await testService.service.keys.create({
    workspaceId: testService.workspaceId,
    name: preset,
    preset,
  });
  for (const query of queries) {
    const { bytes, body } = await testService.request(`/v1/mcp${query}`, {
      key: secret,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    });
    const { tools } = body.result as { tools: readonly object[] };
    const tokens = Math.round(JSON.stringify(tools).length / 4);
    rows.push({ preset, query, tools: tools.length, bytes: bytes.length, tokens });
  }
}
console.table(rows);
console.log(JSON.stringify(rows));
await testService.close();
