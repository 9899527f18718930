// Sends one broadcast over processes that are killed at every named phase, pauses and resumes it meanwhile, and accounts for each
// recipient at a real mail server. Called by broadcasts-kill.test.ts.
import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import type { Service } from '../../core/kernel/compose.ts';
import { inWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { upsertContacts } from '../../plugins/contacts/upsert-contacts.ts';
import type { standardPlugins } from '../../plugins/index.ts';
import { SmtpSink } from '../support/smtp-sink.ts';
import { type DatabaseKind, withDatabase } from './databases.ts';
import { doomedProcesses, everywhere, type PlannedKill, startProcess, untilDone } from './doomed-processes.ts';
import { createMailService, type DatabaseLocation, seed, storageOf } from './mail-service.ts';

type Calls = ReturnType<Service<(typeof standardPlugins)[number]['id']>['as']>;

const inBatch = 500;
const leaseMs = 6_000;
const deadlineMs = 240_000;

/** The account of a run. */
export interface BroadcastAccount {
  readonly kills: number;
  readonly status: string;
  /** The counts of the broadcast. */
  readonly counts: { readonly audience: number; readonly recipients: number; readonly accepted: number };
  /** Addresses that do not have exactly one send. */
  readonly wrongSends: readonly string[];
  /** Recipients by their state. */
  readonly states: Readonly<Record<string, number>>;
  /** Distinct Message-IDs and distinct addresses at the mail server. */
  readonly messageIds: number;
  readonly addresses: number;
  /** Messages that the mail server got again. */
  readonly repeats: number;
  /** Messages that the mail server got while the broadcast was paused, after the last job had ended. */
  readonly whilePaused: number;
}

/** The kills of a run. */
export interface BroadcastKills {
  /** Waves of kills, one after another, while the audience is stored and mails are accepted and handed over. */
  readonly waves: readonly (readonly PlannedKill[])[];
  /** While the broadcast is paused. */
  readonly claiming: readonly PlannedKill[];
  /** While the mails of a paused broadcast are delayed. */
  readonly pausing: readonly PlannedKill[];
}

/** Creates a list with this many members. Returns its id. */
export async function createAudience(
  service: Service<never>,
  calls: Calls,
  workspaceId: string,
  total: number,
): Promise<string> {
  const workspace = await service.workspaces.read(workspaceId);
  const { listId } = await calls.lists.create({ name: 'Readers' });
  for (let from = 0; from < total; from += inBatch) {
    const patches = Array.from({ length: Math.min(inBatch, total - from) }, (_, index) => ({
      reference: { email: `p${from + index}@example.net` },
      attributes: { number: from + index },
    }));
    await inWorkspace(service.core, workspace, (ctx) => upsertContacts(ctx, patches));
  }
  const database = await service.core.database();
  const rows = await database.read(everywhere, ({ db }) => db.selectFrom('contacts').select('id').execute());
  const contactIds = rows.map(({ id }) => id);
  for (let from = 0; from < total; from += 10_000)
    await calls.lists.membersAdd({ listId, contactIds: contactIds.slice(from, from + 10_000) });
  return listId;
}

type Draft = Partial<Parameters<Calls['broadcasts']['create']>[0]>;

/** Schedules a broadcast to a list. Returns its id. */
export async function schedule(calls: Calls, listId: string, fields: Draft = {}): Promise<string> {
  await calls.brand.create({ name: 'Faults', postal_address: 'Faults Ltd' });
  const body = '<p>Number {{number}}</p><a href="%unsubscribe_url%">Unsubscribe</a>';
  await calls.templates.create({ key: 'letter', category: 'marketing', mode: 'html', subject: 'For {{number}}', body });
  await calls.templates.publish({ key: 'letter' });
  const { broadcastId } = await calls.broadcasts.create({
    name: 'Letter',
    templateKey: 'letter',
    variables: { number: 'no. {{ contact.attributes.number }}' },
    audience: { include: [{ listId }] },
    ...fields,
  });
  await calls.broadcasts.schedule({ broadcastId });
  return broadcastId;
}

/** Waits until this many more messages have arrived. */
async function waitForMessages(sink: SmtpSink, count: number): Promise<void> {
  const before = sink.messages.length;
  await sink.until(({ messages }) => messages.length >= before + count, deadlineMs);
}

/** Repeats a call while the service cannot answer, because a killed process may leave locks for some seconds. */
async function repeatUntilAnswered<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1)
    try {
      return await call();
    } catch (error) {
      if ((error as { code?: string }).code !== 'service_unavailable' || tries > 60) throw error;
      await pause(1_000);
    }
}

