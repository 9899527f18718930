// Problems that are reported before a publication, apart from long texts: characters, numbers of links, hashtags and mentions, and
// invalid settings.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allRules } from '../../adapters/social/capture-rules.ts';
import { noContent } from '../../plugins/social/content/merge.ts';
import type { ChannelRules } from '../../plugins/social/port/index.ts';
import { settingProblems } from '../../plugins/social/problems/settings.ts';
import { textProblems } from '../../plugins/social/problems/text.ts';
import type { SocialPostContent } from '../../plugins/social/schema.ts';
import { targetTexts } from '../../plugins/social/text/build.ts';

const test = suite('problems of posts');

function rulesOf(channelId: string): ChannelRules {
  const rules = allRules.find((one) => one.channelId === channelId);
  if (rules === undefined) throw new Error(`There are no rules of ${channelId}.`);
  return rules;
}
const codesOf = (channelId: string, changes: Partial<SocialPostContent>): string[] => {
  const content = { ...noContent, channels: [channelId], ...changes };
  const rules = rulesOf(channelId);
  return [...textProblems(rules, content), ...settingProblems(rules, content, undefined)].map(
    ({ code, path }) => `${code} ${path}`,
  );
};
const links = (count: number): string =>
  Array.from({ length: count }, (_, index) => `https://acme.example/${index}`).join(' ');

test('YouTube refuses angle brackets in titles and descriptions', () => {
  const youtube = (caption: string, title: string) =>
    codesOf('youtube', { caption, channelSettings: { youtube: { title, privacy: 'public' } } });
  assert.equal(youtube('a & b', 'Über \u{1F600} "x"'), []);
  assert.equal(youtube('a < b', 'T'), ['text_invalid caption']);
  assert.equal(youtube('a', 'x -> y'), ['text_invalid channelSettings.youtube.title']);
  assert.equal(youtube('＜全角＞', '＜'), []);
  const [problem] = textProblems(rulesOf('youtube'), { ...noContent, channels: ['youtube'], caption: '<b>' });
  assert.is(problem?.message, 'The text for YouTube contains < and >, which the network refuses.');
});

test('X refuses noncharacters', () => {
  assert.equal(codesOf('x', { caption: 'a\ufeffb' }), ['text_invalid caption']);
  assert.equal(codesOf('x', { caption: 'a', threadTweets: ['b', 'c\uffff'] }), ['text_invalid threadTweets.1']);
  assert.match(
    textProblems(rulesOf('x'), { ...noContent, channels: ['x'], caption: '\ufffe' })[0]?.message ?? '',
    'U+FFFE',
  );
});

test('Threads allows five different links, including the link of the card', () => {
  const threads = (caption: string, linkUrl: string | null = null) => codesOf('threads', { caption, linkUrl });
  assert.equal(threads(links(5)), []);
  assert.equal(threads(links(6)), ['links_too_many caption']);
  assert.equal(threads(links(5), 'https://acme.example/card'), ['links_too_many caption']);
  assert.equal(threads(links(5), 'https://acme.example/4'), [], 'the card shows one of the five links');
  assert.equal(threads(`${links(5)} ${links(5)}`), [], 'a second mention of the same links');
  assert.equal(threads('a.com b.com c.com d.com e.com「f.careers」'), ['links_too_many caption']);
  assert.equal(threads('ada@a.com b@b.com c@c.com d@d.com e@e.com f@f.com'), [], 'addresses are not links');
});

test('a URL fragment is not a hashtag, and a name in a URL path is not a mention', () => {
  const inLinks = Array.from({ length: 25 }, (_, index) => `https://acme.example/@ada/${index}?x=#top`).join('\n');
  assert.equal(codesOf('instagram', { caption: inLinks }), []);
  assert.equal(codesOf('threads', { caption: 'https://acme.example/#a acme.example/#b #c' }), []);
  assert.equal(codesOf('threads', { caption: '#a #b' }), ['hashtags_too_many hashtags']);
  assert.equal(codesOf('instagram', { caption: '@ada '.repeat(21) }), ['text_too_long caption']);
});

test('an invalid subreddit is reported as setting_invalid, and a missing subreddit as setting_missing', () => {
  const reddit = (subreddit: string) =>
    codesOf('reddit', { caption: 'a', channelSettings: { reddit: { subreddit, title: 'T' } } });
  for (const name of ['AskScience', 'de', 'u_acme-inc', 'a_b']) assert.equal(reddit(name), [], name);
  for (const name of [
    'r/acme',
    '/r/acme/',
    'https://reddit.com/r/acme',
    'acme!',
    'ＡＣＭＥ',
    'a',
    'x'.repeat(31),
    'a\nb',
    'İstanbul',
  ])
    assert.equal(reddit(name), ['setting_invalid channelSettings.reddit.subreddit'], name);
  assert.equal(reddit(' '), ['setting_missing channelSettings.reddit.subreddit']);
  const long = codesOf('reddit', {
    caption: 'a',
    channelSettings: { reddit: { subreddit: 'acme', title: '\u{1F600}'.repeat(301) } },
  });
  assert.equal(long, ['text_too_long channelSettings.reddit.title']);
});

test('the link is appended if the text contains only a longer URL that begins with it', () => {
  const linkUrl = 'https://acme.example/a';
  const textOf = (caption: string): string =>
    targetTexts(rulesOf('x'), { ...noContent, channels: ['x'], caption, linkUrl }).texts[0];
  for (const caption of [`See ${linkUrl}.`, `「${linkUrl}」です`, `${linkUrl}です`])
    assert.is(textOf(caption), caption);
  for (const caption of [`${linkUrl}bc`, `${linkUrl}/b`, 'nothing'])
    assert.is(textOf(caption), `${caption}\n\n${linkUrl}`);
});

test.run();
