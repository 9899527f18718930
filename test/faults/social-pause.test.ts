// time-limit: 600
// A process is paused for minutes at any moment of a publication, while another process takes over the publication and finishes
// it. When the first process continues, it makes nothing visible and settles nothing. People see each post exactly once.
// full-run: slow
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isStorageError } from '../../core/contract/ports/storage.ts';
import { createSimulatedClock } from '../../hosts/testing/simulated-clock.ts';
import { compiledSources } from '../support/compiled.ts';
import { startSocialServer } from '../support/social-server.ts';
import { type DatabaseKind, oneKind, withDatabase } from './databases.ts';
import { storageOf } from './mail-service.ts';
import { socialTestService, workspaceOnX } from './social-service.ts';

const test = suite('social publications while a process is paused');
const script = join(await compiledSources(), 'test/faults/social-process.js');

/**
 * An upload and three posts have four moments each: around the record, the request and its answer. This selection has all moments
 * of the first post, and one moment of the upload and of each other post.
 */
const moments = [1, 4, 5, 6, 7, 9, 13];

/** If the process was paused inside a transaction, its locks stay until the server ends it. A worker would try again, too. */
function retryIfBusy(error: unknown): void {
  if (!isStorageError(error) || error.fault !== 'busy') throw error;
}

async function pauseEverywhere(kind: DatabaseKind): Promise<void> {
  const network = await startSocialServer();
  try {
    await withDatabase(kind, async (location, folder) => {
      const clock = createSimulatedClock(Date.now());
      const ahead = join(folder, 'ahead');
      /** Both processes share one clock. */
      const advance = (ms: number): void => {
        clock.advance(ms);
        writeFileSync(ahead, `${clock.now() - Date.now()}`);
      };
      const service = socialTestService({ storage: storageOf(location), clock });
      const id = await workspaceOnX(service, network.url);
      const { social } = service.as(id);
      for (const moment of moments) {
        const texts = ['first', 'second', 'third'].map((part) => `${part} of moment ${moment}`);
        const [caption = '', ...threadTweets] = texts;
        const post = await social.postCreate({ channels: ['x'], caption, threadTweets, publish: true });
        advance(0);
        const args = [script, JSON.stringify(location), `${moment}`, ahead, 'SIGSTOP'];
        const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
        await once(child.stdout, 'data');
        let status: string = post.status;
        for (let turn = 0; turn < 20 && status === 'publishing'; turn += 1) {
          advance(60_000);
          await service.drain().catch(retryIfBusy);
          ({ status } = await social.postRead({ postId: post.id }));
        }
        const finalPost = await social.postRead({ postId: post.id });
        assert.is(finalPost.status, 'published', `moment ${moment}: ${JSON.stringify(finalPost.targets)}`);
        child.kill('SIGCONT');
        child.stdin.end();
        const [code] = await once(child, 'exit');
        assert.is(code, 0, `moment ${moment}`);
        const visibleTexts = network.visible
          .filter(({ text }) => text.endsWith(` of moment ${moment}`))
          .map(({ text }) => text);
        assert.equal(visibleTexts, texts, `moment ${moment}`);
        assert.equal(await social.postRead({ postId: post.id }), finalPost, `moment ${moment}`);
        assert.is(finalPost.credits.charged, 3);
      }
      await service.stop();
    });
  } finally {
    await network.close();
  }
}

for (const kind of await oneKind())
  test(`${kind}: after 7 pauses, each of 21 posts is visible exactly once`, () => pauseEverywhere(kind));

test.run();
