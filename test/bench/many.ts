/*
 * Four processes on one database with a queued batch, two of them killed in the middle, and login codes meanwhile.
 * `npx tsx test/bench/many.ts [--kind postgres|mariadb] [--sends 20000] [--kills 2] [--answer 20] [--lease 10000]`
 * `--answer`: how long the mail server waits before it answers; `--lease`: the lease of a job. Both in milliseconds.
 * The same run as test/faults/many.test.ts, which checks the guarantees. This file prints the figures.
 */
import { parseArgs } from 'node:util';
import { runManyProcesses, summaryOf } from '../faults/many-run.ts';

const { values } = parseArgs({
  options: {
    kind: { type: 'string', default: 'postgres' },
    sends: { type: 'string', default: '20000' },
    kills: { type: 'string', default: '2' },
    answer: { type: 'string', default: '20' },
    lease: { type: 'string', default: '10000' },
  },
});
const kind = values.kind === 'mariadb' ? 'mariadb' : 'postgres';
const startedAt = performance.now();
const result = await runManyProcesses({
  kind,
  sends: Number(values.sends),
  processes: 4,
  kills: Number(values.kills),
  answerMs: Number(values.answer),
  leaseMs: Number(values.lease),
});
console.log(summaryOf(kind, result));
console.log(
  JSON.stringify({
    workload: 'many processes',
    kind,
    sends: result.accepted,
    seconds: Math.round((performance.now() - startedAt) / 1_000),
    kills: result.kills,
    lost: result.lost.length,
    doubled: result.doubled.length,
    repeats: result.repeats,
    foreign_message_ids: result.changedMessageIds.length,
    given_up: result.givenUp,
    unfinished: result.unfinished,
    errors: result.errors.length,
    rates: result.rates,
    codes_ms: result.codesMs,
  }),
);
