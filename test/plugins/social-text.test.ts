// The counting and composing of texts. The cases for X follow its published rule: weighted ranges, 23 per URL, 2 per emoji.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { blueskyRules } from '../../adapters/social/bluesky-rules.ts';
import { facebookRules } from '../../adapters/social/facebook-rules.ts';
import { instagramRules } from '../../adapters/social/instagram-rules.ts';
import { linkedinRules } from '../../adapters/social/linkedin-rules.ts';
import { redditRules } from '../../adapters/social/reddit-rules.ts';
import { threadsRules } from '../../adapters/social/threads-rules.ts';
import { tiktokRules } from '../../adapters/social/tiktok-rules.ts';
import { noContent } from '../../plugins/social/content/merge.ts';
import type { ChannelRules, TextUnit } from '../../plugins/social/port/index.ts';
import { partPrices } from '../../plugins/social/price.ts';
import { textProblems } from '../../plugins/social/problems/text.ts';
import type { SocialPostContent } from '../../plugins/social/schema.ts';
import { targetTexts } from '../../plugins/social/text/build.ts';
import { countText, excessOf } from '../../plugins/social/text/count.ts';
import { hasUrl, urlsIn } from '../../plugins/social/text/urls.ts';
import { threadRules, wordRules } from '../support/social-rules.ts';

const test = suite('social texts');
const family = '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}\u200D\u{1F466}';
const thumb = '\u{1F44D}\u{1F3FD}';

const expectCounts = (unit: TextUnit, cases: readonly (readonly [string, number])[]) => {
  for (const [text, length] of cases) assert.is(countText(unit, text), length, `${unit}: ${JSON.stringify(text)}`);
};

test('X counts characters of common alphabets as 1 and others as 2', () => {
  expectCounts('weighted', [
    ['', 0],
    ['Hello, world', 12],
    ['\u00dc\u0416\u05d0\u0e01\u10ff', 5],
    ['\u1100', 2],
    ['\u65e5\u672c\u8a9e', 6],
    ['\u201cquoted\u201d \u2014 \u2018so\u2019', 15],
    ['\u2026', 2],
    ['\u2032\u2037', 2],
    ['\u2038', 2],
    ['\u200b\u200d', 2],
    ['\u200e', 2],
  ]);
});

test('X counts the composed form (NFC)', () => {
  expectCounts('weighted', [
    ['cafe\u0301', 4],
    ['caf\u00e9', 4],
    ['\u1112\u1161\u11ab', 2],
  ]);
});

test('X counts an emoji sequence as 2', () => {
  expectCounts('weighted', [
    ['\u{1F600}', 2],
    [family, 2],
    [thumb, 2],
    ['\u{1F1E9}\u{1F1EA}', 2],
    ['1\uFE0F\u20E3', 2],
    ['\u2764\uFE0F', 2],
    ['\u00a9', 1],
    ['\u00a9\uFE0F', 2],
    [`a${family}${family}b`, 6],
  ]);
});

test('X counts every URL as 23', () => {
  const url = `https://example.com/${'long/'.repeat(30)}end`;
  expectCounts('weighted', [
    [url, 23],
    ['http://a.co', 23],
    [`See ${url}.`, 28],
    ['example.com', 23],
    ['Look at shop.example.co.uk/a?b=c#d now', 35],
    ['(https://example.com/x(y))', 25],
  ]);
});

test('text that only resembles a URL is counted as text', () => {
  for (const text of ['e.g. this', 'v1.2.3', 'file.ts', 'ada@example.com', '#example.com'])
    assert.is(hasUrl(text), false, text);
  assert.equal(
    urlsIn('a.com b.org').map(({ start, end }) => [start, end]),
    [
      [0, 5],
      [6, 11],
    ],
  );
});

test('280 characters fit on X, but 281 do not', () => {
  assert.is(excessOf(threadRules.text, 'a'.repeat(280)), undefined);
  assert.equal(excessOf(threadRules.text, 'a'.repeat(281)), { length: 281, max: 280, unit: 'weighted' });
  assert.is(excessOf(threadRules.text, '\u65e5'.repeat(140)), undefined);
  assert.is(excessOf(threadRules.text, '\u65e5'.repeat(141))?.length, 282);
});

test('texts are counted in graphemes, code points, code units and bytes', () => {
  const text = `e\u0301${family}\u65e5`;
  expectCounts('graphemes', [[text, 3]]);
  expectCounts('code_points', [[text, 10]]);
  expectCounts('utf16', [[text, 14]]);
  expectCounts('bytes', [[text, 31]]);
  expectCounts('emoji_bytes', [
    ['abc', 3],
    ['\u65e5', 1],
    ['\u{1F600}', 4],
    [family, 25],
    ['\u00a9', 1],
  ]);
});

test('a channel can have a second limit in bytes', () => {
  const wide = family.repeat(130);
  assert.is(countText('graphemes', wide), 130);
  assert.equal(excessOf(wordRules.text, wide), { length: 3_250, max: 3_000, unit: 'bytes' });
});

