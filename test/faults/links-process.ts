// Visits one short link as fast as possible: `node links-process.js FILE RECORD`. After each redirect it writes a line with the number
// of answered redirects, so that a kill leaves the exact count. Stops cleanly at SIGTERM.
import { writeSync } from 'node:fs';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService } from '../../core/index.ts';
import { linksPlugin } from '../../plugins/links/index.ts';

const [, , filename = '', record = 'buffered'] = process.argv;
const service = createService({
  storage: sqliteStorage({ filename }),
  keyring: localKeyring({ keys: [{ id: 'test', secret: 'a secret for tests only, 32 bytes' }] }),
  plugins: [linksPlugin({ recordClicks: record as 'buffered' })],
});
await service.start();

let answered = 0;
let isEnding = false;
process.once('SIGTERM', () => {
  isEnding = true;
});

const follow = async (): Promise<void> => {
  while (!isEnding) {
    const { status } = await service.dispatch({
      method: 'GET',
      url: '/l/counted',
      headers: { host: 'localhost', 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/125.0' },
      body: undefined,
      address: '192.0.2.1',
    });
    if (status !== 302) throw new Error(`answered ${status}`);
    answered += 1;
    writeSync(1, `${answered}\n`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
};

await Promise.all([follow(), follow(), follow(), follow()]);
await service.stop();
