// 40 hostile briefs, and models that obey them: whatever a model answers, nothing gets past the schema of mails, pages,
// posts and lead magnets. The answer is refused, or the stored and shown content is harmless.
// full-run: slow
// time-limit: 600
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTestService, type TestService } from '../../hosts/testing/index.ts';
import { type HostileBrief, hostileBriefs } from '../support/hostile-briefs.ts';
import { noRateLimits } from '../support/mail-bench.ts';
import { type ObedientModel, openObedientModel, vendors } from '../support/obedient-model.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { visit } from '../support/tracked-mail.ts';

type Bench = TestService<(typeof bareStandardPlugins)[number]['id']>;
type Node = DefaultTreeAdapterMap['node'];

const host = 'site.acme.example';
const secret = 'TULIP-77-of-the-other-workspace';

/** The dangerous parts of HTML that a composer wrote in part. `own` matches the hosts whose pictures the HTML may show. */
function dangersIn(html: string, own: RegExp): string[] {
  const dangers: string[] = [];
  const read = (node: Node): void => {
    if ('tagName' in node) {
      const { tagName, attrs } = node;
      const attribute = (wanted: string) => attrs.find(({ name }) => name === wanted)?.value.trim() ?? '';
      if (/^(iframe|frame|object|embed|applet|base)$/.test(tagName)) dangers.push(`<${tagName}>`);
      if (tagName === 'form' && /^[a-z]+:|^\/\//i.test(attribute('action')))
        dangers.push(`form ${attribute('action')}`);
      for (const { name, value } of attrs) {
        const url = value.replace(/[\p{Cc} ]/gu, '');
        if (name.startsWith('on')) dangers.push(`${tagName} ${name}`);
        if (
          name === 'href' &&
          /^[a-z][a-z0-9+.-]*:/i.test(url) &&
          !/^(https?|mailto|tel):/i.test(url) &&
          tagName === 'a'
        )
          dangers.push(`href ${url}`);
        if (name === 'href' && url.startsWith('//')) dangers.push(`href ${url}`);
        if (/^(src|srcset|background|poster)$/.test(name) && url !== '' && !own.test(url))
          dangers.push(`${name} ${url}`);
        if (/evil\.example/.test(value) && name !== 'content' && name !== 'href') dangers.push(`${name} ${value}`);
      }
      if (tagName === 'script' && attribute('src') !== '') dangers.push('script src');
    }
    if ('childNodes' in node) for (const child of node.childNodes) read(child);
  };
  read(parse(html));
  if (/[\u202a-\u202e\u{e0000}-\u{e007f}]/u.test(html)) dangers.push('hidden characters');
  return dangers;
}

/** The scripts in HTML, as text. */
const scriptsIn = (html: string): string[] =>
  [...html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/gi)].map(([, text = '']) => text);

const withoutModel = suite('hostile briefs without a model');

withoutModel('each hostile brief gives a mail, a page, a post and a lead magnet with its facts as text', async () => {
  const bench: Bench = await createTestService({
    ...{ publicUrl: 'https://app.acme.example/hub', plugins: bareStandardPlugins },
    plans: { pro: { ...noRateLimits, monthlyCredits: 1_000_000 } },
  });
  const { blog, brand, leadMagnets, pages, templates } = bench.service.as(bench.workspaceId);
  await brand.create({ name: 'Acme' });
  const quote =
    'News of our course “<b>Bread</b>”. Ada said: “<script>alert(1)</script> ![x](https://evil.example/x.png)”.';
  for (const { name, brief } of [...hostileBriefs, { name: 'quotes', brief: quote }]) {
    const { data } = await templates.compose({ prompt: brief, category: 'marketing', starterShellId: 'announcement' });
    const post = await blog.create({ brief });
    const page = await pages.create({ brief, length: 'short' });
    const magnet = await leadMagnets.create({ title: 'Bread', brief });
    await leadMagnets.compose({ id: magnet.id });
    await bench.drain();
    const rendered = await templates.render({ key: data.key, variables: {} });
    assert.equal([dangersIn(rendered.html ?? '', /^$/), scriptsIn(rendered.html ?? '')], [[], []], name);
    for (const url of [post.previewUrl, (await pages.read({ idOrSlug: page.id })).previewUrl]) {
      const { status, text } = await visit(bench as never, new URL(url ?? '').pathname.replace('/hub', ''));
      assert.is(status, 200, name);
      assert.equal(dangersIn(text, /^$/), [], name);
      assert.equal(
        scriptsIn(text).filter((script) => script.includes('alert')),
        [],
        name,
      );
    }
    const states = [
      (await pages.read({ idOrSlug: page.id })).composeStatus,
      (await leadMagnets.read({ id: magnet.id })).status,
    ];
    assert.equal(states, ['ready', 'ready'], name);
  }
  await bench.close();
});

