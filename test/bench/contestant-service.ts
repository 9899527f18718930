/*
 * Postrider as a contestant sets it up: standard plugins, production settings, limits that are never reached, the receipt
 * published. No delivery runs. Called by the contestants.
 */

import { localKeyring } from '../../adapters/keyring/local.ts';
import { captureMail } from '../../adapters/mail/capture.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService } from '../../core/index.ts';
import { subscribeToAllEvents } from '../../hosts/testing/subscribe-to-all-events.ts';
import { standardPlugins } from '../../plugins/index.ts';
import type { ContestantSettings } from './contestant.ts';
import { defaultFrom, receiptHtml, subject, suppressedAddress, templateKey, variablesSchema } from './mail-fixture.ts';

const highLimits = { keyRate: 1e6, keyBurst: 2e6, workspacePerMinute: 1e9, monthlySendBudget: 1e9 };

const counts = {
  send: 'select count(*) from postrider_sends',
  timeline: 'select count(*) from postrider_send_events',
  job: "select count(*) from postrider_jobs where kind = 'email.deliver'",
  event: "select count(*) from postrider_outbox where type in ('send.queued', 'transactional.suppressed')",
  audit: "select count(*) from postrider_audit where action = 'transactional.send'",
  idempotency: 'select count(*) from postrider_idempotency',
};

/** Composes, migrates and seeds the service. */
export async function createContestantService(settings: ContestantSettings) {
  const service = createService({
    storage:
      settings.storage === 'sqlite'
        ? sqliteStorage({ filename: settings.databasePath })
        : postgresStorage({ connectionString: settings.databaseUrl }),
    plugins: standardPlugins,
    mail: captureMail(),
    keyring: localKeyring({ keys: [{ id: 'bench', secret: 'a secret for the bench only, 32 b.' }] }),
    environment: 'production',
    plans: { pro: highLimits },
  });
  await service.migrate();
  const workspaces: string[] = [];
  for (let index = 0; index < settings.workspaces; index += 1) {
    const { id } = await service.workspaces.create({ name: `Bench ${index}`, plan: 'pro', defaultFrom });
    await subscribeToAllEvents(service, id);
    const api = service.as(id);
    await api.templates.create({
      key: templateKey,
      mode: 'html',
      subject,
      body: receiptHtml,
      variables: variablesSchema,
    });
    await api.templates.publish({ key: templateKey });
    await api.suppressions.create({ email: suppressedAddress });
    workspaces.push(id);
  }
  const keys: string[] = [];
  for (let index = 0; index < settings.keys; index += 1) {
    const workspaceId = workspaces[index % workspaces.length] as string;
    const scopes = ['templates:send', 'workspace:read'];
    keys.push((await service.keys.create({ workspaceId, name: `bench ${index}`, scopes })).secret);
  }
  const { driver } = await service.core.database();
  const description = await driver.describe();
  return { service, keys, counts, durability: description };
}
