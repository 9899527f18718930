// time-limit: 300
// LinkedIn against a strict local server: the shared suite, and the parts specific to LinkedIn.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { linkedinSocial } from '../../adapters/social/linkedin.ts';
import { fromLittleText, toLittleText } from '../../adapters/social/linkedin-texts.ts';
import { OutgoingError } from '../../core/contract/ports/outgoing.ts';
import { recordedSteps, sampleTarget, socialAdapterSuite } from '../../plugins/social/testing/index.ts';
import { startLinkedin } from './social-servers/linkedin.ts';

const test = suite('LinkedIn');

socialAdapterSuite('linkedinSocial', startLinkedin, (name, run) => test(name, run));

const signal = (): AbortSignal => AbortSignal.timeout(60_000);

test('the adapter escapes reserved characters, and marks hashtags', () => {
  const writtenTexts: readonly [string, string][] = [
    ['Hiring! #Größe #a1', 'Hiring! {hashtag|\\#|Größe} {hashtag|\\#|a1}'],
    ['#2026 c#sharp #with_line', '\\#2026 c\\#sharp \\#with\\_line'],
    ['(a) [b] {c} <d> @e *f* ~g~ h|i \\j', '\\(a\\) \\[b\\] \\{c\\} \\<d\\> \\@e \\*f\\* \\~g\\~ h\\|i \\\\j'],
  ];
  for (const [plain, little] of writtenTexts) {
    assert.is(toLittleText(plain), little);
    assert.is(fromLittleText(little), plain);
  }
  assert.is(fromLittleText('Thanks @[Acme \\(EU\\)](urn:li:organization:42)!'), 'Thanks Acme (EU)!');
});

test('the fragment of a link is not a hashtag', () => {
  for (const url of [
    'https://acme.com/#pricing',
    'acme.com/#pricing',
    'https://acme.com/a?b=/#c',
    'https://acme.com/「#x',
  ])
    assert.is(
      toLittleText(`${url} #sale`),
      url.startsWith('https://acme.com/「')
        ? 'https://acme.com/「{hashtag|\\#|x} {hashtag|\\#|sale}'
        : `${url.replace('#', '\\#')} {hashtag|\\#|sale}`,
    );
});

test('a version of the API consists of a year and a month', () => {
  assert.throws(() => linkedinSocial({ version: 'v2' }), /YYYYMM/);
});

test('a duplicate is the post of an earlier request, or a refusal', async () => {
  const { network, credentials, outgoing, simulateFault, visible, dispose } = await startLinkedin();
  if (outgoing === undefined) throw new Error('The test server has no outgoing requests.');
  const adapter = network.connect({ credentials: network.credentials.parse(credentials), options: {} }, { outgoing });
  const options = { signal: signal(), now: Date.now() };
  const target = sampleTarget({ externalAccountId: 'urn:li:organization:42' });
  const record = new Map();
  const faultOf = (work: Promise<unknown>) =>
    work.then(String, (error: { fault?: string; code?: string }) => `${error.fault} ${error.code}`);
  simulateFault('breaks after');
  assert.is(await faultOf(adapter.publish(target, recordedSteps(record), options)), 'uncertain undefined');
  // Simulates that the list of posts did not show the post.
  const { externalId } = await adapter.publish(target, recordedSteps(record), options);
  assert.equal(
    (await visible()).map(({ id }) => id),
    [externalId],
  );
  const secondPublication = adapter.publish({ ...target, key: 'another' }, recordedSteps(new Map()), options);
  assert.is(await faultOf(secondPublication), 'rejected DUPLICATE_POST');
  await dispose();
});

test('a duplicate whose post cannot be read now is checked again later', async () => {
  const { network, credentials, outgoing, simulateFault, dispose } = await startLinkedin();
  if (outgoing === undefined) throw new Error('The test server has no outgoing requests.');
  let isDown = false;
  const breaking: typeof outgoing = {
    ...outgoing,
    request: (request) =>
      isDown && request.method === 'GET'
        ? Promise.reject(new OutgoingError('connection_failed', 'There is no connection.'))
        : outgoing.request(request),
  };
  const openedAccount = { credentials: network.credentials.parse(credentials), options: {} };
  const adapter = network.connect(openedAccount, { outgoing: breaking });
  const options = { signal: signal(), now: Date.now() };
  const target = sampleTarget({ externalAccountId: 'urn:li:organization:42' });
  const record = new Map();
  const faultOf = (work: Promise<unknown>) => work.then(String, (error: { fault?: string }) => error.fault);
  simulateFault('breaks after');
  assert.is(await faultOf(adapter.publish(target, recordedSteps(record), options)), 'uncertain');
  isDown = true;
  const fault = await faultOf(adapter.publish(target, recordedSteps(record), options));
  await dispose();
  assert.is(fault, 'uncertain');
});

test('the adapter refreshes tokens, and reports refused or missing refresh tokens', async () => {
  const { network, credentials, outgoing, dispose } = await startLinkedin();
  if (outgoing === undefined) throw new Error('The test server has no outgoing requests.');
  const openedAccount = { credentials: network.credentials.parse(credentials), options: {} };
  const next = (await network.refresh?.(openedAccount, signal(), { outgoing })) as Record<string, unknown>;
  assert.is(next['accessToken'], 'new-access');
  assert.ok(Number(next['expiresAt']) > Date.now() + 5_000_000_000);
  for (const [refreshToken, fault] of [
    ['refused', 'revoked'],
    [undefined, 'expired'],
  ]) {
    const old = { credentials: network.credentials.parse({ accessToken: 'old', refreshToken }), options: {} };
    const error = await network.refresh?.(old, signal(), { outgoing }).catch((thrown: unknown) => thrown);
    assert.is((error as { fault?: string }).fault, fault, String(error));
  }
  await dispose();
});

test.run();
