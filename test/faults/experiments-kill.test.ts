// time-limit: 600
// Processes are killed with SIGKILL while they decide the experiment of a broadcast, and while they continue with the recipients who
// waited for the decision. The experiment is decided once, each recipient has exactly one send, and everybody outside of the sample gets the chosen
// variant.
// full-run: kill
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Service } from '../../core/kernel/compose.ts';
import type { standardPlugins } from '../../plugins/index.ts';
import { createAudience, schedule, waitForStatus } from './broadcasts-run.ts';
import { type DatabaseKind, databaseKinds, withDatabase } from './databases.ts';
import { doomedProcesses, everywhere, type PlannedKill } from './doomed-processes.ts';
import { createMailService, type DatabaseLocation, seed, storageOf } from './mail-service.ts';

const test = suite('experiments when processes are killed');
const contacts = 1_200;

const experiment = {
  variants: [{ name: 'A' }, { name: 'B', subject: 'Also for {{number}}' }],
  samplePercent: 20,
  metric: 'human_clicks' as const,
  decideAfter: 'PT3S',
  minimum: 50,
};

const kills: readonly PlannedKill[] = [
  // Before the decision commits, and between the decision and the next step.
  { phase: 'broadcasts.deciding', occurrence: 1 },
  { phase: 'broadcasts.deciding', occurrence: 1 },
  // The waiting recipients continue: before a commit, and after a commit.
  { phase: 'broadcasts.releasing', occurrence: 1 },
  { phase: 'broadcasts.releasing', occurrence: 2 },
];

async function runAt(database: DatabaseLocation) {
  const service = createMailService({ storage: storageOf(database) }) as unknown as Service<never>;
  try {
    const { workspaceId } = await seed(service as unknown as Service);
    const calls = (service as unknown as Service<(typeof standardPlugins)[number]['id']>).as(workspaceId);
    const listId = await createAudience(service, calls, workspaceId, contacts);
    const broadcastId = await schedule(calls, listId, { experiment });
    const processes = doomedProcesses(service, database);
    let killedCount = 0;
    for (const kill of kills) killedCount += await processes.kill([kill]);
    await processes.finish();
    await waitForStatus(calls, broadcastId, ['sent']);
    return { killed: killedCount, ...(await accountOf(service, calls, broadcastId)) };
  } finally {
    await service.stop();
  }
}

async function accountOf(
  service: Service<never>,
  calls: ReturnType<Service<(typeof standardPlugins)[number]['id']>['as']>,
  broadcastId: string,
) {
  const { counts, experiment: outcome } = await calls.broadcasts.read({ broadcastId });
  const database = await service.core.database();
  const { sends, recipients } = await database.read(everywhere, async ({ db }) => ({
    sends: await db.selectFrom('sends').select('to_normalised').execute(),
    recipients: await db.selectFrom('broadcast_recipients').select(['address', 'state', 'variant']).execute(),
  }));
  const { data } = await calls.audit.list({ limit: 100 });
  return {
    status: outcome?.status,
    sampled: outcome?.decision?.variants.map(({ recipients: count }) => count) ?? [],
    decisions: data.filter(({ action }) => action === 'broadcast.decide').length,
    accepted: counts.accepted,
    waiting: counts.waiting,
    sends: sends.length,
    addresses: new Set(sends.map(({ to_normalised: to }) => to)).size,
    states: [...new Set(recipients.map(({ state }) => state))],
    variants: ['A', 'B'].map((name) => recipients.filter(({ variant }) => variant === name).length),
  };
}

const runOn = (kind: DatabaseKind) => withDatabase(kind, runAt);

for (const kind of await databaseKinds())
  test(`an experiment is decided once on ${kind}`, async () => {
    const { killed, sampled, variants, ...account } = await runOn(kind);
    console.log(`# ${kind}: ${killed} killed, samples of ${sampled.join(' and ')}`);
    assert.ok(killed >= 3, `only ${killed} of the processes reached their phase`);
    assert.equal(account, {
      status: 'no_winner',
      decisions: 1,
      accepted: contacts,
      waiting: 0,
      sends: contacts,
      addresses: contacts,
      states: ['handed_over'],
    });
    const [sampleOfA = 0, sampleOfB = 0] = sampled;
    assert.ok(sampleOfA > 80 && sampleOfB > 80);
    // Nobody has clicked, so everybody outside of the sample gets the first variant.
    assert.equal(variants, [contacts - sampleOfB, sampleOfB]);
  });

test.run();
