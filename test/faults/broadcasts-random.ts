// Sends one broadcast over several processes that are killed with SIGKILL at random, each replaced by a new one, and accounts for each
// recipient at a real mail server. Called by test/bench/broadcasts.ts.
import { setTimeout as pause } from 'node:timers/promises';
import { SmtpSink } from '../support/smtp-sink.ts';
import { accountOf, type BroadcastAccount, openBroadcast, waitForStatus } from './broadcasts-run.ts';
import { type DatabaseKind, withDatabase } from './databases.ts';
import { startProcess } from './doomed-processes.ts';
import { createChance, repeatsPerKill } from './kill-run.ts';
import type { DatabaseLocation } from './mail-service.ts';

/** The plan of a run. */
export interface RandomKills {
  readonly contacts: number;
  readonly processes: number;
  readonly kills: number;
  readonly seed: string;
}

/** The account of a run, with its time and the maximum number of repeats that its kills allow. */
export interface RandomAccount extends Omit<BroadcastAccount, 'whilePaused'> {
  readonly seconds: number;
  readonly repeatsAllowed: number;
}

/** The lease is longer than in tests of single kills, because many processes share the machine for a long time. */
const leaseMs = 15_000;
const stuckMs = 600_000;

/** The times of the kills: first after fixed times, while the audience is stored; then by the number of mails that have arrived. */
function planKills({ contacts, kills, seed }: RandomKills) {
  const chance = createChance(seed);
  const early = Math.min(5, Math.floor(kills / 10));
  const share = () => chance(0, 9_800) / 10_000;
  return {
    chance,
    early: Array.from({ length: early }, () => chance(200, 3_000)),
    late: Array.from({ length: kills - early }, () => Math.floor(share() * contacts)).sort((one, other) => one - other),
  };
}

async function runAt(database: DatabaseLocation, plan: RandomKills): Promise<RandomAccount> {
  const sink = await SmtpSink.start();
  const broadcast = await openBroadcast(database, plan.contacts);
  const start = () => startProcess({ database, leaseMs, smtpPort: sink.port });
  const members: ReturnType<typeof startProcess>[] = [];
  try {
    const { chance, early, late } = planKills(plan);
    const began = performance.now();
    for (let index = 0; index < plan.processes; index += 1) members.push(start());
    let kills = 0;
    const killOne = async (): Promise<void> => {
      const index = chance(0, members.length - 1);
      const victim = members[index];
      victim?.child.kill('SIGKILL');
      await victim?.closed;
      members[index] = start();
      kills += 1;
    };
    for (const ms of early) {
      await pause(ms);
      await killOne();
    }
    for (const deliveredAtLastKill of late) {
      await sink.until(({ messages }) => messages.length >= deliveredAtLastKill, stuckMs);
      // A random pause, so that kills do not always happen when a mail arrives.
      await pause(chance(0, 200));
      await killOne();
    }
    await sink.until(({ messages }) => messages.length >= plan.contacts, 6 * stuckMs);
    await waitForStatus(broadcast.calls, broadcast.broadcastId, ['sent']);
    const seconds = Math.round((performance.now() - began) / 1_000);
    return { ...(await accountOf(broadcast, sink)), kills, seconds, repeatsAllowed: kills * repeatsPerKill };
  } finally {
    for (const { child } of members) child.kill('SIGTERM');
    await Promise.all(members.map(({ closed }) => closed));
    await broadcast.service.stop();
    await sink.stop();
  }
}

/** Sends one broadcast over processes that are killed at random. */
export const runBroadcastWithRandomKills = (kind: DatabaseKind, plan: RandomKills): Promise<RandomAccount> =>
  withDatabase(kind, (location) => runAt(location, plan));
