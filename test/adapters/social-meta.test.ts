// Behaviour of Facebook, Instagram and Threads beyond the shared tests: links, quotas, failing containers, errors, tokens.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { metaGraph } from '../../adapters/kit/meta-graph.ts';
import { facebookSocial } from '../../adapters/social/facebook.ts';
import { instagramSocial } from '../../adapters/social/instagram.ts';
import { type RecordedStepMap, recordedSteps, sampleMedia } from '../../plugins/social/testing/index.ts';
import { containerBench, instagramShape, threadsShape } from './social-servers/containers.ts';
import { facebookBench } from './social-servers/facebook.ts';
import {
  adapterOf,
  callOptions,
  errorOf,
  publishOn,
  refreshCredentials,
  targetOf,
} from './social-servers/published.ts';

const test = suite('Meta');
const link = 'https://www.example.com/news?a=1&b=ü';

test('Facebook: a link is posted beside a text', async () => {
  const bench = await facebookBench();
  await publishOn(bench.subject, await targetOf(bench.subject, { linkUrl: link }));
  assert.equal(
    bench.posts.map((post) => [post.message, post.link]),
    [['The new release is out.', link]],
  );
  await bench.running.dispose();
});

test('Facebook: Pages on which the user may not publish are skipped', async () => {
  const bench = await facebookBench();
  const accounts = await adapterOf(bench.subject).accounts(callOptions());
  assert.equal(
    accounts.map(({ displayName, isCompany }) => [displayName, isCompany]),
    [['Acme', true]],
  );
  await bench.running.dispose();
});

test('Facebook: a second post with the same text is distinguished from the first', async () => {
  const bench = await facebookBench();
  await publishOn(bench.subject, await targetOf(bench.subject, { startedAt: Date.now() - 600_000 }));
  const [first] = bench.posts;
  if (first !== undefined) bench.posts[0] = { ...first, at: Date.now() - 600_000 };
  const record: RecordedStepMap = new Map();
  bench.subject.simulateFault('breaks before');
  const target = await targetOf(bench.subject);
  await errorOf(publishOn(bench.subject, target, record));
  const probeResult = await adapterOf(bench.subject).probe(target, recordedSteps(record), {
    ...callOptions(),
    now: Date.now() + 60_000,
  });
  assert.is(probeResult.outcome, 'absent');
  await bench.running.dispose();
});

for (const shape of [instagramShape, threadsShape]) {
  const media = [
    sampleMedia('video', { url: async () => `data:video/mp4;base64,${Buffer.from('film').toString('base64')}` }),
  ];

  test(`${shape.id}: if the quota is used up, the fault is a limit, and nothing is published`, async () => {
    const bench = await containerBench(shape);
    bench.quota.used = 250;
    const { fault, until } = await errorOf(publishOn(bench.subject, await targetOf(bench.subject, { media })));
    assert.is(fault, 'limited');
    assert.ok((until ?? 0) > Date.now());
    assert.equal(bench.posts, []);
    await bench.running.dispose();
  });

  test(`${shape.id}: an expired container is created again; a container with an error ends the publication`, async () => {
    const bench = await containerBench(shape);
    bench.quota.used = 250;
    const record: RecordedStepMap = new Map();
    const target = await targetOf(bench.subject, { media });
    await errorOf(publishOn(bench.subject, target, record));
    for (const container of bench.containers.values()) container.state = 'EXPIRED';
    bench.quota.used = 0;
    await publishOn(bench.subject, target, record);
    assert.is(bench.posts.length, 1);
    assert.is(bench.containers.size, 2);
    bench.broken.state = 'ERROR';
    const { fault, message } = await errorOf(publishOn(bench.subject, await targetOf(bench.subject, { media })));
    assert.is(fault, 'rejected');
    assert.match(message, /cannot use a file of this post\. .*2207026/);
    await bench.running.dispose();
  });

  test(`${shape.id}: a post that is not listed yet is neither reported absent nor published again`, async () => {
    const bench = await containerBench(shape);
    const record: RecordedStepMap = new Map();
    const target = await targetOf(bench.subject, { media });
    bench.subject.simulateFault('breaks after');
    await errorOf(publishOn(bench.subject, target, record));
    const hidden = bench.posts.splice(0);
    const ask = () => adapterOf(bench.subject).probe(target, recordedSteps(record), callOptions());
    assert.is((await ask()).outcome, 'unclear');
    assert.is((await errorOf(publishOn(bench.subject, target, record))).fault, 'uncertain');
    assert.is(bench.posts.length, 0);
    bench.posts.push(...hidden);
    const answer = await ask();
    assert.is(answer.outcome === 'landed' && answer.post.externalId, hidden[0]?.id);
    await bench.running.dispose();
  });

  test(`${shape.id}: a lost post is confused neither with another post of the same minute, nor with one of two equal posts`, async () => {
    const bench = await containerBench(shape);
    const record: RecordedStepMap = new Map();
    const target = await targetOf(bench.subject, { media });
    bench.subject.simulateFault('breaks after');
    await errorOf(publishOn(bench.subject, target, record));
    const [ownPost] = bench.posts.splice(0);
    if (ownPost === undefined) throw new Error('The post was not published.');
    const ask = async () =>
      (await adapterOf(bench.subject).probe(target, recordedSteps(record), callOptions())).outcome;
    bench.posts.push({ ...ownPost, id: '1', text: 'Something else' });
    assert.is(await ask(), 'unclear');
    bench.posts.push({ ...ownPost, id: '2', type: 'IMAGE' });
    assert.is(await ask(), 'unclear');
    bench.posts.push(ownPost, { ...ownPost, id: '3' });
    assert.is(await ask(), 'unclear');
    bench.posts.pop();
    assert.is(await ask(), 'landed');
    await bench.running.dispose();
  });

  test(`${shape.id}: tokens are renewed a week before they end`, async () => {
    const bench = await containerBench(shape);
    const next = (await refreshCredentials(bench.subject)) as { accessToken: string; expiresAt: number };
    assert.is(next.accessToken, 'IGAAnew');
    assert.ok(next.expiresAt > Date.now() + 59 * 86_400_000);
    assert.is(bench.subject.network.expiresAt?.(next), next.expiresAt - 7 * 86_400_000);
    await bench.running.dispose();
  });
}