/** Waits until this many recipients have the state. */
async function waitForRecipients(service: Service<never>, state: 'queued' | 'parked', count: number): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  const database = await service.core.database();
  for (let found = 0; found < count; await pause(20)) {
    const rows = await database.read(everywhere, ({ db }) =>
      db.selectFrom('broadcast_recipients').select('id').where('state', '=', state).limit(count).execute(),
    );
    found = rows.length;
    if (performance.now() > deadline) throw new Error(`Only ${found} of ${count} recipients are ${state}.`);
  }
}

/** Waits until the broadcast has one of these states. Returns it. */
export async function waitForStatus(calls: Calls, broadcastId: string, statuses: readonly string[]): Promise<string> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const { status } = await repeatUntilAnswered(() => calls.broadcasts.read({ broadcastId }));
    if (statuses.includes(status)) return status;
    if (performance.now() > deadline) throw new Error(`The broadcast is still ${status}.`);
    await pause(200);
  }
}

/** A service with a scheduled broadcast. It runs no jobs itself. */
export async function openBroadcast(database: DatabaseLocation, total: number) {
  const service = createMailService({ storage: storageOf(database) }) as unknown as Service<never>;
  const { workspaceId } = await seed(service as unknown as Service);
  const calls = (service as unknown as Service<(typeof standardPlugins)[number]['id']>).as(workspaceId);
  const broadcastId = await schedule(calls, await createAudience(service, calls, workspaceId, total));
  return { service, calls, workspaceId, broadcastId };
}

type OpenedBroadcast = Awaited<ReturnType<typeof openBroadcast>>;

/** Resumes while only some mails are delayed: first in a process that dies before its commit. Then pauses again. */
async function resumeTwice(database: DatabaseLocation, broadcast: OpenedBroadcast, sink: SmtpSink) {
  const { service, calls, workspaceId, broadcastId } = broadcast;
  await waitForRecipients(service, 'parked', 2);
  const resuming = { phase: 'broadcasts.resuming', occurrence: 1 } as const;
  const plan = { database, leaseMs, kill: resuming, smtpPort: sink.port, resume: { workspaceId, broadcastId } };
  const [, signal] = await startProcess(plan).closed;
  assert.is(await waitForStatus(calls, broadcastId, ['paused', 'sending']), 'paused');
  await repeatUntilAnswered(() => calls.broadcasts.resume({ broadcastId }));
  await repeatUntilAnswered(() => calls.broadcasts.pause({ broadcastId }));
  // Each mail whose hand-over had begun has arrived, and every other mail is delayed.
  await untilDone(service);
  const before = sink.messages.length;
  await pause(1_000);
  const whilePaused = sink.messages.length - before;
  await repeatUntilAnswered(() => calls.broadcasts.resume({ broadcastId }));
  return { killed: signal === 'SIGKILL' ? 1 : 0, whilePaused };
}

async function runAt(database: DatabaseLocation, kills: BroadcastKills, total: number): Promise<BroadcastAccount> {
  const broadcast = await openBroadcast(database, total);
  const { service, calls, broadcastId } = broadcast;
  const sink = await SmtpSink.start();
  try {
    const processes = doomedProcesses(service, database, [], sink.port);
    let killedCount = 0;
    for (const wave of kills.waves) killedCount += await processes.kill(wave);
    // Paused while processes accept mails and hand them over. The mail server is slow, so that many accepted mails wait for it.
    sink.answerMs = 500;
    const claiming = processes.kill(kills.claiming);
    await waitForMessages(sink, 1);
    await waitForRecipients(service, 'queued', 20);
    await repeatUntilAnswered(() => calls.broadcasts.pause({ broadcastId }));
    sink.answerMs = 0;
    killedCount += await claiming;
    killedCount += await processes.kill(kills.pausing);
    let between = { killed: 0, whilePaused: -1 };
    await processes.finish(async () => {
      between = await resumeTwice(database, broadcast, sink);
    });
    killedCount += between.killed;
    await waitForStatus(calls, broadcastId, ['sent']);
    return { ...(await accountOf(broadcast, sink)), kills: killedCount, whilePaused: between.whilePaused };
  } finally {
    await service.stop();
    await sink.stop();
  }
}

