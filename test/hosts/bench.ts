// The service behind the tests of hosts. Time and chance are simulated: its answers can be compared to the letter.
import { createSeededRandomness, createTestService } from '../../core/testing/index.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

/** The service's limit in these tests; smaller than that of express.json(), which is 102,400. */
export const maxBodyBytes = 20_000;

export type HostBench = Awaited<ReturnType<typeof createHostBench>>;

/** A service with a published template `receipt` whose contract is { name }. The same at every call, ids too. */
export async function createHostBench() {
  const bench = await createTestService({
    plugins: bareStandardPlugins,
    randomness: createSeededRandomness(7),
    settings: { maxBodyBytes },
  });
  const { templates } = bench.service.as(bench.workspaceId);
  const body =
    '<mjml><mj-body><mj-section><mj-column><mj-text>Thank you, {{name}}</mj-text></mj-column></mj-section></mj-body></mjml>';
  await templates.create({ key: 'receipt', subject: 'Thank you, {{name}}', body });
  await templates.publish({ key: 'receipt' });
  return { ...bench, narrowKey: await bench.keyWith(['audit:read']) };
}
