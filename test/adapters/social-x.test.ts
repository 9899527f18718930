// time-limit: 300
// X against a strict local server: the shared suite, and the parts specific to X.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isTextOnX } from '../../adapters/social/x-texts.ts';
import { recordedSteps, sampleMedia, sampleTarget, socialAdapterSuite } from '../../plugins/social/testing/index.ts';
import { startX } from './social-servers/x.ts';

const test = suite('X');

socialAdapterSuite('xSocial', startX, (name, run) => test(name, run));

const signal = (): AbortSignal => AbortSignal.timeout(60_000);

test('a text is found again with short links, entities and the link of an attachment', () => {
  const foundTexts: readonly [string, string][] = [
    ['News & more: https://acme.example/a?b=1 now', 'News &amp; more: https://t.co/aaaaaaaaaa now'],
    ['See acme.com.', 'See https://t.co/aaaaaaaaaa.'],
    ['A picture', 'A picture https://t.co/bbbbbbbbbb'],
    ['', 'https://t.co/bbbbbbbbbb'],
    ['1 < 2 (a+b)*', '1 &lt; 2 (a+b)*'],
  ];
  for (const [publishedText, storedText] of foundTexts) assert.ok(isTextOnX(publishedText, storedText), storedText);
  assert.not(isTextOnX('A picture', 'Another picture https://t.co/bbbbbbbbbb'));
  assert.not(isTextOnX('A picture. More', 'A picture'));
});

test('the adapter refreshes tokens once, and reports used refresh tokens as revoked', async () => {
  const { network, credentials, outgoing, dispose } = await startX();
  if (outgoing === undefined) throw new Error('The test server has no outgoing requests.');
  const openedAccount = { credentials: network.credentials.parse(credentials), options: {} };
  assert.ok((network.expiresAt?.(openedAccount.credentials) ?? 0) > Date.now());
  const next = (await network.refresh?.(openedAccount, signal(), { outgoing })) as Record<string, unknown>;
  assert.is(next['accessToken'], 'new-access');
  assert.is(next['refreshToken'], 'new-refresh');
  assert.ok(Number(next['expiresAt']) > Date.now() + 7_000_000);
  const usedTokens = { credentials: network.credentials.parse(next), options: {} };
  try {
    await network.refresh?.(usedTokens, signal(), { outgoing });
    assert.unreachable();
  } catch (error) {
    assert.is((error as { fault?: string }).fault, 'revoked', String(error));
  }
  await dispose();
});

test('a duplicate after a lost answer is checked again, and finally accepted as a refusal', async () => {
  const { network, credentials, outgoing, simulateFault, visible, dispose } = await startX();
  if (outgoing === undefined) throw new Error('The test server has no outgoing requests.');
  const adapter = network.connect({ credentials: network.credentials.parse(credentials), options: {} }, { outgoing });
  const options = () => ({ signal: signal(), now: Date.now() });
  const faultOf = (work: Promise<unknown>) => work.then(String, (error: { fault?: string }) => error.fault);
  const target = sampleTarget({ externalAccountId: '77' });
  const record = new Map();
  simulateFault('breaks after');
  assert.is(await faultOf(adapter.publish(target, recordedSteps(record), options())), 'uncertain');
  // Simulates that the timeline did not show the post: the next attempt gets the duplicate error.
  assert.is(await faultOf(adapter.publish(target, recordedSteps(record), options())), 'uncertain');
  assert.is(await faultOf(adapter.publish(target, recordedSteps(record), options())), 'uncertain');
  assert.is(await faultOf(adapter.publish(target, recordedSteps(record), options())), 'rejected');
  const first = sampleTarget({ externalAccountId: '77', texts: target.texts });
  assert.is(await faultOf(adapter.publish(first, recordedSteps(new Map()), options())), 'rejected');
  assert.is((await visible()).length, 1);
  await dispose();
});

test('the adapter sends descriptions of pictures, and a video in chunks', async () => {
  const { network, credentials, outgoing, alts, server, dispose } = await startX();
  if (outgoing === undefined) throw new Error('The test server has no outgoing requests.');
  const adapter = network.connect({ credentials: network.credentials.parse(credentials), options: {} }, { outgoing });
  const options = { signal: signal(), now: Date.now() };
  const publish = (media: ReturnType<typeof sampleMedia>) =>
    adapter.publish(
      sampleTarget({ externalAccountId: '77', texts: [`With ${media.kind}`], media: [media] }),
      recordedSteps(new Map()),
      options,
    );
  await publish(sampleMedia('image', { alt: 'A red bicycle' }));
  assert.equal([...alts.values()], ['A red bicycle']);
  const bytes = Buffer.alloc(9_000_000, 1);
  const open = async (range?: { start: number; end: number }) =>
    (async function* () {
      yield range === undefined ? bytes : bytes.subarray(range.start, range.end);
    })();
  await publish(sampleMedia('video', { bytes: bytes.length, open }));
  assert.is(server.requests.filter((request) => request.endsWith('/append')).length, 1 + 3);
  server.checkFaults();
  await dispose();
});

test.run();
