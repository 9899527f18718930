// Compares the contents of a database and a mail server with the answers that callers got. It only reads. Called at the end of each run
// of the killing test.
import type { SqlResult, StorageAdapter } from '../../core/contract/ports/storage.ts';
import type { SunkMail } from '../support/smtp-sink.ts';
import { deliveryOf, recipientOf } from './mail-service.ts';
import type { JournalEntry } from './worker-plan.ts';

/** The promises that the service must keep: the answers that callers got. */
export interface PromisedDeliveries {
  /** Every key that was ever sent. */
  readonly keys: readonly string[];
  readonly entries: readonly JournalEntry[];
}

/** The findings. The lists contain keys and should be empty. */
export interface DeliveryAccount {
  readonly keys: number;
  /** The number of 202 answers that callers got, and of replays among them. */
  readonly accepted: number;
  readonly replayed: number;
  /** Keys that were accepted, but are missing in the database, or were never delivered to the recipient. */
  readonly lost: readonly string[];
  /** Keys with more or less than one row, record, audit entry, job, event, charge or fact where exactly one is required. */
  readonly doubled: readonly string[];
  /** Messages that arrived after the first message of each send. */
  readonly repeats: number;
  /** Messages whose Message-ID differs from the Message-ID of their send. */
  readonly changedMessageIds: readonly string[];
  /** Delivered twice although the template allows at most once. */
  readonly repeatedAtMostOnce: readonly string[];
  /** At-most-once sends that failed because the outcome of the SMTP attempt was unknown. */
  readonly givenUp: number;
  /** Keys that were answered with two different ids. */
  readonly changedIds: readonly string[];
  /** Answers other than 202, 409 in progress and 503. */
  readonly unexpectedAnswers: readonly string[];
  /** Jobs that are neither done nor failed. */
  readonly unfinished: number;
  /** The highest number of claims of a single job. */
  readonly maxClaims: number;
}

interface SendInfo {
  readonly id: string;
  readonly messageId: string;
  readonly status: string;
  readonly reason: string;
}

/** The counts in the database, by key or by send. */
interface StoredCounts {
  readonly sends: ReadonlyMap<string, readonly SendInfo[]>;
  readonly audits: ReadonlyMap<string, number>;
  readonly records: ReadonlyMap<string, number>;
  readonly jobs: ReadonlyMap<string, number>;
  readonly queuedEvents: ReadonlyMap<string, number>;
  readonly finalEvents: ReadonlyMap<string, number>;
  readonly charges: number;
  readonly unfinished: number;
  readonly maxClaims: number;
}

type SendRow = SqlResult['rows'][number];

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const members = groups.get(key);
    if (members === undefined) groups.set(key, [item]);
    else members.push(item);
  }
  return groups;
}

const countBy = (rows: readonly SendRow[], keyOf: (row: SendRow) => string): Map<string, number> =>
  new Map([...groupBy(rows, keyOf)].map(([key, members]) => [key, members.length]));

const toSend = (row: SendRow): SendInfo & { key: string } => ({
  key: String(row.to_address).replace(/@.*/, ''),
  id: String(row.id),
  messageId: String(row.message_id),
  status: String(row.status),
  reason: String(row.why_not_sent ?? ''),
});

const finalTypes = "('send.sent', 'send.failed', 'send.bounced', 'transactional.suppressed')";

async function readStoredCounts(storage: StorageAdapter): Promise<StoredCounts> {
  const driver = await storage.open();
  const ask = (sql: string) =>
    driver.read(async (connection) => (await connection.query({ sql, parameters: [] })).rows);
  const sends = await ask('select id, message_id, to_address, status, why_not_sent from postrider_sends');
  const audits = await ask("select idempotency_key from postrider_audit where action = 'transactional.send'");
  const records = await ask("select kept.key from postrider_idempotency kept where endpoint like '%/send'");
  const jobs = await ask("select payload, state, attempt from postrider_jobs where kind = 'email.deliver'");
  const queued = await ask("select data from postrider_outbox where type = 'send.queued'");
  const finalRows = await ask(`select send_id from postrider_send_events where type in ${finalTypes}`);
  const [charged] = await ask("select sum(amount) as amount from postrider_budgets where budget = 'sends'");
  await driver.close();
  return {
    sends: groupBy(sends.map(toSend), ({ key }) => key),
    audits: countBy(audits, (row) => String(row.idempotency_key)),
    records: countBy(records, (row) => String(row.key)),
    jobs: countBy(jobs, (row) => (JSON.parse(String(row.payload)) as { sendId: string }).sendId),
    queuedEvents: countBy(queued, (row) => (JSON.parse(String(row.data)) as { id: string }).id),
    finalEvents: countBy(finalRows, (row) => String(row.send_id)),
    charges: Number(charged?.amount ?? 0),
    unfinished: jobs.filter(({ state }) => state !== 'done' && state !== 'failed').length,
    maxClaims: jobs.reduce((max, { attempt }) => Math.max(max, Number(attempt)), 0),
  };
}

