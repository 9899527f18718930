// time-limit: 300
// Reddit against a strict local server: the shared suite, and the parts specific to Reddit.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SocialError, SocialTarget } from '../../plugins/social/port/index.ts';
import { recordedSteps, sampleMedia, sampleTarget, socialAdapterSuite } from '../../plugins/social/testing/index.ts';
import { type RedditBench, startReddit } from './social-servers/reddit.ts';

const test = suite('Reddit');

socialAdapterSuite('redditSocial', startReddit, (name, run) => test(name, run));

const options = () => ({ signal: AbortSignal.timeout(60_000), now: Date.now() });
const target = (overrides: Partial<SocialTarget> = {}) =>
  sampleTarget({ externalAccountId: 'acme', settings: { subreddit: 'acme', title: 'The title' }, ...overrides });

function connect({ network, credentials, outgoing }: RedditBench) {
  if (outgoing === undefined) throw new Error('The test server has no outgoing requests.');
  return network.connect({ credentials: network.credentials.parse(credentials), options: {} }, { outgoing });
}

async function errorOf(work: Promise<unknown>): Promise<SocialError> {
  try {
    await work;
  } catch (error) {
    return error as SocialError;
  }
  throw new Error('The network accepted the post.');
}

test('a link without a text is a link post', async () => {
  const subject = await startReddit();
  const adapter = connect(subject);
  const linkUrl = 'https://acme.example/launch';
  await adapter.publish(target({ texts: [''], linkUrl }), recordedSteps(new Map()), options());
  assert.equal(
    subject.posts.map(({ kind, url, selftext }) => [kind, url, selftext]),
    [['link', linkUrl, '']],
  );
  await subject.dispose();
});

test('a limit in a 200 answer states its time', async () => {
  const subject = await startReddit();
  const adapter = connect(subject);
  const limits: readonly [string, object, number][] = [
    ['Take a break for 5 minutes before trying again.', {}, 300_000],
    ['Take a break for 59 seconds before trying again.', {}, 59_000],
    ['Take a break for a while.', { ratelimit: 42.5 }, 42_500],
  ];
  for (const [words, more, ms] of limits) {
    subject.refuseNext([['RATELIMIT', words, 'ratelimit']], more);
    const call = options();
    const error = await errorOf(adapter.publish(target(), recordedSteps(new Map()), call));
    assert.equal([error.fault, error.until, error.message], ['limited', call.now + ms, words]);
  }
  await subject.dispose();
});

test('a community that does not exist is an invalid setting', async () => {
  const subject = await startReddit();
  const settings = { subreddit: 'nowhere', title: 'The title' };
  const error = await errorOf(connect(subject).publish(target({ settings }), recordedSteps(new Map()), options()));
  assert.equal([error.fault, error.problem, error.code], ['rejected', 'setting_invalid', 'SUBREDDIT_NOEXIST']);
  await subject.dispose();
});

test('posts with the same words are distinguished by the time of their appearance', async () => {
  const subject = await startReddit();
  const adapter = connect(subject);
  const first = await adapter.publish(target({ media: [sampleMedia()] }), recordedSteps(new Map()), options());
  const second = await adapter.publish(target({ media: [sampleMedia()] }), recordedSteps(new Map()), options());
  assert.is.not(first.externalId, second.externalId);
  // A publication whose answer was lost is not confused with one of them.
  const record = new Map();
  const lostTarget = target({ media: [sampleMedia()] });
  subject.simulateFault('breaks before');
  assert.is((await errorOf(adapter.publish(lostTarget, recordedSteps(record), options()))).fault, 'uncertain');
  const { outcome } = await adapter.probe(lostTarget, recordedSteps(record), {
    ...options(),
    now: Date.now() + 60_000,
  });
  assert.is(outcome, 'absent');
  await subject.dispose();
});

test('a post that appears after it was not found is not submitted again', async () => {
  const subject = await startReddit();
  const adapter = connect(subject);
  const record = new Map();
  const one = target();
  subject.simulateFault('breaks after');
  assert.is((await errorOf(adapter.publish(one, recordedSteps(record), options()))).fault, 'uncertain');
  const { externalId } = await adapter.publish(one, recordedSteps(record), options());
  assert.equal(
    (await subject.visible()).map(({ id }) => id),
    [externalId],
  );
  await subject.dispose();
});

test('the adapter refreshes tokens, and reports refused refresh tokens', async () => {
  const subject = await startReddit();
  const { network, credentials, outgoing } = subject;
  if (outgoing === undefined) throw new Error('The test server has no outgoing requests.');
  const { signal } = options();
  const openedAccount = { credentials: network.credentials.parse(credentials), options: {} };
  const next = (await network.refresh?.(openedAccount, signal, { outgoing })) as Record<string, unknown>;
  assert.equal([next['accessToken'], next['refreshToken']], ['new-access', 'reddit-refresh-token-123']);
  const old = { credentials: network.credentials.parse({ accessToken: 'old', refreshToken: 'over' }), options: {} };
  const error = await network.refresh?.(old, signal, { outgoing }).catch((thrown: unknown) => thrown);
  assert.is((error as { fault?: string }).fault, 'revoked', String(error));
  await subject.dispose();
});

test.run();
