// time-limit: 300
// Bluesky against a strict local server: the shared suite, and the parts specific to the AT Protocol.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { recordKey } from '../../adapters/social/bluesky.ts';
import { marksOf } from '../../adapters/social/bluesky-facets.ts';
import type { SocialTarget } from '../../plugins/social/port/index.ts';
import {
  recordedSteps,
  sampleMedia,
  samplePng,
  sampleTarget,
  socialAdapterSuite,
} from '../../plugins/social/testing/index.ts';
import { type BlueskyBench, did, startBluesky } from './social-servers/bluesky.ts';

const test = suite('Bluesky');

socialAdapterSuite('blueskySocial', startBluesky, (name, run) => test(name, run));

function connect({ network, credentials, options, outgoing }: BlueskyBench) {
  if (outgoing === undefined) throw new Error('The test server has no outgoing requests.');
  return network.connect(
    { credentials: network.credentials.parse(credentials), options: network.options.parse(options) },
    { outgoing },
  );
}
const options = () => ({ signal: AbortSignal.timeout(60_000), now: Date.now() });
const target = (overrides: Partial<SocialTarget>) => sampleTarget({ externalAccountId: did, ...overrides });

test('a record key is a TID that depends on the publication alone', () => {
  const one = { key: 'abcdefghijklmnopqrstuv', startedAt: 1_795_412_537_787 };
  assert.match(recordKey(one), /^[234567a-j][234567a-z]{12}$/);
  assert.is(recordKey(one), recordKey({ ...one }));
  assert.is.not(recordKey(one), recordKey({ ...one, key: 'another' }));
  assert.ok(recordKey(one) < recordKey({ ...one, startedAt: one.startedAt + 2 }), 'later keys sort after earlier keys');
});

test('links, hashtags and mentions are located by byte positions', () => {
  const text = '👋🏽 Größe: https://acme.example/ä?b=(1). (#Größe, #2026) #1st @partner.example! mail@acme.example';
  const foundMarks = marksOf(text).map(({ kind, value, byteStart, byteEnd }) => {
    const writtenText = Buffer.from(text).subarray(byteStart, byteEnd).toString();
    return [kind, value, writtenText];
  });
  assert.equal(foundMarks, [
    ['link', 'https://acme.example/ä?b=(1)', 'https://acme.example/ä?b=(1)'],
    ['tag', 'Größe', '#Größe'],
    ['tag', '1st', '#1st'],
    ['mention', 'partner.example', '@partner.example'],
  ]);
});

test('links and hashtags end where a reader would end them', () => {
  const family = '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}';
  const markedTexts = (text: string) =>
    marksOf(text).map(({ value, byteStart, byteEnd }) => {
      const writtenText = Buffer.from(text).subarray(byteStart, byteEnd).toString();
      assert.ok(writtenText === value || writtenText.slice(1) === value, `${writtenText} is ${value}`);
      return value;
    });
  const cases: readonly (readonly [string, ...string[]])[] = [
    ['「https://acme.example/a」です。https://acme.example/b。', 'https://acme.example/a', 'https://acme.example/b'],
    ['**https://acme.example/a**', 'https://acme.example/a'],
    ['https://en.wikipedia.org/wiki/Amanita_(fungus).', 'https://en.wikipedia.org/wiki/Amanita_(fungus)'],
    ['#e-commerce #node.js #C++ #AT&T #you\u2019re.', 'e-commerce', 'node.js', 'C++', 'AT&T', 'you\u2019re'],
    [
      `#\u{1F680} #a\u{1F44D}\u{1F3FD}b #${family} #1\uFE0F\u20E3`,
      '\u{1F680}',
      'a\u{1F44D}\u{1F3FD}b',
      family,
      '1\uFE0F\u20E3',
    ],
    ['#日本語。 「#猫」、#犬 ＃全角 #İstanbul #ß', '日本語', '猫', '全角', 'İstanbul', 'ß'],
    ['#2026 #_ # #. a#b https://acme.example/#top', 'https://acme.example/#top'],
    ['@alice.example。（@bob.example）', 'alice.example', 'bob.example'],
    [`#${'a'.repeat(64)} #${'b'.repeat(65)}`, 'a'.repeat(64)],
    ['\ud83d #a\ude00 #b\ufffd', 'a', 'b\ufffd'],
  ];
  for (const [text, ...values] of cases) assert.equal(markedTexts(text), values, text);
});

test('the adapter publishes links and mentions, and a card', async () => {
  const subject = await startBluesky();
  const adapter = connect(subject);
  const text = 'With @partner.example and @unknown.example #news';
  const linkUrl = 'https://www.acme.example/launch';
  await adapter.publish(target({ texts: [text], linkUrl }), recordedSteps(new Map()), options());
  const [first] = [...subject.records.values()];
  assert.equal(
    first?.facets?.map(({ features }) => features[0]),
    [
      { $type: 'app.bsky.richtext.facet#mention', did: 'did:plc:partner' },
      { $type: 'app.bsky.richtext.facet#tag', tag: 'news' },
    ],
  );
  assert.equal(first?.embed, {
    $type: 'app.bsky.embed.external',
    external: { uri: linkUrl, title: 'acme.example/launch', description: '' },
  });
  await adapter.publish(target({ texts: [`Read\n\n${linkUrl}`] }), recordedSteps(new Map()), options());
  const second = [...subject.records.values()].at(-1);
  assert.equal(second?.facets?.[0]?.features, [{ $type: 'app.bsky.richtext.facet#link', uri: linkUrl }]);
  await subject.dispose();
});

test('the adapter scales down a picture that is too large', async () => {
  const subject = await startBluesky();
  const noise = Buffer.from(samplePng(2_400, 1_600));
  // A trailer makes the file as large as a photograph.
  const bytes = Buffer.concat([noise, Buffer.alloc(1_500_000)]);
  const media = sampleMedia('image', { bytes: bytes.length, read: async () => bytes, width: 2_400, height: 1_600 });
  await connect(subject).publish(target({ media: [media] }), recordedSteps(new Map()), options());
  assert.is((await subject.visible())[0]?.media, 1);
  await subject.dispose();
});

test('the adapter logs in once, and renews an expired session', async () => {
  const subject = await startBluesky();
  const adapter = connect(subject);
  await Promise.all([adapter.accounts(options()), adapter.accounts(options())]);
  subject.endSession();
  await adapter.publish(target({ media: [sampleMedia('video')] }), recordedSteps(new Map()), options());
  const count = (name: string) => subject.server.requests.filter((request) => request.endsWith(name)).length;
  assert.equal([count('createSession'), count('refreshSession')], [1, 1]);
  await subject.dispose();
});

test('a server in a private network is refused', async () => {
  const subject = await startBluesky();
  const adapter = connect({ ...subject, options: { identifier: 'acme.test', service: 'http://169.254.169.254' } });
  const error = await adapter.accounts(options()).catch((thrown: unknown) => thrown);
  assert.is((error as { fault?: string }).fault, 'rejected', String(error));
  await subject.dispose();
});

test.run();
