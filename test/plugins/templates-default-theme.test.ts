// When templates without their own theme are sent, they use the style of their workspace's default brand, or the style of the starters if
// there is no brand.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { connectedStandardPlugins } from '../support/plugins.ts';

const body = `<html><body style="color:{{ theme.palette.text }};font-family:{{ theme.fonts.body.css }}">
<a href="https://acme.example" style="background:{{ theme.palette.primary }};color:{{ theme.palette.onPrimary }}">{{ name }}</a>
{% if theme.logo.url %}<img src="{{ theme.logo.url }}" alt="Logo">{% endif %}</body></html>`;
const content = { mode: 'html', subject: 'News of {{ theme.name }}', body } as const;

await twoDatabases('templates in the style of the default brand', (test, database) => {
  let bench: MailBench;
  let sent = 0;
  test.before(async () => {
    bench = await openMailBench(database, { plugins: connectedStandardPlugins });
  });
  test.after(() => bench.close());

  /** Sends a mail, checks that it equals its preview, and returns it. */
  async function mailOf(workspaceId: string, template = 'news'): Promise<{ html: string; subject: string }> {
    const { email } = bench.service.as(workspaceId);
    const variables = { name: 'İda 日本' };
    const preview = await email.preview({ template, variables });
    sent += 1;
    const to = `reader-${sent}@example.com`;
    await email.send({ template, to, variables });
    await bench.drain();
    const mail = (await bench.received()).find((found) => found.to?.[0]?.address === to);
    assert.ok(mail, to);
    assert.is(mail.html?.replaceAll('\r\n', '\n').trim(), preview.html.trim(), 'preview and send differ');
    assert.is(mail.subject, preview.subject);
    return { html: preview.html, subject: preview.subject };
  }

  test('each workspace has its own style, and a new colour needs no publish', async () => {
    const { service, workspaceId, foreignWorkspaceId } = bench;
    for (const id of [workspaceId, foreignWorkspaceId]) {
      await service.as(id).templates.create({ key: 'news', ...content });
      await service.as(id).templates.publish({ key: 'news' });
    }
    const schema = await service.as(workspaceId).templates.schema({ key: 'news' });
    assert.equal(schema.required, ['name'], 'no caller gives the theme');

    const plain = await mailOf(workspaceId);
    assert.match(plain.html, 'background:#1c5a44;color:#f8fcf9');
    assert.equal(
      [plain.subject, plain.html.includes('<img'), /:;|undefined|\{\{/.test(plain.html)],
      ['News of Plain', false, false],
    );

    const { brand } = service.as(workspaceId);
    const logos = { light: { url: 'https://cdn.example.com/logo.png' } };
    const fonts = { body: { family: 'Open Sans', fallback: 'sans' } } as const;
    const { id } = await brand.create({ name: 'Öürs & Co', palette: { primary: '#aa1144' }, fonts, logos });
    await service.as(foreignWorkspaceId).brand.create({ name: 'Theirs', palette: { primary: '#ffee00' } });
    const ownMail = await mailOf(workspaceId);
    for (const part of ['background:#aa1144;color:#fdfdfd', 'font-family:Open Sans, Helvetica', 'logo.png'])
      assert.ok(ownMail.html.includes(part), part);
    assert.is(ownMail.subject, 'News of Öürs & Co');
    const foreignMail = await mailOf(foreignWorkspaceId);
    assert.match(foreignMail.html, 'background:#ffee00;color:#14181c');
    assert.is(foreignMail.subject, 'News of Theirs');

    await brand.update({ id, palette: { primary: '#0000aa' } });
    assert.match((await mailOf(workspaceId)).html, 'background:#0000aa');
    const secondBrand = await brand.create({ name: 'Next', palette: { primary: '#004400' } });
    await brand.update({ id: secondBrand.id, is_default: true });
    assert.match((await mailOf(workspaceId)).html, 'background:#004400');
  });

  test("a template's own theme has priority, and a declared variable named theme belongs to the callers", async () => {
    const { service, workspaceId } = bench;
    const { brand, templates, email } = service.as(workspaceId);
    const [theme] = (
      await brand.create({ name: 'Themed', themes: [{ name: 'Winter', palette: { primary: '#123456' } }] })
    ).themes;
    await templates.create({ key: 'own', ...content, themeId: theme?.id ?? '' });
    await templates.publish({ key: 'own' });
    assert.match((await mailOf(workspaceId, 'own')).html, 'background:#123456');

    const variables = { type: 'object', properties: { theme: { type: 'string' } } };
    await templates.create({ key: 'declared', mode: 'html', subject: 'x', body: '<p>{{ theme }}</p>', variables });
    await templates.publish({ key: 'declared' });
    const preview = await email.preview({ template: 'declared', variables: { theme: 'Jazz' } });
    assert.match(preview.html, '<p>Jazz</p>');
    const answer = await bench.send('news', { to: 'x@example.com', variables: { name: 'A', theme: { name: 'Mine' } } });
    assert.is(answer.status, 422, 'callers cannot set the style');
  });

  test('layouts, drafts and the starters use the default brand too', async () => {
    const { service, workspaceId } = bench;
    const { templates, brand } = service.as(workspaceId);
    const frame = '<html><body style="background:{{ theme.palette.background }}">{% content %}</body></html>';
    await templates.create({ key: 'frame', kind: 'layout', mode: 'html', body: frame });
    await templates.publish({ key: 'frame' });
    await templates.create({ key: 'framed', mode: 'html', layout: 'frame', subject: 'x', body: '<p>{{ name }}</p>' });
    const { data } = await brand.list({});
    const chosen = data.find(({ is_default: isDefault }) => isDefault);
    await brand.update({ id: chosen?.id ?? '', palette: { background: '#fafafa', primary: '#7a1f5c' } });
    const draft = await templates.render({ key: 'framed', variables: { name: 'Ada' } });
    assert.match(draft.html ?? '', 'background:#fafafa');
    assert.equal(draft.warnings, []);
    const fresh = service.as(
      (await service.workspaces.create({ name: 'Fresh', defaultFrom: { email: 'hi@fresh.example', name: 'Fresh' } }))
        .id,
    );
    const before = await fresh.templates.render({ key: 'welcome' });
    assert.ok(before.html?.includes('#1c5a44'), 'without a brand they have their own colours');
    await fresh.brand.create({ name: 'Fresh', palette: { primary: '#7a1f5c' } });
    const starter = await fresh.templates.render({ key: 'welcome' });
    assert.ok(starter.html?.includes('#7a1f5c') && !starter.html.includes('#1c5a44'), 'the starter has the new colour');
    const wrong = await bench.request('/v1/templates', {
      body: { ...content, key: 'wrong', body: '<p>{{ theme.palete.primary }}</p>' },
    });
    assert.is(wrong.status, 201);
    const refusal = await bench.request('/v1/templates/wrong/publish', { body: {} });
    assert.match(
      refusal.body.error.message,
      /theme\.palete\.primary, which no theme has\. Did you mean theme\.palette\.primary\?/,
    );
  });
});
