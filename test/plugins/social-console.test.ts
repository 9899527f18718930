// The pages of social posts and social events in the console: the calendar, the list, a post, events, and the earlier address.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSocialConsoleBench, type SocialConsoleBench } from '../support/social-console-bench.ts';

const test = suite<{ bench: SocialConsoleBench }>('the pages of social posts in the console');

test.before(async (context) => {
  context.bench = await openSocialConsoleBench();
});
test.after(({ bench }) => bench.close());
test.before.each(({ bench }) => {
  bench.signIn.present = bench.member();
});

test('the calendar shows posts and planned emails at their time, by month and by week', async ({ bench }) => {
  const month = (await bench.page('/social')).text;
  assert.match(month, '<h1 dir="auto">November 2026</h1>');
  assert.match(month, '<span dir="auto">&lt;i&gt;Acme&lt;/i&gt; 2.0 is here</span>');
  assert.match(month, '2 posts, 1 planned email, 1 hold. Times are UTC.');
  assert.match(month, /08:00<\/span> <b>email<\/b> <span dir="auto">Season &lt;s&gt;letter&lt;\/s&gt;[\s\S]*09:30/);
  assert.match(month, `social/posts/${bench.live.id}?side=live`);
  const week = (await bench.page('/social?view=week&at=2026-12-02')).text;
  assert.match(week, '<h1 dir="auto">Week from 2026-11-30</h1>');
  assert.match(week, 'A theme for the winter');
  assert.not.match(week, 'Acme&lt;');
  const sandboxPage = (await bench.page('/social?side=sandbox')).text;
  assert.match(sandboxPage, '1 planned email.');
  assert.not.match(sandboxPage, 'Acme&lt;');
  assert.match((await bench.page('/social?view=week&at=2027-07-01')).text, 'Nothing is planned here.');
  assert.match((await bench.page('/social?view=week&at=soon')).text, 'Week from 2026-11-16');
  await bench.calls.broadcasts.create({ name: 'Letter of July', sendAt: '2027-07-02T07:00:00Z' });
  const july = (await bench.page('/social?view=week&at=2027-07-01')).text;
  assert.match(
    july,
    /07:00<\/span> <b>email<\/b> <span dir="auto">Letter of July<\/span> <span class="quiet">broadcast, draft</,
  );
  bench.signIn.present = bench.member(['social:posts:read']);
  assert.match(
    (await bench.page('/social')).text,
    'The calendar needs the content plan, and the scope campaigns:read.',
  );
});

test('the list can be filtered by state and network, and links to each post', async ({ bench }) => {
  const all = (await bench.page('/social/posts')).text;
  assert.match(all, `social/posts/${bench.live.id}?side=live">&lt;i&gt;Acme&lt;/i&gt; 2.0 is here</a>`);
  assert.match(all, '<span class="pill plain">Hold</span>');
  const scheduledPage = (await bench.page('/social/posts?status=scheduled')).text;
  assert.match(scheduledPage, '>Later</a>');
  assert.not.match(scheduledPage, bench.live.id);
  assert.not.match((await bench.page('/social/posts?channel=linkedin')).text, bench.live.id);
  assert.match((await bench.page('/social/posts?status=deleted')).text, 'No post matches these filters.');
});

test('the search finds a post by its id, and by words of its text', async ({ bench }) => {
  for (const q of [bench.live.id, '2.0', 'here'])
    assert.match(
      (await bench.page(`/search?q=${encodeURIComponent(q)}`)).text,
      `social/posts/${bench.live.id}?side=live`,
      q,
    );
});

test('a post shows its texts, accounts, problems and states, and escapes what people wrote', async ({ bench }) => {
  const live = (await bench.page(`/social/posts/${bench.live.id}`)).text;
  assert.match(live, 'Acme &lt;b&gt;Inc.&lt;/b&gt;');
  assert.match(live, '<p class="words" dir="auto">and more</p>');
  assert.match(live, '<span class="pill good">Published</span>');
  const long = (await bench.page(`/social/posts/${bench.long.id}`)).text;
  assert.match(long, '<code>text_too_long</code>');
  const picture = (await bench.page(`/social/posts/${bench.picture.id}`)).text;
  assert.match(picture, /<a href="[^"]*\/assets\/[^"]+">Picture<\/a>: A grey sky/);
  bench.signIn.present = bench.member(['social:posts:read']);
  assert.match((await bench.page(`/social/posts/${bench.picture.id}`)).text, '>Picture: A grey sky');
  const hold = (await bench.page(`/social/posts/${bench.hold.id}`)).text;
  assert.match(hold, '<p class="words" dir="auto">A theme for the winter</p>');
  assert.is((await bench.page('/social/posts/soc_gone')).status, 404);
});

test('events show their texts, their state and a link to their post', async ({ bench }) => {
  const { text } = await bench.page('/social-events');
  assert.match(text, /<h2>Release published<\/h2>[\s\S]*Draft[\s\S]*Acme &lt;u&gt;Studio&lt;\/u&gt; 4\.2 is out\./);
  assert.match(text, /<p class="quiet">\d+ of 280<\/p>/);
  assert.match(text, /<h2>Back in stock<\/h2>[\s\S]*Preview[\s\S]*No post: it was a preview\./);
  const [, postId] = /social\/posts\/([^?]+)\?side=live">The post on its networks/.exec(text) ?? [];
  assert.match((await bench.page(`/social/posts/${postId}`)).text, '4.2 is out');
  assert.not.match((await bench.page('/social-events?status=previewed')).text, 'Release published');
  assert.match((await bench.page('/social-events?side=sandbox')).text, 'A social event is something in your product');
});

test('the earlier address redirects to the page for its view', async ({ bench }) => {
  for (const [query, page] of [
    ['', 'social'],
    ['&view=week', 'social'],
    ['&view=cards', 'social/posts'],
    [`&view=cards&post=${bench.live.id}`, `social/posts/${bench.live.id}`],
    ['&view=events', 'social-events'],
  ] as const) {
    const address = `/social-console?workspace=${bench.workspaceId}&side=live${query}`;
    assert.is(await bench.movedTo(address), `console/${bench.workspaceId}/${page}?side=live`);
  }
});

test.run();
