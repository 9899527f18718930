/*
 * Workload: sends accepted per second. `npx tsx test/bench/send.ts --rounds 3 --seconds 3 --storage sqlite|postgres`
 */
import { measure, readOptions } from './measure.ts';
import { sendWorkload } from './send-workload.ts';

const options = readOptions();
await measure(sendWorkload(options.storage), options);
