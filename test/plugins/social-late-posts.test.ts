// time-limit: 120
// A post that appears after its network reported it as absent: the network is asked again as long as the post may appear.
// full-run: slow
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { httpSocial } from '../../adapters/kit/http-social.ts';
import { isSince } from '../../adapters/kit/social-steps.ts';
import { z } from '../../core/index.ts';
import { connectorsPlugin } from '../../plugins/index.ts';
import { socialPlugin } from '../../plugins/social/index.ts';
import {
  defineSocialNetwork,
  type PublishedPost,
  SocialError,
  type SocialNetwork,
} from '../../plugins/social/port/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { migratedTestService } from '../support/migrated-tables.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { threadRules } from '../support/social-rules.ts';

const minute = 60_000;

await twoDatabases('late posts', (test, database) => {
  /** Starts a service with an account on this network. */
  const open = async (network: SocialNetwork) => {
    const plugins = [
      ...bareStandardPlugins.filter(({ id }) => id !== 'connectors' && (id as string) !== 'social'),
      connectorsPlugin({ providers: [network] }),
      socialPlugin(),
    ];
    const kit = await migratedTestService(database, { plugins });
    const connector = { kind: 'social', provider: 'x', name: 'X', credentials: {}, options: {} } as const;
    await kit.service.connectors.create(kit.workspaceId, connector);
    const { social } = kit.service.as(kit.workspaceId);
    await social.networksRefresh({});
    const publish = async (): Promise<string> => {
      const { id } = await social.postCreate({ channels: ['x'], caption: 'one', publish: true });
      await kit.drain();
      return id;
    };
    return { kit, publish };
  };

  test('if a retry fails before its request, the network is still asked whether the first request took effect', async () => {
    const state = { posted: 0, asked: 0, live: undefined as PublishedPost | undefined, isDown: false };
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
          if (state.isDown) throw new SocialError('transient', 'The upload broke off.');
          await steps.before('post');
          state.posted += 1;
          throw new SocialError('uncertain', 'There was no answer.');
        },
        async probe() {
          state.asked += 1;
          return state.live === undefined ? { outcome: 'absent' } : { outcome: 'landed', post: state.live };
        },
        close: async () => undefined,
      }),
    });
    const { kit, publish } = await open(network);
    const { social } = kit.service.as(kit.workspaceId);
    const id = await publish();
    assert.is(state.posted, 1);
    state.isDown = true;
    kit.advanceClock(minute);
    await kit.drain();
    assert.equal(
      [state.asked, state.posted],
      [1, 1],
      'the post is absent, and was not sent again because an upload broke off',
    );
    // Now the first request takes effect.
    state.live = { externalId: '1', url: null };
    state.isDown = false;
    for (let minutes = 0; minutes < 6; minutes += 1) {
      kit.advanceClock(minute);
      await kit.drain();
    }
    assert.is((await social.postRead({ postId: id })).status, 'published');
    assert.is(state.posted, 1, 'people see one post');
    await kit.close();
  });

  test('a post on a network with a slow clock is found and not published again', async () => {
    const behindMs = 600_000;
    const posts: { text: string; at: number }[] = [];
    let now = (): number => 0;
    const server = createServer((request, response) => {
      response.setHeader('date', new Date(now() - behindMs).toUTCString());
      if (request.method !== 'POST') return response.end(JSON.stringify({ posts }));
      posts.push({ text: 'one', at: now() - behindMs });
      // The post is live, but the response is lost.
      return request.socket.destroy();
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const network = defineSocialNetwork({
      rules: threadRules,
      capabilities: { media: true, threads: true, deletes: true, analytics: false },
      credentials: z.strictObject({}),
      options: z.strictObject({}),
      connect: (_opened, { outgoing }) => {
        const http = httpSocial({ name: 'Behind', outgoing, secrets: () => [], errorMessage: () => '' });
        return {
          id: 'behind',
          accounts: async () => [
            { externalId: 'acme', displayName: 'Acme', handle: 'acme', avatarUrl: null, isCompany: true },
          ],
          async publish(_target, steps, options) {
            await steps.before('post');
            await http.call({ method: 'POST', url, json: {}, visible: true }, options);
            throw new Error('Its answers are lost.');
          },
          async probe(target, _steps, options) {
            const { fields } = await http.call({ method: 'GET', url }, options);
            const post = (fields['posts'] as typeof posts).find(({ at }) =>
              isSince(new Date(at).toISOString(), target.startedAt),
            );
            return post === undefined
              ? { outcome: 'absent' }
              : { outcome: 'landed', post: { externalId: '1', url: null } };
          },
          close: async () => undefined,
        };
      },
    });
    const { kit, publish } = await open(network);
    now = kit.now;
    const id = await publish();
    kit.advanceClock(minute);
    await kit.drain();
    assert.is((await kit.service.as(kit.workspaceId).social.postRead({ postId: id })).status, 'published');
    assert.is(posts.length, 1, 'people see one post');
    await kit.close();
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  });
});
