// Behaviour of YouTube, TikTok and Pinterest beyond the shared tests: chunked uploads, expired sessions, settings, limits, tokens.
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { partsOf } from '../../adapters/social/tiktok-publish.ts';
import type { SocialMedia } from '../../plugins/social/port/index.ts';
import { type RecordedStepMap, recordedSteps, sampleMedia } from '../../plugins/social/testing/index.ts';
import { facebookBench } from './social-servers/facebook.ts';
import { startLinkedin } from './social-servers/linkedin.ts';
import { pinterestBench } from './social-servers/pinterest.ts';
import {
  adapterOf,
  callOptions,
  errorOf,
  publishOn,
  refreshCredentials,
  targetOf,
} from './social-servers/published.ts';
import { tiktokBench } from './social-servers/tiktok.ts';
import { youtubeBench } from './social-servers/youtube.ts';

const test = suite('uploads');

/** A video of this size. Its source may fail at a position. */
function videoOf(bytes: number, failsAt = Infinity): SocialMedia {
  async function* chunks(start: number, end: number): AsyncGenerator<Uint8Array> {
    for (let at = start; at < end; at += 65_536) {
      if (at >= failsAt) throw new Error('The store is unavailable.');
      yield new Uint8Array(Math.min(65_536, end - at));
    }
  }
  return sampleMedia('video', {
    bytes,
    read: async () => new Uint8Array(bytes),
    open: async ({ start, end } = { start: 0, end: bytes }) => chunks(start, end),
  });
}

const callInAMinute = (): { signal: AbortSignal; now: number } => ({ ...callOptions(), now: Date.now() + 60_000 });
const titleSettings = { title: 'The film', privacy: 'private' };

test('YouTube: an interrupted upload continues where it ended', async () => {
  const bench = await youtubeBench();
  const record: RecordedStepMap = new Map();
  const brokenTarget = await targetOf(bench.subject, { settings: titleSettings, media: [videoOf(1_000_000, 600_000)] });
  const { fault } = await errorOf(publishOn(bench.subject, brokenTarget, record));
  assert.is(fault, 'transient');
  assert.is([...bench.sessions.values()][0]?.received, 524_288);
  await publishOn(bench.subject, { ...brokenTarget, media: [videoOf(1_000_000)] }, record);
  assert.is(bench.sessions.size, 1);
  assert.equal(
    bench.videos.map(({ title }) => title),
    ['The film'],
  );
  await bench.running.dispose();
});

for (const [name, start, settings] of [
  ['YouTube', youtubeBench, titleSettings],
  ['TikTok', tiktokBench, { privacy: 'SELF_ONLY' }],
  ['Pinterest', pinterestBench, { boardId: '549755885175' }],
  ['Facebook', facebookBench, {}],
  ['LinkedIn', async () => ({ subject: await startLinkedin() }), {}],
] as const)
  test(`${name}: if an upload is aborted at once, its source is closed`, async () => {
    const { subject } = await start();
    const completeVideo = videoOf(600_000);
    const ending = new AbortController();
    let [openedCount, closedCount] = [0, 0];
    const open: SocialMedia['open'] = async (range) => {
      const stream = Readable.from(await completeVideo.open(range));
      stream.once('close', () => {
        closedCount += 1;
      });
      openedCount += 1;
      ending.abort();
      return stream;
    };
    const target = await targetOf(subject, { settings, media: [{ ...completeVideo, open }] });
    const call = { signal: ending.signal, now: Date.now() };
    const { fault } = await errorOf(adapterOf(subject).publish(target, recordedSteps(new Map()), call));
    assert.equal([['transient', 'uncertain'].includes(fault), openedCount], [true, 1], fault);
    while (closedCount < openedCount) await setImmediate();
    await subject.dispose();
  });

test('YouTube: if the session has expired, the channel shows whether the video exists', async () => {
  for (const fault of ['breaks before', 'breaks after'] as const) {
    const bench = await youtubeBench();
    const record: RecordedStepMap = new Map();
    const target = await targetOf(bench.subject, { settings: titleSettings, media: [videoOf(100_000)] });
    bench.subject.simulateFault(fault);
    assert.is((await errorOf(publishOn(bench.subject, target, record))).fault, 'uncertain');
    bench.sessions.clear();
    const answer = await adapterOf(bench.subject).probe(target, recordedSteps(record), callInAMinute());
    assert.is(answer.outcome, fault === 'breaks after' ? 'landed' : 'absent');
    if (answer.outcome === 'absent') await publishOn(bench.subject, target, record);
    assert.is(bench.videos.length, 1);
    await bench.running.dispose();
  }
});

