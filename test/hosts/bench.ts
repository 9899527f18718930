// The service for the tests of hosts. Time and randomness are simulated, so that answers can be compared exactly.
import { createSeededRandomness, createTestService } from '../../hosts/testing/index.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { hostTestPlugin, type StreamLog } from './host-test-plugin.ts';

/** The service's limit in these tests. It is smaller than the limit of express.json(), which is 102,400. */
export const maxBodyBytes = 20_000;

export type HostBench = Awaited<ReturnType<typeof createHostBench>>;

/**
 * A service with a published template `receipt` with the variables { name }, and the public routes of host-test-plugin.ts. Every call
 * creates the same service, including ids. `streams` records the streams of those routes, and `lines` contains the log.
 */
export async function createHostBench() {
  const streams: StreamLog = { started: [], ended: [], chunks: 0 };
  const lines: Record<string, unknown>[] = [];
  const log = (fields: Record<string, unknown>, message: string) => void lines.push({ ...fields, message });
  const bench = await createTestService({
    plugins: [...bareStandardPlugins, hostTestPlugin(streams)],
    logger: { debug: () => undefined, info: () => undefined, warn: log, error: log },
    randomness: createSeededRandomness(7),
    settings: { maxBodyBytes },
  });
  const { templates } = bench.service.as(bench.workspaceId);
  const body =
    '<mjml><mj-body><mj-section><mj-column><mj-text>Thank you, {{name}}</mj-text></mj-column></mj-section></mj-body></mjml>';
  await templates.create({ key: 'receipt', subject: 'Thank you, {{name}}', body });
  await templates.publish({ key: 'receipt' });
  return { ...bench, streams, lines, narrowKey: await bench.keyWith(['audit:read']) };
}
