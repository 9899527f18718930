// Sending domains over the API and in the console: the records to set, the result of the last check, the advice, and a check on request.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { DnsResolver } from '../../plugins/domains/index.ts';
import { type ConsoleBench, openConsoleBench } from '../support/console-bench.ts';

/** A DNS zone that a test fills. It counts the lookups. */
class Zone implements DnsResolver {
  readonly texts = new Map<string, string[]>();
  lookups = 0;

  resolveTxt = async (name: string): Promise<string[][]> => {
    this.lookups += 1;
    const found = this.texts.get(name);
    if (found === undefined) throw Object.assign(new Error('no'), { code: 'ENOTFOUND' });
    return found.map((text) => [text]);
  };
  resolveCname = async (): Promise<string[]> => {
    this.lookups += 1;
    throw Object.assign(new Error('no'), { code: 'ESERVFAIL' });
  };
}

const test = suite<{ bench: ConsoleBench; zone: Zone }>('sending domains in the console');
const name = 'mail.example.org';

test.before.each(async (context) => {
  context.zone = new Zone();
  context.bench = await openConsoleBench({ resolver: context.zone });
});
test.after.each(({ bench }) => bench.close());

const add = ({ service, workspaceId }: ConsoleBench, domain = name) =>
  service.domains.create(workspaceId, { domain, dkim: { selector: 'post' } });

test('a domain shows the records to set and, after a check, what is wrong with each and what to do', async ({
  bench,
  zone,
}) => {
  const { records } = await add(bench);
  assert.match((await bench.page('/domains')).text, /mail\.example\.org<\/a>[\s\S]*Not verified[\s\S]*Not checked yet/);
  const path = `/domains/${name}`;
  const before = await bench.page(path);
  assert.match(before.text, 'is refused until its DKIM record is in DNS');
  assert.match(before.text, 'data-copy>post._domainkey.mail.example.org<');
  assert.is(zone.lookups, 0);
  zone.texts.set(name, ['v=spf1 include:<other> ~all']);
  const checked = await bench.post(path, { action: 'check', key: 'k1' });
  assert.is(checked.status, 303);
  const { text } = await bench.page(path);
  assert.match(text, /is refused: its DKIM record was not found\.[\s\S]*3 records are not right in DNS\./);
  assert.match(text, /Different<\/span>[\s\S]*the SPF record does not name your servers: v=spf1 include:&lt;other&gt;/);
  assert.match((await bench.page('/domains')).text, '3 records to set');
  bench.advanceClock(10_000);
  for (const { type, name: at, value } of records) if (type === 'TXT') zone.texts.set(at, [value]);
  await bench.post(path, { action: 'check', key: 'k2' });
  const after = await bench.page(path);
  assert.match(after.text, 'Mail from mail.example.org is accepted and signed.');
  assert.match(after.text, 'DMARC passes by DKIM');
  const { data } = await bench.calls.audit.list({ action: 'domain.verify' });
  assert.equal(
    data.map(({ actor }) => [actor.kind, actor.user]),
    [
      ['dashboard', 'u_sue'],
      ['dashboard', 'u_sue'],
    ],
  );
});

test('a check asks DNS at most once in ten seconds, and returns the last result until then', async ({
  bench,
  zone,
}) => {
  await add(bench);
  const first = await bench.calls.domains.verify({ domain: 'MAIL.example.org' });
  const { lookups: asked } = zone;
  assert.ok(asked > 0);
  bench.advanceClock(9_999);
  assert.equal(await bench.calls.domains.verify({ domain: name }), first);
  assert.is(zone.lookups, asked);
  bench.advanceClock(1);
  await bench.calls.domains.verify({ domain: name });
  assert.ok(zone.lookups > asked);
});

test('if a record of a verified domain is gone, the page reports it and the domain stays verified', async ({
  bench,
  zone,
}) => {
  const { records } = await add(bench);
  for (const { type, name: at, value } of records) if (type === 'TXT') zone.texts.set(at, [value]);
  await bench.calls.domains.verify({ domain: name });
  zone.texts.clear();
  bench.advanceClock(60_000);
  const afterRemoval = await bench.calls.domains.verify({ domain: name });
  assert.is(afterRemoval.status, 'verified');
  assert.match(afterRemoval.alignment, 'receivers cannot check the signature');
  assert.match((await bench.page(`/domains/${name}`)).text, /is accepted and signed, but 3 records are not right/);
  assert.match((await bench.page('/domains')).text, 'Records missing');
});

test('records of a domain that cannot exist in DNS are missing after the first check', async () => {
  const bench = await openConsoleBench();
  await add(bench, 'mail.acme.example');
  const { records } = await bench.calls.domains.verify({ domain: 'mail.acme.example' });
  assert.equal([...new Set(records.map(({ state }) => state))], ['missing']);
  await bench.close();
});

test('a check needs its scope and the live side, and domains of other workspaces do not exist', async ({ bench }) => {
  await add(bench);
  await bench.service.domains.create(bench.foreignWorkspaceId, { domain: 'theirs.example.org' });
  assert.is((await bench.page('/domains/theirs.example.org')).status, 404);
  assert.not.match((await bench.page(`/domains/${name}?side=sandbox`)).text, 'Check now');
  bench.signIn.present = bench.member(['connectors:read']);
  assert.not.match((await bench.page(`/domains/${name}`)).text, 'Check now');
  assert.is((await bench.post(`/domains/${name}`, { action: 'check', key: 'k' })).status, 422);
  bench.signIn.present = bench.member(['sends:read']);
  assert.is((await bench.page('/domains')).status, 403);
});

test('the search finds a domain by the beginning of its name', async ({ bench }) => {
  await add(bench);
  assert.match((await bench.page('/search?q=mail.ex')).text, `domains/${name}?side=live`);
});

test.run();
