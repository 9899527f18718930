// The service of social-kill.test.ts and social-pause.test.ts, and of the process that the tests kill or stop.
import * as assert from 'uvu/assert';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { captureMail } from '../../adapters/mail/capture.ts';
import { createService } from '../../core/index.ts';
import type { CoreOptions } from '../../core/kernel/options.ts';
import { connectorsPlugin, standardPlugins } from '../../plugins/index.ts';
import { socialPlugin } from '../../plugins/social/index.ts';
import { threadRules } from '../support/social-rules.ts';
import { type StepWatch, serverNetwork } from '../support/social-server.ts';

export const socialTestService = (
  options: Pick<CoreOptions, 'storage' | 'onPhase' | 'clock'>,
  watch: StepWatch = () => undefined,
) =>
  createService({
    keyring: localKeyring({ keys: [{ id: 'test', secret: 'a secret for tests only, 32 bytes' }] }),
    environment: 'development',
    plugins: [
      ...standardPlugins.filter(({ id }) => id !== 'connectors' && (id as string) !== 'social'),
      connectorsPlugin({ providers: [serverNetwork(threadRules, watch)] }),
      socialPlugin(),
    ],
    mail: captureMail(),
    ...options,
  });

/** Creates a workspace with an account on X, which the network at `url` serves. */
export async function workspaceOnX(service: ReturnType<typeof socialTestService>, url: string): Promise<string> {
  await service.migrate();
  const { id } = await service.workspaces.create({ name: 'A', defaultFrom: { email: 'a@example.com', name: 'A' } });
  await service.connectors.create(id, {
    kind: 'social',
    provider: 'x',
    name: 'X',
    credentials: { token: 'a token of the test network' },
    options: { url },
  });
  const { data } = await service.as(id).social.networksRefresh({});
  assert.is(data.length, 1);
  return id;
}