/** Lists the kinds of rows of which the key does not have exactly one. */
function wrongCounts(key: string, held: StoredCounts): string[] {
  const sends = held.sends.get(key) ?? [];
  const counts: Record<string, number> = {
    sends: sends.length,
    audits: held.audits.get(key) ?? 0,
    records: held.records.get(key) ?? 0,
  };
  for (const { id } of sends) {
    counts.jobs = held.jobs.get(id) ?? 0;
    counts.events = held.queuedEvents.get(id) ?? 0;
    counts.outcomes = held.finalEvents.get(id) ?? 0;
  }
  return Object.entries(counts).flatMap(([kind, times]) => (times === 1 ? [] : [`${key}: ${times} ${kind}`]));
}

const gaveUp = ({ status, reason }: SendInfo): boolean => status === 'failed' && /at most once/.test(reason);

/** Compares the answers of a run with the database and the messages at the mail server. */
export async function reconcileDeliveries(
  promised: PromisedDeliveries,
  storage: StorageAdapter,
  wire: readonly SunkMail[],
): Promise<DeliveryAccount> {
  const counts = await readStoredCounts(storage);
  const answers = new Map<string, Set<string>>();
  const surprises: string[] = [];
  let accepted = 0;
  let replayed = 0;
  for (const entry of promised.entries) {
    if (entry.kind === 'surprise') surprises.push(`${entry.key}: ${entry.status} ${entry.body}`);
    if (entry.kind !== 'accepted') continue;
    accepted += 1;
    if (entry.replayed) replayed += 1;
    answers.set(entry.key, (answers.get(entry.key) ?? new Set()).add(entry.id));
  }
  const messagesByRecipient = groupBy(wire, ({ recipients }) => recipients[0] ?? '');

  const lostKeys: string[] = [];
  const changedMessageIds: string[] = [];
  const repeatedAtMostOnce: string[] = [];
  let repeats = 0;
  let givenUp = 0;
  for (const key of promised.keys) {
    const sends = counts.sends.get(key) ?? [];
    const messages = messagesByRecipient.get(recipientOf(key)) ?? [];
    const isOnce = deliveryOf(key) === 'at-most-once';
    if (sends.some(gaveUp)) givenUp += 1;
    for (const id of answers.get(key) ?? []) {
      const row = sends.find((one) => one.id === id);
      if (row === undefined) lostKeys.push(`${key}: ${id} is not in the database`);
      else if (messages.length === 0 && !(isOnce && gaveUp(row)))
        lostKeys.push(`${key}: never sent, ${row.status} ${row.reason}`);
    }
    repeats += Math.max(0, messages.length - 1);
    if (isOnce && messages.length > 1) repeatedAtMostOnce.push(key);
    const ids = sends.map(({ messageId }) => `<${messageId}@example.com>`);
    for (const { messageId } of messages) if (!ids.includes(messageId)) changedMessageIds.push(`${key}: ${messageId}`);
  }
  const doubledKeys = [...answers.keys()].flatMap((key) => wrongCounts(key, counts));
  const rows = [...counts.sends.values()].flat().length;
  if (counts.charges !== rows) doubledKeys.push(`${counts.charges} charged for ${rows} sends`);
  return {
    keys: promised.keys.length,
    accepted,
    replayed,
    lost: lostKeys,
    doubled: doubledKeys,
    repeats,
    changedMessageIds,
    repeatedAtMostOnce,
    givenUp,
    changedIds: [...answers].flatMap(([key, ids]) => (ids.size > 1 ? [`${key}: ${[...ids].join(', ')}`] : [])),
    unexpectedAnswers: surprises,
    unfinished: counts.unfinished,
    maxClaims: counts.maxClaims,
  };
}