/** The sends and recipients in the database. */
async function readBroadcast(service: Service<never>) {
  const database = await service.core.database();
  const { sends, recipients } = await database.read(everywhere, async ({ db }) => ({
    sends: await db.selectFrom('sends').select(['to_normalised', 'message_id']).execute(),
    recipients: await db.selectFrom('broadcast_recipients').select(['address', 'state']).execute(),
  }));
  const states: Record<string, number> = {};
  for (const { state } of recipients) states[state] = (states[state] ?? 0) + 1;
  return { sends, recipients, states };
}

/** Accounts for each recipient: its sends in the database, and its messages at the mail server. */
export async function accountOf(
  { service, calls, broadcastId }: Pick<OpenedBroadcast, 'service' | 'calls' | 'broadcastId'>,
  sink: SmtpSink,
) {
  const { status, counts } = await calls.broadcasts.read({ broadcastId });
  const { sends, recipients, states } = await readBroadcast(service);
  const perAddress = new Map(recipients.map(({ address }) => [address ?? '', 0]));
  for (const { to_normalised: to } of sends) perAddress.set(to, (perAddress.get(to) ?? 0) + 1);
  const ids = sink.messages.map(({ messageId }) => messageId);
  const { audience, recipients: all, accepted } = counts;
  return {
    status,
    counts: { audience, recipients: all, accepted },
    wrongSends: [...perAddress].flatMap(([address, times]) => (times === 1 ? [] : [address])),
    states,
    messageIds: new Set(ids).size,
    addresses: new Set(sink.messages.flatMap(({ recipients: to }) => to)).size,
    repeats: ids.length - new Set(ids).size,
  };
}

/** The account of a run that ends with a cancel. */
export interface CancelAccount {
  readonly kills: number;
  readonly status: string;
  readonly counts: { readonly audience: number; readonly accepted: number; readonly canceled: number };
  /** Recipients by their state. */
  readonly states: Readonly<Record<string, number>>;
  /** Addresses that got no mail although it counts as handed over. */
  readonly missing: readonly string[];
  /** The number of canceled recipients who got mail, because a process died between the answer of the server and its own record. */
  readonly unrecorded: number;
}

async function cancelAt(database: DatabaseLocation, total: number): Promise<CancelAccount> {
  const broadcast = await openBroadcast(database, total);
  const { service, calls, broadcastId } = broadcast;
  const sink = await SmtpSink.start();
  try {
    const processes = doomedProcesses(service, database, [], sink.port);
    // The process that cancels the recipients dies, so that the next process has to continue the work.
    const handing = { phase: 'mail.handed_over', occurrence: 60 } as const;
    const canceling = { phase: 'broadcasts.canceling', occurrence: 1, or: handing } as const;
    const dying = processes.kill([canceling, canceling]);
    await waitForMessages(sink, 30);
    await repeatUntilAnswered(() => calls.broadcasts.cancel({ broadcastId }));
    const kills = (await dying) + (await processes.kill([{ phase: 'broadcasts.canceling', occurrence: 2 }]));
    await processes.finish();
    const { status, counts } = await calls.broadcasts.read({ broadcastId });
    const stored = await readBroadcast(service);
    const addressesWithMail = new Set(sink.messages.flatMap(({ recipients }) => recipients));
    const hasMail = (address: string | null): boolean => addressesWithMail.has(address ?? '');
    const missing = stored.recipients.filter(({ address, state }) => state === 'handed_over' && !hasMail(address));
    const unrecorded = stored.recipients.filter(({ address, state }) => state === 'canceled' && hasMail(address));
    return {
      kills,
      status,
      counts: { audience: counts.audience, accepted: counts.accepted, canceled: counts.canceled },
      states: stored.states,
      missing: missing.map(({ address }) => address ?? ''),
      unrecorded: unrecorded.length,
    };
  } finally {
    await service.stop();
    await sink.stop();
  }
}

/** Cancels a broadcast to `contacts` contacts while processes that hand its mails over are killed. */
export const runCanceledBroadcast = (kind: DatabaseKind, contacts: number): Promise<CancelAccount> =>
  withDatabase(kind, (location) => cancelAt(location, contacts));

/** Sends one broadcast to `contacts` contacts. */
export const runBroadcasts = (kind: DatabaseKind, kills: BroadcastKills, contacts: number): Promise<BroadcastAccount> =>
  withDatabase(kind, (location) => runAt(location, kills, contacts));
