// Brands: their values, the only default, merging, themes and the templates that use them, contrast warnings, limits.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const mjml = `<mjml><mj-head><mj-attributes><mj-all font-family="{{theme.fonts.body.css}}" /></mj-attributes></mj-head>
<mj-body background-color="{{theme.palette.background}}"><mj-section><mj-column>
{% if theme.logo %}<mj-image src="{{theme.logo.url}}" alt="Logo" />{% endif %}
<mj-button href="https://example.com" background-color="{{theme.palette.primary}}" border-radius="{{theme.radius}}px">Hello {{name}}</mj-button>
</mj-column></mj-section></mj-body></mjml>`;

await twoDatabases('brand', (test, database) => {
  let bench: MailBench;
  let calls = 0;
  test.before.each(async () => {
    bench = await openMailBench(database);
  });
  test.after.each(() => bench.close());

  const call = (path: string, method: string, body: object, key = bench.liveKey) => {
    calls += 1;
    return bench.request(path, { method, body, key, headers: { 'idempotency-key': `brand-${calls}` } });
  };
  const create = (body: object, key?: string) => call('/v1/brand', 'POST', body, key);
  const update = (id: string, body: object) => call(`/v1/brand/${id}`, 'PATCH', body);
  const read = async (id: string) => (await bench.request(`/v1/brand/${id}`)).body;

  test('a brand needs only a name: the rest is neutral and readable, and the first brand is the default', async () => {
    assert.is((await read('default')).error.code, 'brand_not_found');
    const { status, body } = await create({ name: 'Northwind' });
    assert.is(status, 201);
    const { id, palette, fonts, created_at, ...rest } = body;
    assert.match(id, /^brd_/);
    assert.equal(rest, {
      name: 'Northwind',
      is_default: true,
      voice: { tone: null, personality: null, do: [], dont: [], sample: null },
      logos: { light: null, dark: null, mark: null },
      themes: [],
      warnings: [],
      updated_at: created_at,
      postal_address: null,
      imprint_url: null,
      privacy_url: null,
    });
    for (const colour of ['primary', 'secondary', 'accent', 'background', 'text'])
      assert.match(palette[colour], /^#[0-9a-f]{6}$/);
    assert.is(fonts.body.fallback, 'sans');
    assert.equal(await read('default'), body);
    assert.equal(await read(id), body);
  });

  test('another brand can become the default, but an update cannot leave the workspace without a default brand', async () => {
    const first = (await create({ name: 'First' })).body;
    const second = (await create({ name: 'Second' })).body;
    assert.is(second.is_default, false);
    const refusal = await update(first.id, { is_default: false });
    assert.equal([refusal.status, refusal.body.error.code], [409, 'state_conflict']);
    assert.is((await update(second.id, { is_default: true })).body.is_default, true);
    assert.is((await read(first.id)).is_default, false);
    assert.is((await read('default')).id, second.id);
    const third = (await create({ name: 'Third', is_default: true })).body;
    assert.is((await read('default')).id, third.id);
    assert.is(
      (await bench.request('/v1/brand')).body.data.filter((one: { is_default: boolean }) => one.is_default).length,
      1,
    );
  });

  test('a change is merged, and null restores the neutral value', async () => {
    const { id, palette, fonts } = (await create({ name: 'Plain' })).body;
    await update(id, {
      voice: { tone: 'Warm', do: ['Say thanks'] },
      palette: { primary: '#ABCDEF', text: '#222222' },
      fonts: { heading: { family: 'Playfair Display', fallback: 'serif' } },
      logos: { light: { url: 'https://cdn.example.com/logo.png' } },
    });
    const changed = (await update(id, { voice: { personality: 'Calm' }, palette: { text: null } })).body;
    assert.equal(changed.voice, { tone: 'Warm', personality: 'Calm', do: ['Say thanks'], dont: [], sample: null });
    assert.equal(changed.palette, { ...palette, primary: '#abcdef' });
    assert.is(changed.fonts.heading.family, 'Playfair Display');
    assert.equal(changed.logos.light, { url: 'https://cdn.example.com/logo.png' });
    const cleared = (await update(id, { voice: null, palette: null, fonts: { heading: null }, logos: { light: null } }))
      .body;
    assert.equal(
      [cleared.voice.tone, cleared.palette, cleared.fonts, cleared.logos.light],
      [null, palette, fonts, null],
    );
  });

  test('text with low contrast is accepted, with a warning that states the contrast', async () => {
    const body = {
      name: 'Pale',
      palette: { text: '#999999' },
      themes: [{ name: 'Dark', palette: { background: '#101010', text: '#ffffff' } }],
    };
    const { warnings } = (await create(body)).body;
    assert.equal(
      warnings.map(({ path, code }: { path: string; code: string }) => [path, code]),
      [['palette.text', 'contrast_low']],
    );
    assert.match(warnings[0].message, /2\.84 to 1; WCAG AA asks for 4\.5/);
  });

  test('an invalid colour, font, logo URL or asset is refused with its path', async () => {
    const bodies: Readonly<Record<string, object>> = {
      'palette.primary': { palette: { primary: 'red' } },
      'fonts.body.family': { fonts: { body: { family: "Arial'; x", fallback: 'sans' } } },
      'logos.light.url': { logos: { light: { url: 'http://cdn.example.com/logo.png' } } },
      'logos.dark.assetId': { logos: { dark: { assetId: 'asset_01JD3Q5S8ZK2M4N6P8R0T2V4W6' } } },
      'voice.do': { voice: { do: Array.from({ length: 21 }, () => 'Be brief') } },
      'themes.0.radius': { themes: [{ name: 'Round', radius: 41 }] },
    };
    for (const [path, body] of Object.entries(bodies)) {
      const answer = await create({ name: 'Wrong', ...body });
      assert.equal([answer.status, answer.body.error.details[0].path], [422, path], JSON.stringify(answer.body));
    }
    const both = { url: 'https://cdn.example.com/a.png', assetId: 'asset_01JD3Q5S8ZK2M4N6P8R0T2V4W6' };
    const answer = await create({ name: 'Wrong', logos: { dark: both } });
    assert.match(answer.body.error.details[0].message, /not both/);
  });

  test('themes are replaced as a list: a theme with an id stays the same theme, and only ids of this brand are accepted', async () => {
    const brand = (
      await create({ name: 'Themed', palette: { primary: '#112233' }, themes: [{ name: 'A' }, { name: 'B' }] })
    ).body;
    const [a, b] = brand.themes;
    assert.is(a.palette.primary, '#112233');
    assert.is(a.radius, 8);
    const otherBrand = (await create({ name: 'Other', themes: [{ name: 'Theirs' }] })).body;
    const changed = (await update(brand.id, { themes: [{ name: 'New' }, { id: b.id, name: 'B2', radius: 0 }] })).body
      .themes;
    assert.equal(
      changed.map(({ name }: { name: string }) => name),
      ['New', 'B2'],
    );
    assert.equal([changed[1].id, changed[1].radius], [b.id, 0]);
    for (const id of [a.id, otherBrand.themes[0].id]) {
      const answer = await update(brand.id, { themes: [{ id, name: 'X' }] });
      assert.equal([answer.status, answer.body.error.details[0].path], [422, 'themes.0.id']);
    }
    assert.equal((await update(brand.id, { themes: null })).body.themes, []);
  });

  test('a template can only have a theme of its own workspace, and reads the values of the theme in the variable theme', async () => {
    const { service, workspaceId, foreignWorkspaceId } = bench;
    const foreignBrand = await service.as(foreignWorkspaceId).brand.create({ name: 'Theirs', themes: [{ name: 'T' }] });
    for (const themeId of [foreignBrand.themes[0]?.id, 'thm_01JD3Q5S8ZK2M4N6P8R0T2V4W6']) {
      const answer = await bench.request('/v1/templates', { body: { key: 'themed', themeId } });
      assert.equal([answer.status, answer.body.error.code], [404, 'theme_not_found']);
    }
    const logo = { url: 'https://cdn.example.com/logo.png' };
    const fonts = { body: { family: 'Open Sans', fallback: 'sans' } } as const;
    const { brand, templates, email } = service.as(workspaceId);
    const { id, themes } = await brand.create({
      name: 'Ours',
      themes: [{ name: 'T', palette: { primary: '#aa1144' }, fonts, logo, radius: 12 }],
    });
    const [theme] = themes;
    assert.ok(theme !== undefined);
    await bench.publish('themed', { mode: 'mjml', subject: 'Hello', body: mjml, themeId: theme.id });
    const { required, variables } = await templates.schema({ key: 'themed' });
    assert.equal([required, Object.keys(variables['properties'] as object)], [['name'], ['name']]);
    await email.send({ template: 'themed', to: 'ada@example.com', variables: { name: 'Ada' } });
    const { html } = await email.preview({ template: 'themed', variables: { name: 'Ada' } });
    for (const part of ['#aa1144', '12px', 'https://cdn.example.com/logo.png', 'Open Sans, Helvetica'])
      assert.ok(html.includes(part), part);
    await bench.drain();
    assert.ok((await bench.received())[0]?.html?.includes('#aa1144'));

    // The published version keeps the old values. The working copy has the new values.
    await brand.update({ id, themes: [{ id: theme.id, name: 'T', palette: { primary: '#0000aa' } }] });
    assert.ok((await email.preview({ template: 'themed', variables: { name: 'Ada' } })).html.includes('#aa1144'));
    const draft = await templates.render({ key: 'themed', variables: { name: 'Ada' } });
    assert.ok(
      draft.html?.includes('#0000aa') && !draft.html.includes('<img'),
      'the working copy shows the current theme',
    );
  });

  test('publish refuses a path that no theme has, with its line and the paths that exist', async () => {
    const [theme] = (await create({ name: 'Paths', themes: [{ name: 'P' }] })).body.themes;
    const body = '<p style="color:{{theme.colors.primary}}">Hi {{name}}</p>';
    const content = { subject: 'Hello {{theme.nam}}', mode: 'html', body };
    const draft = await bench.request('/v1/templates', { body: { key: 'paths', ...content, themeId: theme.id } });
    assert.is(draft.status, 201);
    for (const headers of [{}, { 'Dry-Run': 'true' }]) {
      const publish = await bench.request('/v1/templates/paths/publish', { body: {}, headers });
      assert.equal([publish.status, publish.body.error.code], [422, 'template_invalid']);
      const [subject, colour] = publish.body.error.details;
      assert.equal([subject.path, subject.code], ['subject', 'theme_path_unknown']);
      assert.match(subject.message, /reads theme\.nam, which no theme has\. Did you mean theme\.name\?/);
      assert.equal([colour.path, colour.code], ['body', 'theme_path_unknown']);
      assert.match(colour.message, /Did you mean theme\.palette\.primary\?.*theme\.fonts\.body\.family.*theme\.radius/);
    }
    // Without a logo, its URL is empty. A template may test for a logo, just as it may print it.
    const good =
      '{% if theme.logo %}{{theme.logo.url}}{% endif %}{{theme.logo.url}}{{theme.radius}} {{theme.fonts.body.family}}';
    await bench.publish('paths_known', { mode: 'html', themeId: theme.id, body: `<p>${good}</p>`, subject: 'Hello' });
    await bench.service.as(bench.workspaceId).email.preview({ template: 'paths_known', variables: {} });
  });

  test('a theme that the workspace lacks is refused, and the error names the call that lists themes', async () => {
    const content = { key: 'unthemed', subject: 'x', mode: 'html', body: '<p>{{theme.palette.primary}}</p>' };
    await bench.request('/v1/templates', { body: content });
    const missing = await bench.request('/v1/templates/unthemed', {
      method: 'PATCH',
      body: { themeId: 'thm_01JD3Q5S8ZK2M4N6P8R0T2V4W6' },
    });
    assert.match(missing.body.error.message, /GET \/v1\/brand/);
  });

  test('a theme cannot be removed while a template uses it', async () => {
    const brand = (await create({ name: 'Used', themes: [{ name: 'A' }, { name: 'B' }] })).body;
    const [a, b] = brand.themes;
    await bench.publish('user', { themeId: a.id });
    const refusal = await update(brand.id, { themes: [{ id: b.id, name: 'B' }] });
    assert.equal([refusal.status, refusal.body.error.code], [409, 'theme_in_use']);
    assert.match(refusal.body.error.message, /user/);
    assert.is((await read(brand.id)).themes.length, 2);
    await bench.request('/v1/templates/user', { method: 'PATCH', body: { themeId: null } });
    assert.is((await update(brand.id, { themes: [{ id: b.id, name: 'B' }] })).status, 200);
    const ownVariables = { type: 'object', properties: { theme: { type: 'string' } } };
    const draft = await bench.request('/v1/templates', {
      body: {
        key: 'own',
        subject: 'x',
        mode: 'html',
        body: '<p>{{theme}}</p>',
        themeId: b.id,
        variables: ownVariables,
      },
    });
    assert.is(draft.status, 201);
    const publish = await bench.request('/v1/templates/own/publish', { body: {} });
    assert.equal([publish.status, publish.body.error.code], [422, 'template_invalid']);
  });

  test('a sandbox key can read brands, but not change them; a workspace has at most 50 brands', async () => {
    const { id } = (await create({ name: 'Live' })).body;
    assert.is((await bench.request(`/v1/brand/${id}`, { key: bench.testKey })).status, 200);
    assert.is((await create({ name: 'Sandbox' }, bench.testKey)).body.error.code, 'live_key_required');
    const { brand } = bench.service.as(bench.workspaceId);
    for (let count = 1; count < 50; count += 1) await brand.create({ name: `Brand ${count}` });
    const refusal = await create({ name: 'One too many' });
    assert.equal([refusal.status, refusal.body.error.code], [409, 'limit_reached']);
  });
});
