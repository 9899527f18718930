// A service with the console, accounts on several networks, posts of a month and social events. For the tests of the pages of
// social posts.
import { captureSocial } from '../../adapters/social/capture.ts';
import { samplePng } from '../../plugins/social/testing/index.ts';
import { openConsoleBench } from './console-bench.ts';

const channels = ['x', 'linkedin', 'bluesky', 'instagram', 'threads', 'facebook'];
const texts = ['x', 'bluesky'];

export type SocialConsoleBench = Awaited<ReturnType<typeof openSocialConsoleBench>>;

/** Opens the service on 20 November 2026. */
export async function openSocialConsoleBench() {
  const bench = await openConsoleBench({ providers: captureSocial() });
  const { service, workspaceId } = bench;
  for (const channelId of channels)
    await service.connectors.create(workspaceId, {
      kind: 'social',
      provider: `capture-${channelId}`,
      name: channelId,
      credentials: {},
      options: { displayName: 'Acme <b>Inc.</b>' },
    });
  const { social, socialEvents, campaigns, assets } = bench.calls;
  await social.networksRefresh({});
  const dataBase64 = Buffer.from(samplePng(64, 64)).toString('base64');
  const { assetId } = await assets.create({ name: 'sky.png', dataBase64 });
  const live = await social.postCreate({
    channels: texts,
    caption: '<i>Acme</i> 2.0 is here',
    threadTweets: ['and more'],
    publish: true,
  });
  await social.postCreate({ channels: texts, caption: 'Later', scheduleAt: '2026-11-27T09:30:00.000Z' });
  const hold = await social.postCreate({
    channels: texts,
    caption: '',
    mode: 'hold',
    scheduleAt: '2026-12-02T09:00:00.000Z',
    brief: 'A theme for the winter',
  });
  const long = await social.postCreate({ channels: ['x'], caption: 'word '.repeat(80) });
  const picture = await social.postCreate({
    channels,
    caption: 'With a picture',
    media: [{ kind: 'image', assetId, alt: 'A grey sky' }],
  });
  await socialEvents.trigger({
    eventKey: 'release_published',
    variables: { product: 'Acme <u>Studio</u>', version: '4.2', summary: 'Boards load at once.' },
    channels: texts,
  });
  await socialEvents.trigger({ eventKey: 'back_in_stock', variables: { product: 'Oak' }, outcome: 'preview' });
  const scheduleAt = '2026-11-26T08:00:00.000Z';
  await campaigns.planned({ name: 'Season <s>letter</s>', scheduleAt, timezone: 'Europe/Berlin', description: 'News' });
  await bench.drain();
  return { ...bench, live, hold, long, picture };
}
