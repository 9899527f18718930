// The service of sms-kill.test.ts and of the process that the test kills.

import { localKeyring } from '../../adapters/keyring/local.ts';
import { captureMail } from '../../adapters/mail/capture.ts';
import { createService } from '../../core/index.ts';
import type { CoreOptions } from '../../core/kernel/options.ts';
import { standardPlugins } from '../../plugins/index.ts';
import type { SmsAdapter } from '../../plugins/sms/port/index.ts';

export const smsTestService = (
  options: Pick<CoreOptions, 'storage' | 'onPhase' | 'clock'> & { readonly sms: SmsAdapter },
) =>
  createService({
    keyring: localKeyring({ keys: [{ id: 'test', secret: 'a secret for tests only, 32 bytes' }] }),
    environment: 'development',
    plugins: standardPlugins,
    mail: captureMail(),
    ...options,
  });
