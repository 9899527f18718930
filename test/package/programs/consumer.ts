// Type-checked against the installed package, including its declarations: a TypeScript program that uses it.
import { createService, definePlugin, type EventMap, type HttpRequest, isPostriderError } from 'postrider';
import { localKeyring } from 'postrider/adapters/keyring/local';
import { captureMail } from 'postrider/adapters/mail/capture';
import { sqliteStorage } from 'postrider/adapters/storage/sqlite';
import { standardPlugins } from 'postrider/plugins';
import type { MailAdapter } from 'postrider/plugins/email/port';
import { createTestService } from 'postrider/testing';
import { late } from './late-plugin.js';

declare module 'postrider/open' {
  interface Api {
    early: { readonly early: { readonly call: () => Promise<'early'> } };
  }
}

const early = definePlugin({ id: 'early' });
export const knownEvent: keyof EventMap = 'send.bounced';

const mail: MailAdapter = captureMail();
const service = createService({
  plugins: [...standardPlugins, early, late],
  storage: sqliteStorage({ filename: ':memory:' }),
  keyring: localKeyring({ keys: [{ id: 'a', secret: 'a secret of thirty-two characters' }] }),
  mail,
});

export async function program(request: HttpRequest): Promise<string> {
  const { status } = await service.dispatch(request);
  const calls = service.as('ws_1');
  const send = await calls.email.send({ template: 'hello', to: 'ada@example.com', variables: { name: 'Ada' } });
  const earlyOrLate: 'early' | 'late' = Math.random() > 1 ? await calls.early.call() : await calls.late.call();
  // @ts-expect-error a send needs a recipient
  await calls.email.send({ template: 'hello' });
  // @ts-expect-error there is no such area
  calls.nowhere;
  const kit = await createTestService({ plugins: standardPlugins });
  await kit.close();
  return isPostriderError(status, 'template_not_found') ? 'refused' : `${send.id} ${send.status} ${earlyOrLate}`;
}