test('long texts of any kind are counted in linear time', () => {
  const max = 63_206;
  const hostile = [
    'a',
    'a.',
    'a-',
    'a.b/',
    '(a',
    '()',
    'https://',
    '\u{1F468}\u200D',
    '.com',
    'a@',
    '\u0301',
    '1\uFE0F',
  ];
  const began = process.cpuUsage().user;
  for (const part of hostile) countText('weighted', part.repeat(Math.floor(max / part.length)));
  assert.ok(process.cpuUsage().user - began < 20_000_000, `${process.cpuUsage().user - began} µs`);
});

const content = { ...noContent, channels: ['x', 'bluesky'], caption: 'Hello', hashtags: ['one', 'two'] };

test('hashtags and the link are appended to the first text', () => {
  const linkUrl = 'https://example.com/a';
  const input = { ...content, linkUrl, threadTweets: ['Second'] };
  assert.equal(targetTexts(threadRules, input), {
    texts: [`Hello\n\n#one #two\n\n${linkUrl}`, 'Second'],
    linkUrl: null,
    settings: {},
  });
  assert.equal(targetTexts(wordRules, input), { texts: ['Hello\n\n#one #two'], linkUrl, settings: {} });
});

test('a link that is already in the text is not appended again', () => {
  const linkUrl = 'https://example.com/a';
  const input = { ...content, hashtags: [], caption: `Look: ${linkUrl}`, linkUrl };
  assert.equal(targetTexts(threadRules, input).texts, [`Look: ${linkUrl}`]);
});

test('if attachments replace the link card, the link is appended to the text and counted', () => {
  const linkUrl = 'https://example.com/a';
  const media = [{ kind: 'image', assetId: 'asset_1', alt: '' }] as const;
  const input = { ...content, caption: 'a'.repeat(270), hashtags: [], linkUrl };
  for (const rules of [blueskyRules, linkedinRules, threadsRules, facebookRules]) {
    assert.equal(targetTexts(rules, input).linkUrl, linkUrl, rules.name);
    const { texts, linkUrl: linkBeside } = targetTexts(rules, { ...input, media });
    assert.equal([texts[0].endsWith(`\n\n${linkUrl}`), linkBeside], [true, null], rules.name);
  }
  const codes = (rules: ChannelRules, of: SocialPostContent) => textProblems(rules, of).map(({ code }) => code);
  assert.equal(codes(blueskyRules, input), []);
  assert.equal(codes(blueskyRules, { ...input, caption: 'a'.repeat(290), media }), ['text_too_long']);
});

test('on Reddit, the link is the post if there is nothing else; with a text or attachments it is part of the text', () => {
  const linkUrl = 'https://example.com/a';
  const linkOnly = { ...content, caption: '', hashtags: [], linkUrl };
  assert.equal(targetTexts(redditRules, linkOnly), { texts: [''], linkUrl, settings: {} });
  assert.equal(targetTexts(redditRules, { ...linkOnly, caption: 'Hi' }).texts, [`Hi\n\n${linkUrl}`]);
});

test('on TikTok the text limit for photos is higher than for a video', () => {
  const long = { ...content, caption: 'a'.repeat(4_000), hashtags: [] };
  const linkBeside = (kind: 'image' | 'video', of = long) =>
    textProblems(tiktokRules, { ...of, media: [{ kind, assetId: 'asset_1', alt: '' }] }).map(({ message }) => message);
  assert.equal(linkBeside('image'), []);
  assert.equal(linkBeside('video'), ['The text for TikTok has 4000 characters; 2200 are allowed.']);
  assert.equal(linkBeside('image', { ...long, caption: 'a'.repeat(4_001) }), [
    'The text for TikTok has 4001 characters; 4000 are allowed.',
  ]);
});

test('Instagram allows 20 mentions, and an email address is not a mention', () => {
  const media = [{ kind: 'image', assetId: 'asset_1', alt: '' }] as const;
  const naming = (count: number) => ({
    ...content,
    hashtags: [],
    media,
    caption: `${Array.from({ length: count }, (_one, position) => `@acme.${position}`).join(' ')} ada@example.com`,
  });
  assert.equal(textProblems(instagramRules, naming(20)), []);
  assert.equal(
    textProblems(instagramRules, naming(21)).map(({ code, message }) => [code, message]),
    [['text_too_long', 'Instagram takes 20 mentions; there are 21.']],
  );
});

test('the text of a channel replaces the caption on this channel', () => {
  const input = { ...content, hashtags: [], channelCaptions: { x: 'For X' } };
  assert.equal(targetTexts(threadRules, input).texts, ['For X']);
  assert.equal(targetTexts(wordRules, input).texts, ['Hello']);
});

test('X costs 1 per tweet and 4 with a URL; other networks and transports are free', () => {
  const prices = { tweet: 1, tweetWithUrl: 4, compose: 2 };
  const linkedContent = { ...content, linkUrl: 'https://example.com/', threadTweets: ['two', 'see example.com'] };
  assert.equal(partPrices(prices, threadRules, 'native', linkedContent), [4, 1, 4]);
  assert.equal(partPrices(prices, threadRules, 'native', content), [1]);
  assert.equal(partPrices(prices, threadRules, 'other', linkedContent), [0, 0, 0]);
  assert.equal(partPrices(prices, wordRules, 'native', linkedContent), [0]);
});

test.run();