test('YouTube: if the quota is used up, the limit ends at midnight in California', async () => {
  const bench = await youtubeBench();
  bench.subject.simulateFault('limited');
  const { until = 0, code } = await errorOf(adapterOf(bench.subject).accounts(callOptions()));
  assert.is(code, 'quotaExceeded');
  const hour = new Date(until).toLocaleTimeString('en-GB', { timeZone: 'America/Los_Angeles' });
  assert.match(hour, /^(00:00|23:00|01:00|23:59)/);
  assert.ok(until > Date.now() && until <= Date.now() + 86_400_000);
  await bench.running.dispose();
});

test('TikTok: a large video is sent in parts, and the last part contains the remainder', async () => {
  assert.equal(partsOf(3_000_000, 5_000_000), { chunk: 3_000_000, starts: [0] });
  assert.equal(partsOf(12_500_000, 5_000_000), { chunk: 5_000_000, starts: [0, 5_000_000] });
  assert.equal(partsOf(64_000_001, 64_000_000), { chunk: 64_000_000, starts: [0] });
  const bench = await tiktokBench();
  const settings = { privacy: 'SELF_ONLY' };
  await publishOn(bench.subject, await targetOf(bench.subject, { settings, media: [videoOf(12_500_000)] }));
  assert.equal(
    bench.publications.map(({ receivedChunks, sent }) => [receivedChunks, sent]),
    [[2, 12_500_000]],
  );
  await bench.running.dispose();
});

test("TikTok: a video that the creator's settings forbid is refused before anything is announced", async () => {
  const bench = await tiktokBench();
  bench.privacy.options = ['SELF_ONLY'];
  const refusal = async (overrides: object) =>
    errorOf(publishOn(bench.subject, await targetOf(bench.subject, overrides)));
  const unauditedError = await refusal({ settings: { privacy: 'PUBLIC_TO_EVERYONE' }, media: [videoOf(1_000)] });
  assert.equal([unauditedError.fault, unauditedError.problem], ['rejected', 'setting_invalid']);
  assert.match(unauditedError.message, /it allows SELF_ONLY/);
  const media = [{ ...videoOf(1_000), durationMs: 301_000 }];
  const long = await refusal({ settings: { privacy: 'SELF_ONLY' }, media });
  assert.equal([long.fault, long.problem], ['rejected', 'media_too_large']);
  assert.equal(bench.publications, []);
  await bench.running.dispose();
});

test('TikTok: a failed publication is reported absent, and a publication in processing is checked again later', async () => {
  const bench = await tiktokBench();
  const target = await targetOf(bench.subject, { settings: { privacy: 'SELF_ONLY' }, media: [videoOf(1_000)] });
  const record: RecordedStepMap = new Map();
  bench.subject.simulateFault('blind');
  assert.is((await errorOf(publishOn(bench.subject, target, record))).fault, 'uncertain');
  bench.subject.simulateFault(null);
  const [publication] = bench.publications;
  assert.ok(publication !== undefined);
  publication.pending = 2;
  const ask = () => adapterOf(bench.subject).probe(target, recordedSteps(record), callInAMinute());
  assert.is((await ask()).outcome, 'unclear');
  publication.failReason = 'file_format_check_failed';
  assert.is((await ask()).outcome, 'absent');
  publication.failReason = undefined;
  publication.pending = 0;
  const answer = await ask();
  assert.is(
    answer.outcome === 'landed' && answer.post.url,
    `https://www.tiktok.com/@acme/video/${publication.id.slice(-12)}`,
  );
  await bench.running.dispose();
});

test("Pinterest: boards are the account's options, from all pages", async () => {
  const bench = await pinterestBench();
  const [account] = await adapterOf(bench.subject).accounts(callOptions());
  assert.equal(
    account?.options?.['boardId']?.map(({ name }) => name),
    ['News', 'Ideas'],
  );
  const errorWithoutBoard = await errorOf(
    publishOn(bench.subject, await targetOf(bench.subject, { media: [sampleMedia()] })),
  );
  assert.equal([errorWithoutBoard.fault, errorWithoutBoard.problem], ['rejected', 'setting_missing']);
  await bench.running.dispose();
});

test("tokens are renewed by the program's app, and refused tokens end the connection", async () => {
  const benches = [await youtubeBench(), await tiktokBench(), await pinterestBench()];
  const renewedTokens: string[] = [];
  for (const { subject, running } of benches) {
    const next = (await refreshCredentials(subject)) as {
      accessToken: string;
      refreshToken: string;
      expiresAt: number;
    };
    renewedTokens.push(`${next.accessToken} ${next.refreshToken}`);
    assert.ok((subject.network.expiresAt?.(next) ?? 0) > Date.now());
    const credentials = { accessToken: 'old', refreshToken: 'used-up', expiresAt: Date.now() + 1_000 };
    const refusal: unknown = await refreshCredentials({ ...subject, credentials }).catch((error: unknown) => error);
    assert.ok(refusal instanceof Error && refusal.name === 'CredentialsRefused', String(refusal));
    await running.dispose();
  }
  assert.equal(renewedTokens, ['ya29.next 1//refresh', 'act.next rft.next', 'pina_next pinr_next']);
});

test.run();
