// Publishes the posts that wait in a database until its standard input ends, and stops itself at a moment of the publication:
// `node social-process.js LOCATION MOMENT AHEAD SIGNAL`. Moments are counted from 0; -1 for none. The file AHEAD contains how many
// milliseconds its clock is ahead. SIGKILL ends the process. Before SIGSTOP it prints `paused`.
import { readFileSync, writeSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { storageOf } from './mail-service.ts';
import { socialTestService } from './social-service.ts';

const [, , location = '', moment = '-1', ahead = '', signal = 'SIGKILL'] = process.argv;
let passedMoments = 0;
const clock = { now: () => Date.now() + Number(readFileSync(ahead, 'utf8')) };
const service = socialTestService({ storage: storageOf(JSON.parse(location)), clock }, () => {
  if (passedMoments === Number(moment)) {
    if (signal === 'SIGSTOP') writeSync(1, 'paused\n');
    process.kill(process.pid, signal);
  }
  passedMoments += 1;
});
await service.start();
await text(process.stdin);
await service.stop();
