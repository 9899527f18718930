// time-limit: 600
// A process is killed at any moment of a publication: around the record of each step, in each request before and after its effect,
// and around the record of each answer. A later process continues, and people see each post exactly once.
// full-run: kill
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSimulatedClock } from '../../hosts/testing/simulated-clock.ts';
import { compiledSources } from '../support/compiled.ts';
import { type RequestMoment, startSocialServer } from '../support/social-server.ts';
import { type DatabaseKind, oneKind, withDatabase } from './databases.ts';
import { storageOf } from './mail-service.ts';
import { socialTestService, workspaceOnX } from './social-service.ts';

const test = suite('social publications when a process is killed');
const script = join(await compiledSources(), 'test/faults/social-process.js');

/** One upload and three posts have four moments each. */
const moments = Array.from({ length: 16 }, (_, moment) => ({ moment, server: undefined }));
const requests = Array.from({ length: 4 }, (_, request) => request).flatMap((request) =>
  (['before its effect', 'after its effect'] as const).map((at) => ({ moment: -1, server: { request, at } })),
);

/** The counts of a run with all kills. */
interface Counts {
  kills: number;
  posts: number;
  visible: number;
  doubled: number;
  lost: number;
  charged: number;
}

async function killEverywhere(kind: DatabaseKind): Promise<Counts> {
  const network = await startSocialServer();
  const counts: Counts = { kills: 0, posts: 0, visible: 0, doubled: 0, lost: 0, charged: 0 };
  try {
    await withDatabase(kind, async (location, folder) => {
      const ahead = join(folder, 'ahead');
      const clock = createSimulatedClock(Date.now());
      const service = socialTestService({ storage: storageOf(location), clock });
      const id = await workspaceOnX(service, network.url);
      const { social } = service.as(id);
      for (const { moment, server } of [...moments, ...requests]) {
        const name = server === undefined ? `moment ${moment}` : `request ${server.request} ${server.at}`;
        const texts = ['first', 'second', 'third'].map((part) => `${part} of ${name}`);
        const post = await social.postCreate({
          channels: ['x'],
          caption: texts[0] ?? '',
          threadTweets: texts.slice(1),
          publish: true,
        });
        const seenCounts: RequestMoment[] = [];
        writeFileSync(ahead, `${clock.now() - Date.now()}`);
        const args = [script, JSON.stringify(location), `${moment}`, ahead];
        const child = spawn(process.execPath, args, { stdio: ['pipe', 'inherit', 'inherit'] });
        network.onEffect = (at) => {
          if (server === undefined || at !== server.at) return;
          if (seenCounts.push(at) - 1 === server.request) child.kill('SIGKILL');
        };
        const [, signal] = await once(child, 'exit');
        network.onEffect = undefined;
        assert.is(signal, 'SIGKILL', name);
        counts.kills += 1;
        // The next process finds the job when the first process's lease has ended.
        let status: string = post.status;
        for (let turn = 0; turn < 20 && status === 'publishing'; turn += 1) {
          clock.advance(60_000);
          await service.drain();
          ({ status } = await social.postRead({ postId: post.id }));
        }
        const read = await social.postRead({ postId: post.id });
        assert.is(read.status, 'published', `${name}: ${JSON.stringify(read.targets)}`);
        const visibleTexts = network.visible.filter(({ text }) => text.endsWith(` of ${name}`)).map(({ text }) => text);
        counts.posts += texts.length;
        counts.visible += visibleTexts.length;
        counts.doubled += visibleTexts.length - new Set(visibleTexts).size;
        counts.lost += texts.filter((text) => !visibleTexts.includes(text)).length;
        counts.charged += read.credits.charged;
        assert.equal(visibleTexts, texts, name);
      }
      await service.stop();
    });
  } finally {
    await network.close();
  }
  return counts;
}

for (const kind of await oneKind())
  test(`${kind}: after 24 kills, each of 72 posts is visible exactly once`, async () => {
    const counts = await killEverywhere(kind);
    assert.equal(counts, { kills: 24, posts: 72, visible: 72, doubled: 0, lost: 0, charged: 72 });
  });

test.run();
