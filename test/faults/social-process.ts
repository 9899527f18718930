// Publishes what waits in a database until its standard input ends, and kills itself at a moment of the publication:
// `node social-process.js PLACE MOMENT AHEAD`. Moments are counted from 0; -1 for none. Its clock is so many milliseconds ahead.
import { text } from 'node:stream/consumers';
import { storageOf } from './mail-service.ts';
import { socialTestService } from './social-service.ts';

const [, , place = '', moment = '-1', ahead = '0'] = process.argv;
let passed = 0;
const clock = { now: () => Date.now() + Number(ahead) };
const service = socialTestService({ storage: storageOf(JSON.parse(place)), clock }, () => {
  if (passed === Number(moment)) process.kill(process.pid, 'SIGKILL');
  passed += 1;
});
await service.start();
await text(process.stdin);
await service.stop();
