/*
 * An hour of ordinary load on PostgreSQL, with the memory of the process at each minute: sends over HTTP, their webhooks, clicks on a
 * short link, and contacts that enter a sequence.
 * `npx tsx test/bench/hour.ts [--minutes 60] [--sends 20] [--clicks 20] [--events 5]`: sends, clicks and events are for each second.
 * Memory is level if the heap after a collection grows by less than a tenth from the second quarter to the last.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { dataFolder } from './contestant-process.ts';
import { describeMachine } from './machine.ts';
import { receiptVariables, templateKey } from './mail-fixture.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    sends: { type: 'string', default: '20' },
    clicks: { type: 'string', default: '20' },
    events: { type: 'string', default: '5' },
  },
});
const minutes = Number(values.minutes);
const perSecond = { sends: Number(values.sends), clicks: Number(values.clicks), events: Number(values.events) };

interface Memory {
  readonly rssMb: number;
  readonly heapMb: number;
  readonly externalMb: number;
  readonly processor: number;
}

interface Counts {
  readonly sends: number;
  readonly delivered: number;
  readonly deliveries: number;
  readonly runs: number;
  readonly unfinishedJobs: number;
}

async function askChild<Answer>(child: ChildProcess, question: unknown): Promise<Answer> {
  const answer = once(child, 'message');
  child.send(question as string);
  return (await answer)[0] as Answer;
}

async function started(file: string, environment: NodeJS.ProcessEnv = {}) {
  const child = fork(new URL(file, import.meta.url), {
    execArgv: ['--import', 'tsx', '--expose-gc'],
    env: { ...process.env, ...environment },
  });
  process.once('exit', () => child.kill());
  child.once('exit', (code) => code !== 0 && process.exit(1));
  return { child, message: (await once(child, 'message'))[0] as unknown };
}

console.log(JSON.stringify(await describeMachine(dataFolder)));
const mail = await started('./floors/mail-sink.ts');
const hooks = await started('./floors/webhook-sink.ts');
const service = await started('./hour-service.ts', {
  MAIL_PORT: String(mail.message),
  HOOK_PORT: String(hooks.message),
});
const { port, secret } = service.message as { port: number; secret: string };
const url = `http://127.0.0.1:${port}`;
const dispatcher = new Agent({ connections: 16 });
const failed = new Map<string, number>();
const accepted = { sends: 0, clicks: 0, events: 0 };

async function call(kind: keyof typeof accepted, path: string, body?: object): Promise<void> {
  try {
    const response = await request(`${url}${path}`, {
      dispatcher,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36',
        ...(body === undefined
          ? {}
          : {
              authorization: `Bearer ${secret}`,
              'content-type': 'application/json',
              'idempotency-key': crypto.randomUUID(),
            }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.body.text();
    if (response.statusCode < 400) accepted[kind] += 1;
    else throw new Error(`${response.statusCode} ${text.slice(0, 120)}`);
  } catch (error) {
    const reason = `${kind}: ${(error as Error).message}`;
    failed.set(reason, (failed.get(reason) ?? 0) + 1);
  }
}

let people = 0;
function nextPerson(): number {
  people += 1;
  return people;
}
const work = {
  sends: () => {
    const person = nextPerson();
    return call('sends', `/v1/templates/${templateKey}/send`, {
      to: `person${person}@example.org`,
      variables: receiptVariables(String(person)),
    });
  },
  clicks: () => call('clicks', '/l/spring'),
  events: () =>
    call('events', '/v1/events', { type: 'signed_up', contact: { email: `new${nextPerson()}@example.org` } }),
};

const end = Date.now() + minutes * 60_000;
const loads = (Object.keys(work) as (keyof typeof work)[]).map(async (kind) => {
  const pauseMs = 1_000 / perSecond[kind];
  for (let next = Date.now(); next < end; next += pauseMs) {
    await sleep(Math.max(0, next - Date.now()));
    void work[kind]();
  }
});

const seen: Memory[] = [];
console.log('minute  resident MB  heap MB  external MB  processor s');
for (let minute = 0; minute <= minutes; minute += 1) {
  await sleep(Math.max(0, end - (minutes - minute) * 60_000 - Date.now()));
  const memory = await askChild<Memory>(service.child, 'memory');
  seen.push(memory);
  const cells = [minute, memory.rssMb, memory.heapMb, memory.externalMb, memory.processor];
  console.log(cells.map((cell, index) => String(cell).padStart(index === 0 ? 6 : 12)).join(''));
}
await Promise.all(loads);
// Each run waits for a minute before its mail. Afterwards the remaining mails are delivered.
await sleep(70_000);
const lastLoad = Date.now();
let counts = await askChild<Counts>(service.child, 'counts');
while (counts.unfinishedJobs > 0 && Date.now() - lastLoad < 900_000) {
  await sleep(5_000);
  counts = await askChild<Counts>(service.child, 'counts');
}
const catchUpSeconds = Math.round((Date.now() - lastLoad) / 1_000);

const mean = (list: readonly Memory[]): number => list.reduce((sum, { heapMb }) => sum + heapMb, 0) / list.length;
const quarter = Math.ceil(seen.length / 4);
const [early, late] = [mean(seen.slice(quarter, 2 * quarter)), mean(seen.slice(-quarter))];
console.log(
  JSON.stringify({
    workload: 'hour',
    minutes,
    accepted,
    failed: Object.fromEntries(failed),
    atTheMailServer: await askChild<number>(mail.child, 'count'),
    ...counts,
    catchUpSeconds,
    heapMb: { secondQuarter: early, lastQuarter: late, ratio: late / early },
    level: late / early < 1.1,
  }),
);
await dispatcher.close();
service.child.send('stop');
await once(service.child, 'exit');
process.exit(0);
