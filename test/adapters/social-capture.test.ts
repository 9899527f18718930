// time-limit: 120
// The capture adapter passes the shared tests with the rules of every channel, and returns the posts that it keeps.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { captureSocial } from '../../adapters/social/capture.ts';
import { type ChannelRules, isCapturing } from '../../plugins/social/port/index.ts';
import { socialAdapterSuite } from '../../plugins/social/testing/index.ts';
import { exampleRules } from '../support/social-rules.ts';

const test = suite('captureSocial');

const harnessOf = (rules: ChannelRules) => async () => {
  const [network] = captureSocial({ rules: [rules] });
  if (network === undefined) throw new Error('There is no network.');
  return {
    network,
    credentials: {},
    visible: async () => network.capture.posts().map(({ id, text, media }) => ({ id, text, media: media.length })),
    simulateFault: network.capture.simulateFault,
    dispose: async () => undefined,
  };
};

for (const rules of [...captureSocial().map((network) => network.rules), ...exampleRules])
  socialAdapterSuite(`captureSocial ${rules.channelId}`, harnessOf(rules), (name, run) => test(name, run));

test('each channel is a separate provider that keeps posts in memory', () => {
  const networks = captureSocial({ rules: exampleRules });
  assert.equal(
    networks.map(({ provider, transport }) => `${provider} ${transport}`),
    exampleRules.map(({ channelId }) => `capture-${channelId} capture`),
  );
  assert.ok(networks.every(isCapturing));
});

test.run();
