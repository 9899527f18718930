// The pages of members, of the plan, of connectors, of SMS and of assets in the console: who sees them, their contents, and their forms.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { smtpConnector } from '../../adapters/mail/smtp-connector.ts';
import { png } from '../support/asset-files.ts';
import { type ConsoleBench, openConsoleBench } from '../support/console-bench.ts';

const hostile = '<b>Bold</b> & "more"';
const escaped = '&lt;b&gt;Bold&lt;/b&gt; &amp; &quot;more&quot;';

const test = suite<{ bench: ConsoleBench }>('the settings, SMS and assets in the console');

test.before.each(async (context) => {
  context.bench = await openConsoleBench({
    members: [{ uid: 'u_ada', name: hostile, email: 'ada@example.com', role: '<i>owner</i>' }],
    providers: [smtpConnector()],
  });
});
test.after.each(({ bench }) => bench.close());

test('the page shows the members of the program, or says that the directory has no people', async ({ bench }) => {
  const { text } = await bench.page('/members');
  assert.match(text, new RegExp(`${escaped}</span><span class="below"><code class="id">u_ada</code>`));
  assert.match(text, '&lt;i&gt;owner&lt;/i&gt;');
  assert.not.match(text, hostile);
  const empty = await openConsoleBench();
  assert.match((await empty.page('/members')).text, 'Your program lists no members.');
  await empty.close();
});

test('the plan page shows the limits and their use', async ({ bench }) => {
  const { text } = await bench.page('/plan');
  assert.match(text, '<dt>Plan</dt><dd dir="auto">pro</dd>');
  assert.match(text, '<dt>Sends this month (UTC)</dt><dd dir="auto">1</dd>');
  assert.match(text, '<dt>Sends a month at most</dt><dd dir="auto">50,000</dd>');
  assert.match(text, '<li>contacts</li>');
});

test('connectors show their state and provider, but never a secret', async ({ bench }) => {
  assert.match((await bench.page('/connectors')).text, /A connector is[\s\S]*This service can connect: SMTP\./);
  await bench.service.connectors.create(bench.workspaceId, {
    kind: 'mail',
    provider: 'smtp',
    name: hostile,
    credentials: { user: 'acme', pass: 'hunter22-secret' },
    options: { host: 'smtp.acme.example', port: 587 },
  });
  const { text } = await bench.page('/connectors');
  assert.match(text, new RegExp(`${escaped}</span>[\\s\\S]*pill good">Connected</span>[\\s\\S]*SMTP<[\\s\\S]*Never`));
  assert.not.match(text, /hunter22|<b>Bold/);
});

test('SMS show their text, state and timeline, and can be filtered by state and template', async ({ bench }) => {
  assert.match((await bench.page('/sms?side=sandbox')).text, 'Codes, notices and reminders');
  const sandbox = bench.service.as(bench.workspaceId, { sandbox: true });
  const { id: consentProofId } = await sandbox.sms.consentCreate({
    to: '+14155550100',
    source: 'Checkout form',
    wording: 'Text me about my order.',
  });
  const { id } = await sandbox.sms.send({
    templateKey: 'order_shipped',
    to: '+14155550100',
    variables: { order: '<b>A-17</b>' },
    consentProofId,
  });
  await bench.drain();
  const { text } = await bench.page('/sms?side=sandbox');
  assert.match(text, /\+14155550100[\s\S]*&lt;b&gt;A-17&lt;\/b&gt;/);
  assert.match(text, new RegExp(`Accepted</span>[\\s\\S]*${consentProofId}[\\s\\S]*${id}`));
  assert.not.match(text, '<b>A-17');
  assert.match((await bench.page('/sms?side=sandbox&template=order_shipped')).text, id);
  assert.match((await bench.page('/sms?side=sandbox&status=failed')).text, 'No SMS matches these filters.');
  assert.not.match((await bench.page('/sms')).text, id);
});

test('assets are listed and filtered, and a person can view and delete an asset', async ({ bench }) => {
  assert.match((await bench.page('/assets')).text, 'Assets are the pictures, videos and documents');
  const dataBase64 = png(4, 6).toString('base64');
  const { assetId } = await bench.calls.assets.create({ name: hostile, dataBase64, alt: hostile, tags: ['home'] });
  const list = (await bench.page('/assets?kind=image&source=upload&tag=home')).text;
  assert.match(list, new RegExp(`assets/${assetId}\\?side=live">${escaped}</a><span class="below">${escaped}`));
  assert.match(list, /Picture<span class="below">4 × 6/);
  assert.match((await bench.page('/assets?kind=video')).text, 'No asset matches these filters.');
  const one = (await bench.page(`/assets/${assetId}`)).text;
  assert.match(one, /href="[^"]+" target="_blank" rel="noreferrer">Open the file/);
  for (const text of [list, one]) assert.not.match(text, hostile);
  assert.not.match((await bench.page(`/assets/${assetId}?side=sandbox`)).text, 'value="delete"');
  assert.match((await bench.post(`/assets/${assetId}`, { action: 'delete', key: 'k' })).text, 'The asset was deleted.');
  assert.is((await bench.page(`/assets/${assetId}`)).status, 404);
  const { data } = await bench.calls.audit.list({ action: 'asset.delete' });
  assert.equal([data[0]?.target.id, data[0]?.actor.user], [assetId, 'u_sue']);
});

test('a file can be added from an address', async ({ bench }) => {
  const fields = { action: 'add', name: 'Header', sourceUrl: 'https://files.example/header.png', alt: 'Bread' };
  assert.is((await bench.post('/assets', { ...fields, key: 'k1' })).status, 303);
  const [asset] = (await bench.calls.assets.list()).data;
  assert.equal([asset?.name, asset?.alt, asset?.source], ['Header', 'Bread', 'url']);
  const refusal = await bench.post('/assets', { ...fields, sourceUrl: 'file:///etc/passwd', key: 'k2' });
  assert.equal([refusal.status, refusal.text.includes('Nothing was changed.')], [422, true]);
});

test('each page needs its scope, each form needs the scope of its operation, and other workspaces are not found', async ({
  bench,
}) => {
  const dataBase64 = png(4, 6).toString('base64');
  const other = bench.service.as(bench.foreignWorkspaceId);
  const { assetId: foreign } = await other.assets.create({ name: 'Theirs', dataBase64 });
  assert.is((await bench.page(`/assets/${foreign}`)).status, 404);
  assert.is((await bench.post(`/assets/${foreign}`, { action: 'delete', key: 'k' })).status, 404);
  assert.not.match((await bench.page('/assets')).text, 'Theirs');
  const { assetId } = await bench.calls.assets.create({ name: 'Ours', dataBase64 });
  bench.signIn.present = bench.member(['assets:read']);
  for (const path of ['/assets', `/assets/${assetId}`])
    assert.not.match((await bench.page(path)).text, 'method="post"');
  assert.is((await bench.post(`/assets/${assetId}`, { action: 'delete', key: 'k' })).status, 422);
  bench.signIn.present = bench.member(['contacts:read']);
  for (const path of ['/members', '/plan', '/connectors', '/sms', '/assets'])
    assert.is((await bench.page(path)).status, 403, path);
});

test.run();
