// Runs jobs until it is killed: `node holds-process.js LOCATION`. Prints `working` when it has claimed a job, and never
// finishes the job.

import { createHoldsService } from './holds-plugin.ts';
import type { DatabaseLocation } from './mail-service.ts';

const service = createHoldsService(JSON.parse(process.argv[2] ?? '{}') as DatabaseLocation, () => 0, {
  async work() {
    console.log('working');
    await new Promise(() => undefined);
  },
  settled: () => undefined,
});
await service.start();
