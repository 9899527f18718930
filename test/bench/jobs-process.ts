/*
 * One release, or the floor, that runs queued work in a separate process, in rounds that jobs.ts requests. Reports the time, the
 * processor time and the counts of each round. Queueing is not measured. It also runs in checkouts of other releases, so it uses only
 * features that all of them have.
 */
import { countEverything, counts } from './counted.ts';

countEverything();

/** The arguments that jobs.ts passes. */
export interface JobsRunOptions {
  readonly work: 'mail' | 'noop' | 'hooks';
  readonly storage: 'sqlite' | 'postgres';
  /** The file of SQLite, or the address of a database. */
  readonly location: string;
  /** The port of the receiver. */
  readonly port: number;
  readonly subscriptions: number;
  readonly isFloor: boolean;
}

/** A contestant: queues units, and then runs them. */
export interface JobsContestant {
  queue(units: number): Promise<void>;
  run(units: number): Promise<void>;
  close(): Promise<void>;
}

const options = JSON.parse(process.argv[2] ?? '') as JobsRunOptions;
const { createContestant } = (await import(options.isFloor ? './floors/jobs-by-hand.ts' : './jobs-service.ts')) as {
  createContestant: (order: JobsRunOptions) => Promise<JobsContestant>;
};
const contestant = await createContestant(options);

async function runRound(units: number) {
  await contestant.queue(units);
  const first = { ...counts };
  const usedBefore = process.cpuUsage();
  const began = performance.now();
  await contestant.run(units);
  const ms = performance.now() - began;
  const { user, system } = process.cpuUsage(usedBefore);
  const countedPairs = Object.entries(counts).map(([name, value]) => [name, value - first[name as keyof typeof first]]);
  return { ms, processor: user + system, ...(Object.fromEntries(countedPairs) as typeof counts) };
}

process.on('message', async (message: number | 'end') => {
  if (message !== 'end') {
    process.send?.(await runRound(message));
    return;
  }
  await contestant.close();
  process.disconnect();
});
process.send?.('ready');