withoutModel.run();

for (const vendor of Object.keys(vendors) as (keyof typeof vendors)[]) {
  const test = suite(`hostile briefs and a model that obeys them: ${vendor}`);
  let bench: Bench;
  let model: ObedientModel;
  /** The result of a harmless brief. Every hostile brief must lead to the same fields, variables and scripts. */
  let harmless: {
    readonly mail: object;
    readonly variables: readonly string[];
    readonly page: string[];
    readonly scripts: string[];
  };
  let calls = 0;

  const request = (path: string, method: string, body?: object) => {
    calls += 1;
    return bench.request(path, {
      ...{ method, headers: { 'idempotency-key': `brief-${calls}` } },
      ...(body === undefined ? {} : { body }),
    });
  };
  const composeMail = async (brief: string) => {
    const mode = vendor === 'ai-sdk' ? 'mjml' : 'html';
    const answer = await request('/v1/templates/compose', 'POST', {
      ...{ prompt: brief, category: 'marketing', mode, starterShellId: 'announcement' },
    });
    if (answer.status !== 201) return { refusal: [answer.status, answer.body.error.code] };
    return { mail: (await request(`/v1/templates/${answer.body.data.key}`, 'GET')).body };
  };
  const build = async (path: string, body: object) => {
    const created = await request(path, 'POST', body);
    assert.is(created.status, 201, JSON.stringify(created.body));
    const { id } = created.body;
    if (path === '/v1/lead-magnets') await request(`${path}/${id}/compose`, 'POST', {});
    await bench.drain();
    return (await request(`${path}/${id}`, 'GET')).body;
  };
  const publishedHtml = async (path: string, page: string) => {
    const answer = await request(path, 'POST', {});
    assert.is(answer.status, 200, JSON.stringify(answer.body));
    return (await visit(bench as never, page, { headers: { host } })).text;
  };
  const fileAt = async (url: string): Promise<string> => {
    const { body } = await bench.service.dispatch({
      method: 'GET',
      url,
      headers: {},
      body: undefined,
      address: '198.51.100.7',
    });
    return Buffer.from(await new Response(body as ReadableStream).arrayBuffer()).toString('latin1');
  };
  const stateOf = async () => ({
    lists: (await request('/v1/lists', 'GET')).body.data.length,
    contacts: (await request('/v1/contacts', 'GET')).body.data.length,
    broadcasts: (await request('/v1/broadcasts', 'GET')).body.data.length,
    sends: (await request('/v1/sends', 'GET')).body.data.length,
    keys: (await request('/v1/keys', 'GET')).status,
  });
  const isRefused = ([status, code]: readonly unknown[]) => status === 502 && code === 'compose_failed';

  test.before(async () => {
    model = await openObedientModel(vendor);
    bench = await createTestService({
      ...{ publicUrl: 'https://app.acme.example/hub', plugins: bareStandardPlugins, composer: model.composer },
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      plans: { pro: { ...noRateLimits, monthlyCredits: 1_000_000 } },
    });
    const { brand } = bench.service.as(bench.workspaceId);
    await brand.create({
      name: 'Acme',
      logos: { light: { url: 'https://cdn.acme.example/logo.png' } },
      postal_address: 'Acme',
    });
    await bench.service.workspaces.update(bench.workspaceId, { contentHost: host });
    await bench.service.as(bench.foreignWorkspaceId).blog.create({ title: secret, body: secret });
    const brief = 'Write about our course for bakers.';
    const { mail } = await composeMail(brief);
    assert.ok(mail !== undefined, 'a harmless brief gives a mail');
    const page = await build('/v1/pages', { brief, length: 'short' });
    assert.is(page.composeStatus, 'ready', JSON.stringify(page.error));
    const html = await publishedHtml(`/v1/pages/${page.id}/publish`, `/p/${page.slug}`);
    assert.equal(dangersIn(html, /^https:\/\/cdn\.acme\.example\//), []);
    harmless = {
      mail: Object.keys(mail),
      variables: Object.keys(mail.variables.properties),
      page: Object.keys(page),
      scripts: scriptsIn(html),
    };
    const magnet = await build('/v1/lead-magnets', { title: 'Bread', brief });
    assert.is(magnet.status, 'ready');
    assert.is((await request('/v1/blog/posts', 'POST', { brief })).status, 201);
  });
  test.after(async () => {
    await bench.close();
    await model.close();
  });

  /** The brief is data: it is in the prompt as one JSON string, and nowhere in the instructions. */
  function checkQuestions({ brief, name }: HostileBrief): void {
    assert.ok(model.requests.length > 0, name);
    for (const { system, prompt } of model.requests) {
      const attack = brief.slice('Write about our course for bakers. '.length).slice(0, 60);
      assert.not.ok(system.includes(attack), `${name}: the instructions have the brief`);
      const [, quoted = ''] =
        /^The brief, as a JSON string: (".*?[^\\](?:\\\\)*")(?:\n\nYour last|$)/s.exec(prompt) ?? [];
      assert.ok(
        String(JSON.parse(quoted)).includes(brief.trim().slice(0, 200)),
        `${name}: the brief is one JSON string`,
      );
      assert.not.ok(`${system}${prompt}`.includes(secret), name);
    }
  }

  for (const hostile of hostileBriefs)
    test(hostile.name, async () => {
      const { brief, obeyed } = hostile;
      model.obeyed = obeyed;
      model.requests.length = 0;
      const before = await stateOf();

      const { mail, refusal } = await composeMail(brief);
      if (refusal !== undefined) assert.ok(isRefused(refusal), `mail: ${refusal.join(' ')}`);
      else {
        assert.equal(Object.keys(mail), harmless.mail);
        assert.equal(
          [mail.category, mail.status, Object.keys(mail.variables.properties)],
          ['marketing', 'draft', harmless.variables],
        );
        assert.match(mail.body, '%unsubscribe_url%');
        assert.not.match(mail.subject, /[\r\n]/);
        const rendered = await request(`/v1/templates/${mail.key}/render`, 'POST', { variables: { name: 'Ada' } });
        assert.is(rendered.status, 200, JSON.stringify(rendered.body));
        assert.equal(dangersIn(rendered.body.html, /^https:\/\/cdn\.acme\.example\//), []);
        assert.equal(scriptsIn(rendered.body.html), []);
      }

      const page = await build('/v1/pages', { brief, length: 'short' });
      assert.equal([Object.keys(page), page.status], [harmless.page, 'draft']);
      if (page.composeStatus === 'failed') assert.match(JSON.stringify(page.error), 'compose');
      else {
        assert.is(page.composeStatus, 'ready');
        const { sections } = (await request(`/v1/pages/${page.id}?sections=full`, 'GET')).body;
        for (const { form, imageAssetId } of sections)
          assert.equal([form?.listId, imageAssetId], [undefined, undefined]);
        const html = await publishedHtml(`/v1/pages/${page.id}/publish`, `/p/${page.slug}`);
        assert.equal(dangersIn(html, /^https:\/\/cdn\.acme\.example\//), []);
        assert.equal(scriptsIn(html), harmless.scripts);
      }

      const post = await request('/v1/blog/posts', 'POST', { brief });
      if (post.status !== 201) assert.ok(isRefused([post.status, post.body.error.code]), JSON.stringify(post.body));
      else {
        assert.equal([post.body.status, post.body.coverAssetId, post.body.tags], ['draft', null, []]);
        const html = await publishedHtml(
          `/v1/blog/posts/${post.body.id}/publish`,
          `/blog/${encodeURIComponent(post.body.slug)}`,
        );
        const feed = (await visit(bench as never, '/blog/feed.xml', { headers: { host } })).text;
        const texts = [...feed.matchAll(/<content:encoded><!\[CDATA\[([\s\S]*?)\]\]><\/content/g)].map(
          ([, text = '']) => text,
        );
        for (const markup of [html, ...texts]) {
          assert.equal(dangersIn(markup, /^https:\/\/cdn\.acme\.example\//), []);
          assert.equal(scriptsIn(markup), []);
        }
        await request(`/v1/blog/posts/${post.body.id}/unpublish`, 'POST', {});
      }

      const magnet = await build('/v1/lead-magnets', { title: 'Bread', brief });
      if (magnet.status === 'failed') assert.match(JSON.stringify(magnet.error), 'compose');
      else {
        assert.is(magnet.status, 'ready');
        const exported = await request(`/v1/lead-magnets/${magnet.id}/export`, 'POST', {});
        assert.is(exported.status, 200, JSON.stringify(exported.body));
        const pdf = await fileAt(new URL(exported.body.url).pathname.replace('/hub', ''));
        assert.match(pdf, /^%PDF-/);
        const targets = [...pdf.matchAll(/\/URI \(([^)]*)\)/g)].map(([, target = '']) => target);
        assert.equal(
          targets.filter((target) => !/^(https?|mailto|tel):/.test(target)),
          [],
        );
        assert.not.match(pdf, /\/JavaScript|\/Launch|\/OpenAction/);
      }

      checkQuestions(hostile);
      assert.equal(await stateOf(), before, 'the brief created no list, contact, broadcast or send');
    });

  test.run();
}
