// time-limit: 120
// URLs of attachments for networks that fetch them: their lifetime, and the lifetime of files that adapters create.
// full-run: slow
import * as assert from 'uvu/assert';
import { captureAssets } from '../../adapters/assets/capture.ts';
import { z } from '../../core/index.ts';
import { pixelBase64 } from '../../plugins/assets/schema.ts';
import { connectorsPlugin, socialPlugin } from '../../plugins/index.ts';
import { defineSocialNetwork, SocialError } from '../../plugins/social/port/index.ts';

import { assetCalls, openAssetService } from '../support/asset-bench.ts';
import { oneDatabase } from '../support/databases.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { exampleRules } from '../support/social-rules.ts';

const pixel = Buffer.from(pixelBase64, 'base64');
const minute = 60_000;

await oneDatabase('URLs of attachments', (test, database) => {
  test('URLs are valid for an hour, and a created file is stored once and deleted when its target ends', async () => {
    const rules = exampleRules.find(({ channelId }) => channelId === 'instagram');
    if (rules === undefined) throw new Error('There are no rules of Instagram.');
    const urls: string[] = [];
    let failures = 2;
    const network = defineSocialNetwork({
      rules,
      capabilities: { media: true, threads: false, deletes: false, analytics: false },
      credentials: z.strictObject({}),
      options: z.strictObject({}),
      connect: () => ({
        id: 'fetching',
        accounts: async () => [
          { externalId: 'acme', displayName: 'Acme', handle: 'acme', avatarUrl: null, isCompany: true },
        ],
        async publish({ media: [first] }) {
          if (first === undefined) throw new Error('There is no attachment.');
          const convertedFile = { bytes: pixel, contentType: 'image/png' };
          urls.push(await first.url(), await first.url(convertedFile), await first.url(convertedFile));
          failures -= 1;
          if (failures >= 0) throw new SocialError('transient', 'It is still fetching.');
          return { externalId: '1', url: null };
        },
        probe: async () => ({ outcome: 'absent' }),
        close: async () => undefined,
      }),
    });
    const plugins = [
      ...bareStandardPlugins.filter(({ id }) => id !== 'connectors' && (id as string) !== 'social'),
      connectorsPlugin({ providers: [network] }),
      socialPlugin(),
    ];
    const kit = await openAssetService(database, captureAssets(), { plugins });
    const { ready, get, read } = assetCalls(() => kit);
    const { service, workspaceId } = kit;
    await service.connectors.create(workspaceId, {
      kind: 'social',
      provider: 'instagram',
      name: 'Instagram',
      credentials: {},
      options: {},
    });
    const { social } = service.as(workspaceId);
    await social.networksRefresh({});
    const list = async (): Promise<string[]> =>
      (await kit.request('/v1/assets')).body.data.map(({ assetId }: { assetId: string }) => assetId);
    const { assetId } = await ready(pixel);
    const post = await social.postCreate({
      channels: ['instagram'],
      caption: 'one',
      media: [{ assetId, kind: 'image', alt: '' }],
      publish: true,
    });
    await kit.drain();
    const [originalUrl = '', createdUrl = '', again = ''] = urls;
    assert.is(again, createdUrl);
    assert.equal([(await get(originalUrl)).status, (await get(createdUrl)).status], [200, 200]);
    const [createdId = '', ...others] = await list();
    assert.equal(others, [assetId], 'the created file is an asset');
    kit.advanceClock(minute);
    await kit.drain();
    assert.is(urls.length, 6);
    assert.equal(await list(), [createdId, assetId], 'the next attempt does not store it again');
    kit.advanceClock(59 * minute);
    assert.is((await get(originalUrl)).status, 404, 'after an hour the URL has expired');
    await kit.drain();
    assert.is((await social.postRead({ postId: post.id })).status, 'published');
    assert.equal(await list(), [assetId]);
    assert.is((await get(urls.at(-1) ?? '')).status, 404, 'its bytes are deleted, too');
    assert.is((await read(assetId)).status, 'ready');
    await kit.close();
  });
});