test('Threads: a link is attached to a text', async () => {
  const bench = await containerBench(threadsShape);
  await publishOn(bench.subject, await targetOf(bench.subject, { linkUrl: link }));
  const forms = [...bench.containers.values()].map(({ form }) => [form['text'], form['link_attachment']]);
  assert.equal(forms, [['The new release is out.', link]]);
  await bench.running.dispose();
});

test('Facebook: tokens are exchanged through the app; without an app they end', async () => {
  const bench = await facebookBench();
  const next = (await refreshCredentials(bench.subject)) as { accessToken: string };
  assert.is(next.accessToken, 'EAAnew');
  const expiresAt = Date.now() + 86_400_000;
  assert.is(facebookSocial().expiresAt?.({ accessToken: 'EAA', expiresAt }), expiresAt);
  assert.is(instagramSocial().expiresAt?.({ accessToken: 'IGAA' }), null);
  await bench.running.dispose();
});

test('errors of the Graph API have the meaning that its reference gives', async () => {
  const answers: readonly [number, object, boolean, string][] = [
    [400, { code: 190, error_subcode: 463 }, true, 'disconnected expired'],
    [400, { code: 190, error_subcode: 458 }, true, 'disconnected revoked'],
    [401, { code: 102 }, false, 'disconnected revoked'],
    [400, { code: 4 }, true, 'limited'],
    [403, { code: 32 }, true, 'limited'],
    [400, { code: 9, error_subcode: 2207042 }, true, 'limited'],
    [500, { code: 2, is_transient: true }, true, 'uncertain'],
    [500, { code: 1 }, false, 'transient'],
    [400, { code: 9007, error_subcode: 2207027 }, true, 'transient'],
    [403, { code: 200, message: 'Permissions error' }, true, 'rejected'],
    [400, { code: 506, message: 'Duplicate status message' }, true, 'rejected'],
    [502, {}, true, 'uncertain'],
    // "Instagram server error. Try again later.": the post may have been published.
    [500, { code: -1, error_subcode: 2207001 }, true, 'uncertain'],
    [400, { code: -1, error_subcode: 2207001 }, true, 'uncertain'],
    [400, { code: -2, error_subcode: 2207003 }, false, 'transient'],
    [400, { code: 24, error_subcode: 2207008 }, true, 'uncertain'],
    [503, { code: 368, message: 'Try again' }, true, 'uncertain'],
  ];
  for (const [status, error, visible, meaning] of answers) {
    const body = Buffer.from(JSON.stringify(Object.keys(error).length === 0 ? {} : { error }));
    const outgoing = {
      request: async () => ({ status, headers: {}, body, cut: false }),
      check: async () => undefined,
      connect: async () => Promise.reject(new Error('no')),
      close: async () => undefined,
    };
    const graph = metaGraph({ name: 'Facebook', url: 'https://graph.example/v25.0', outgoing, token: 'EAAtoken' });
    const { fault, credentials } = await errorOf(graph.post('/1/feed', {}, callOptions(), { visible }));
    assert.is([fault, credentials].filter(Boolean).join(' '), meaning, JSON.stringify(error));
  }
});

test.run();
