// time-limit: 120
// A post that appears after its network said that there is none: as long as it may still come, the network is asked again.
import * as assert from 'uvu/assert';
import { z } from '../../core/index.ts';
import { connectorsPlugin } from '../../plugins/index.ts';
import { socialPlugin } from '../../plugins/social/index.ts';
import type { PublishedPost } from '../../plugins/social/port/index.ts';
import { defineSocialNetwork, SocialError } from '../../plugins/social/port/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { migratedTestService } from '../support/migrated-tables.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { threadRules } from '../support/social-rules.ts';

const minute = 60_000;

await twoDatabases('late posts', (test, database) => {
  test('a failure before the request is made again leaves the question open', async () => {
    const seen = { posted: 0, asked: 0, live: undefined as PublishedPost | undefined, isDown: false };
    const network = defineSocialNetwork({
      rules: threadRules,
      capabilities: { media: true, threads: true, deletes: true, analytics: false },
      credentials: z.strictObject({}),
      options: z.strictObject({}),
      connect: () => ({
        id: 'late',
        accounts: async () => [
          { externalId: 'acme', displayName: 'Acme', handle: 'acme', avatarUrl: null, isCompany: true },
        ],
        async publish(_target, steps) {
          if (seen.isDown) throw new SocialError('transient', 'The upload broke off.');
          await steps.before('post');
          seen.posted += 1;
          throw new SocialError('uncertain', 'There was no answer.');
        },
        async probe() {
          seen.asked += 1;
          return seen.live === undefined ? { outcome: 'absent' } : { outcome: 'landed', post: seen.live };
        },
        close: async () => undefined,
      }),
    });
    const plugins = [
      ...bareStandardPlugins.filter(({ id }) => id !== 'connectors' && (id as string) !== 'social'),
      connectorsPlugin({ providers: [network] }),
      socialPlugin(),
    ];
    const kit = await migratedTestService(database, { plugins });
    await kit.service.connectors.create(kit.workspaceId, {
      kind: 'social',
      provider: 'x',
      name: 'X',
      credentials: {},
      options: {},
    });
    const { social } = kit.service.as(kit.workspaceId);
    await social.networksRefresh({});
    const { id } = await social.postCreate({ channels: ['x'], caption: 'one', publish: true });
    await kit.drain();
    assert.is(seen.posted, 1);
    seen.isDown = true;
    kit.advanceClock(minute);
    await kit.drain();
    assert.equal([seen.asked, seen.posted], [1, 1], 'absent, and not made again because an upload broke off');
    // Now the first request takes effect.
    seen.live = { externalId: '1', url: null };
    seen.isDown = false;
    for (let minutes = 0; minutes < 6; minutes += 1) {
      kit.advanceClock(minute);
      await kit.drain();
    }
    assert.is((await social.postRead({ postId: id })).status, 'published');
    assert.is(seen.posted, 1, 'people see one post');
    await kit.close();
  });
});
