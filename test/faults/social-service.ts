// The service of social-kill.test.ts and of the process that it kills.
import { localKeyring } from '../../adapters/keyring/local.ts';
import { captureMail } from '../../adapters/mail/capture.ts';
import { createService } from '../../core/index.ts';
import type { CoreOptions } from '../../core/kernel/options.ts';
import { connectorsPlugin, standardPlugins } from '../../plugins/index.ts';
import { socialPlugin } from '../../plugins/social/index.ts';
import { threadRules } from '../support/social-rules.ts';
import type { StepWatch } from '../support/social-server.ts';
import { serverNetwork } from '../support/social-server.ts';

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
