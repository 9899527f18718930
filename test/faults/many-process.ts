// One of several processes on one database: the real service, which works from the first line on its standard input
// until SIGTERM. It accepts no requests. `node many-process.js PLAN`, compiled and started by worker-processes.ts.
import { once } from 'node:events';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import type { MailAdapter } from '../../plugins/email/port/index.ts';
import { createMailService, storageOf } from './mail-service.ts';
import type { ManyPlan, ManyPlant } from './many-plan.ts';
import { slotsPlugin } from './slots-plugin.ts';

const plantEvery = 20;

function withFault(mail: MailAdapter, plant: ManyPlant | undefined): MailAdapter {
  if (plant === undefined) return mail;
  let sentCount = 0;
  return {
    id: mail.id,
    capabilities: mail.capabilities,
    async send(message, options) {
      const isCode = JSON.stringify(message.to).includes('once-');
      if (!isCode) sentCount += 1;
      const isSpoiled = !isCode && sentCount % plantEvery === 0;
      if (isSpoiled && plant === 'swallow') return {};
      if (isSpoiled) await mail.send(message, options);
      return mail.send(message, options);
    },
    close: () => mail.close(),
  };
}

async function work({ database, smtpPort, leaseMs, plant, slotMs }: ManyPlan): Promise<void> {
  const mail = smtpMail({ host: '127.0.0.1', port: smtpPort, tls: { rejectUnauthorized: false } });
  const service = createMailService({
    storage: storageOf(database),
    mail: withFault(mail, plant),
    settings: { jobLeaseMs: leaseMs },
    ...(slotMs !== undefined && { morePlugins: [slotsPlugin(storageOf(database), slotMs)] }),
  });
  console.log('loaded');
  await once(process.stdin, 'data');
  process.stdin.destroy();
  process.once('SIGTERM', () => void service.stop());
  await service.start();
  console.log('ready');
}

await work(JSON.parse(process.argv[2] ?? '{}') as ManyPlan);
