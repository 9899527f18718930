// Distinguishes bots and people by their user agent: published crawlers, and the browsers and mail programs of people.
import { createRequire } from 'node:module';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isPrefetch, programSignOf } from '../../core/contract/http/visitor-programs.ts';
import { classifyHit } from '../../plugins/email/index.ts';
import { createClientReader } from '../../plugins/links/clicks/user-agent.ts';
import { humanUserAgents } from '../support/human-user-agents.ts';

const test = suite('bots and people');

interface Crawler {
  readonly instances: readonly string[];
}

const crawlerList: readonly Crawler[] = createRequire(import.meta.url)('crawler-user-agents');
const crawlers = [...new Set(crawlerList.flatMap(({ instances }) => instances))];

const readClient = createClientReader();
const clickBy = (userAgent: string | undefined) =>
  readClient({ userAgent, mobileHint: undefined, platformHint: undefined });
const mailClick = (
  userAgent: string | undefined,
  headers: Readonly<Record<string, string>> = { host: 'acme.example' },
) =>
  classifyHit({
    kind: 'click',
    userAgent,
    address: undefined,
    headers,
    sinceHandOverMs: 60_000,
    linksAtOnce: 1,
    links: 5,
  }).verdict;

test('at least 98 of 100 published crawlers are recognised, both in links and in mail', () => {
  assert.ok(crawlers.length > 2_000);
  const missedAgents = crawlers.filter((agent) => programSignOf(agent) === undefined);
  assert.ok(
    missedAgents.length <= crawlers.length * 0.02,
    `${missedAgents.length} of ${crawlers.length}: ${missedAgents.join(' | ')}`,
  );
  for (const agent of crawlers) {
    const isBot = programSignOf(agent) !== undefined;
    assert.is(clickBy(agent).bot, isBot, agent);
    if (agent.trim() !== 'Mozilla/5.0') assert.is(mailClick(agent) === 'bot', isBot, agent);
  }
});

test('no browser, web view or mail program of a person counts as a bot, neither in links nor in mail', () => {
  for (const agent of humanUserAgents) {
    assert.is(programSignOf(agent), undefined, agent);
    assert.is(clickBy(agent).bot, false, agent);
    assert.is(mailClick(agent), 'human', agent);
  }
});

test('link previews and mail scanners are bots', () => {
  for (const agent of [
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'WhatsApp/2.23.20.0',
    'TelegramBot (like TwitterBot)',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
    'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
    'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    'Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.1; Trident/6.0; Barracuda)',
    'Microsoft Office Existence Discovery',
    'Mimecast/1.0',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/130.0.0.0 Safari/537.36',
    'ChatGPT-User/1.0',
    'curl/8.5.0',
    '',
    '   ',
    undefined,
  ])
    assert.ok(clickBy(agent).bot && mailClick(agent) === 'bot', String(agent));
});

test('a phone model may have the name of a bot', () => {
  for (const model of ['SPIDER', 'Crawler 5', 'SCANNER-X', 'BOT', 'ROBOT Build/TP1A.1', 'Preview Monitor'])
    assert.is(
      programSignOf(
        `Mozilla/5.0 (Linux; Android 14; ${model}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36`,
      ),
      undefined,
      model,
    );
  assert.is(
    programSignOf(
      'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    ),
    'known_bot',
  );
});

test('a prefetch request is recognised by any of four headers', () => {
  for (const headers of [
    { purpose: 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { 'x-purpose': 'preview' },
    { 'x-moz': 'prefetch' },
    { 'sec-purpose': '', purpose: 'prefetch' },
  ])
    assert.ok(isPrefetch(headers) && mailClick(humanUserAgents[0], { host: 'a', ...headers }) === 'bot');
  assert.not(isPrefetch({ purpose: 'none', 'user-agent': 'prefetch' }));
});

test('iPad web views are tablets, and Chromebooks are desktops', () => {
  for (const agent of humanUserAgents) {
    const { device } = clickBy(agent);
    if (agent.includes('iPad')) assert.is(device, 'tablet', agent);
    if (agent.includes('CrOS')) assert.is(device, 'desktop', agent);
    if (/iPhone|Android \d+;.* Mobile /.test(agent) && !agent.includes('iPad')) assert.is(device, 'mobile', agent);
  }
});

test('a user agent of any length and content is processed quickly', () => {
  const began = process.cpuUsage().user;
  for (const part of [
    '(',
    'a',
    'bot ',
    'Android ; ',
    '(Linux; Android 1; ',
    '\ud83d',
    '\u{1F600}',
    'İ',
    '\0',
    ';',
    '@a-',
  ])
    clickBy(part.repeat(20_000));
  assert.ok(process.cpuUsage().user - began < 5_000_000);
});

test.run();
