// Composes the quickstart's service: everything in one folder, mail kept instead of sent.
import { join } from 'node:path';
import { createService } from 'postrider';
import { localKeyring } from 'postrider/adapters/keyring/local';
import { captureMail } from 'postrider/adapters/mail/capture';
import { sqliteStorage } from 'postrider/adapters/storage/sqlite';
import { standardPlugins } from 'postrider/plugins';

/** The service and the mailbox that its mail is captured in. */
export function composeQuickstart(home: string, publicUrl: string) {
  const mail = captureMail();
  const service = createService({
    plugins: standardPlugins,
    storage: sqliteStorage({ filename: join(home, 'dev.sqlite') }),
    keyring: localKeyring({ file: join(home, 'keyring.json') }),
    mail,
    publicUrl,
    environment: 'development',
    settings: { publicOpenapi: true },
  });
  return { service, mail };
}

export type QuickstartService = ReturnType<typeof composeQuickstart>['service'];
