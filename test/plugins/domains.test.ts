// Sending domains: the records to publish, their states in DNS, and mail that is signed with the domain's key. The test has its own DNS,
// and checks signatures with its own implementation.
// full-run: slow
import * as assert from 'uvu/assert';
import type { PostriderError } from '../../core/index.ts';
import type { DnsResolver } from '../../plugins/domains/index.ts';
import { type ConnectorBench, openConnectorBench } from '../support/connector-bench.ts';
import { twoDatabases } from '../support/databases.ts';
import { isSigned, signatureOf } from '../support/dkim.ts';

const variables = { name: 'Ada' };

/** A zone that a test fills. A name without records is unknown (ENOTFOUND). If `failing` or `silent` is set, lookups fail or never end. */
class Zone implements DnsResolver {
  readonly texts = new Map<string, string[]>();
  readonly names = new Map<string, string[]>();
  failing: string | undefined;
  silent = false;

  async #records(of: ReadonlyMap<string, string[]>, name: string): Promise<string[]> {
    if (this.silent) return new Promise(() => undefined);
    if (this.failing !== undefined) throw Object.assign(new Error('no'), { code: this.failing });
    const records = of.get(name);
    if (records === undefined) throw Object.assign(new Error('no'), { code: 'ENOTFOUND' });
    return records;
  }

  /** Parts of 255 characters, as DNS servers return long texts. */
  resolveTxt = async (name: string): Promise<string[][]> =>
    (await this.#records(this.texts, name)).map((text) => text.match(/.{1,255}/g) ?? []);
  resolveCname = (name: string): Promise<string[]> => this.#records(this.names, name);
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    return (error as PostriderError).code;
  }
  return 'succeeded';
}

await twoDatabases('sending domains', (test, database) => {
  let bench: ConnectorBench;
  let zone: Zone;
  test.before.each(async () => {
    zone = new Zone();
    const service = { publicUrl: 'https://app.example.net/messaging' };
    bench = await openConnectorBench(database, { resolver: zone, service });
  });
  test.after.each(() => bench.close());

  type CreatedDomain = Awaited<ReturnType<typeof bench.service.domains.create>>;
  const create = (domain = 'mail.example.org', dkim?: { selector: string }, workspaceId = bench.workspaceId) =>
    bench.service.domains.create(workspaceId, { domain, ...(dkim === undefined ? {} : { dkim }) });
  const verify = (domain = 'mail.example.org') => bench.service.domains.verify(bench.workspaceId, domain);
  const publish = (
    { records }: CreatedDomain,
    purposes: readonly string[] = ['dkim', 'spf', 'dmarc', 'tracking'],
  ): void => {
    for (const { purpose, type, name, value } of records)
      if (purposes.includes(purpose)) (type === 'TXT' ? zone.texts : zone.names).set(name, [value]);
  };
  const statesOf = ({ records }: Awaited<ReturnType<typeof verify>>) => records.map(({ state }) => state);
  const sendFrom = (email: string) =>
    bench.send('receipt', { to: 'ada@example.com', variables, from: { email, name: 'Shop' } });

  test('a new domain returns the records to publish, and never its private key', async () => {
    const created = await create('Mail.Example.org ', { selector: 'post2026' });
    assert.match(created.id, /^dom_/);
    assert.equal([created.domain, created.status, created.verifiedAt], ['mail.example.org', 'pending', null]);
    const [dkim, ...others] = created.records;
    assert.equal([dkim?.type, dkim?.name, dkim?.required], ['TXT', 'post2026._domainkey.mail.example.org', true]);
    assert.match(dkim?.value ?? '', /^v=DKIM1; k=rsa; p=MIIB[A-Za-z0-9+/]{380,}=*$/);
    assert.equal(
      others.map(({ purpose, type, name, value, required }) => [purpose, type, name, value, required]),
      [
        ['spf', 'TXT', 'mail.example.org', 'v=spf1 a mx ~all', false],
        ['dmarc', 'TXT', '_dmarc.mail.example.org', 'v=DMARC1; p=none', false],
        ['tracking', 'CNAME', 'track.mail.example.org', 'app.example.net', false],
      ],
    );
    assert.not.match(JSON.stringify(created), 'PRIVATE');
    assert.equal(await bench.service.domains.list(bench.workspaceId), [created]);
    const [one, two] = [await create('a.example.org'), await create('b.example.org')];
    assert.is.not(one.selector, two.selector);
    assert.is.not(one.records[0]?.value, two.records[0]?.value);
  });

  test('an invalid domain or selector, and a duplicate, are refused; so is a domain of another workspace', async () => {
    await create();
    assert.is(await codeOf(create()), 'state_conflict');
    assert.is(await codeOf(create('not a domain')), 'validation_failed');
    assert.is(await codeOf(create('other.example.org', { selector: 'a.b' })), 'validation_failed');
    await create('theirs.example.org', undefined, bench.foreignWorkspaceId);
    assert.is(await codeOf(verify('theirs.example.org')), 'domain_not_found');
    assert.is(await codeOf(bench.service.domains.delete(bench.workspaceId, 'theirs.example.org')), 'domain_not_found');
  });

  test('only the key in DNS verifies a domain, and before that no mail leaves from it', async () => {
    const created = await create();
    assert.is((await sendFrom('shop@mail.example.org')).body.error.code, 'from_not_allowed');
    assert.equal(statesOf(await verify()), ['missing', 'missing', 'missing', 'missing']);
    publish(created, ['spf', 'dmarc', 'tracking']);
    zone.texts.set(created.records[0]?.name ?? '', ['v=DKIM1; k=rsa; p=AAAA']);
    const pending = await verify();
    assert.equal([pending.status, ...statesOf(pending)], ['pending', 'different', 'found', 'found', 'found']);
    assert.is((await sendFrom('shop@mail.example.org')).status, 422);
    publish(created);
    const verification = await verify();
    assert.equal([verification.status, ...statesOf(verification)], ['verified', 'found', 'found', 'found', 'found']);
    assert.equal([verification.verifiedAt, verification.checkedAt], Array(2).fill(new Date(bench.now()).toISOString()));
    assert.is((await sendFrom('shop@mail.example.org')).status, 202);
    assert.ok((await bench.service.workspaces.read(bench.workspaceId)).sendingDomains.includes('mail.example.org'));
    const { body } = await bench.request('/v1/audit?action=domain.verify');
    assert.is(body.data.length, 1);
  });

  test('an equivalent record is enough, but two contradictory records are not', async () => {
    const created = await create();
    publish(created);
    zone.texts.set('mail.example.org', ['v=spf1 include:_spf.other.example +mx a -all', 'unrelated=1']);
    zone.texts.set('_dmarc.mail.example.org', ['v=DMARC1;p=reject; rua=mailto:dmarc@example.org']);
    zone.names.set('track.mail.example.org', ['App.Example.net.']);
    assert.equal(statesOf(await verify()), ['found', 'found', 'found', 'found']);
    zone.texts.set('mail.example.org', ['v=spf1 a mx ~all', 'v=spf1 -all']);
    zone.texts.set('_dmarc.mail.example.org', ['v=DMARC1; p=none', 'v=DMARC1; p=reject']);
    zone.names.set('track.mail.example.org', ['elsewhere.example']);
    assert.equal(statesOf(await verify()), ['found', 'different', 'different', 'different']);
  });

  test('if DNS fails or does not answer in time, no status changes; a verified domain stays verified', async () => {
    const created = await create();
    zone.failing = 'ESERVFAIL';
    const afterFailure = await verify();
    assert.equal(
      [afterFailure.status, ...statesOf(afterFailure)],
      ['pending', 'unknown', 'unknown', 'unknown', 'unknown'],
    );
    zone.failing = undefined;
    publish(created);
    await verify();
    zone.silent = true;
    const aborted = await bench.service.domains.check(bench.workspaceId, { signal: AbortSignal.abort() });
    assert.equal(aborted.map(statesOf), [['unknown', 'unknown', 'unknown', 'unknown']]);
    zone.silent = false;
    zone.texts.clear();
    const withoutRecord = await verify();
    assert.equal([withoutRecord.status, withoutRecord.records[0]?.state], ['verified', 'missing']);
  });

  test('mail from a verified domain has a signature that its DNS record proves, and other mail has no signature', async () => {
    const created = await create('mail.example.org', { selector: 'post' });
    publish(created);
    await verify();
    const account = await bench.account('connected');
    const { credentials, options } = account;
    const connector = { kind: 'mail', provider: 'smtp', name: 'Own', credentials, options } as const;
    await bench.publish('code', { body: '<html><body><p>  Grüße,   {{name}} </p></body></html>' });
    await bench.service.connectors.create(bench.workspaceId, { ...connector, uses: { templates: ['code'] } });
    await sendFrom('shop@mail.example.org');
    const from = { email: 'shop@mail.example.org', name: 'Geschäft' };
    await bench.send('code', { to: 'ada@example.com', variables, from, headers: { 'X-Ref': '1' } });
    await sendFrom('hello@example.com');
    await bench.drain();
    const record = created.records[0]?.value ?? '';
    const [plain, signed] = [
      bench.sink.messages.find(({ from }) => from === 'hello@example.com'),
      bench.sink.messages.find(({ from }) => from === 'shop@mail.example.org'),
    ];
    const [connected] = account.sink.messages;
    assert.ok(plain && signed && connected);
    assert.is(signatureOf(plain.raw), undefined);
    for (const { raw } of [signed, connected]) {
      assert.equal([signatureOf(raw)?.get('d'), signatureOf(raw)?.get('s')], ['mail.example.org', 'post']);
      assert.match(signatureOf(raw)?.get('h') ?? '', /(^|:)from(:|$)/i);
      assert.ok(await isSigned(raw, record), 'the signature does not match the record');
      const text = raw.toString('latin1');
      for (const changed of [
        text.replace('Shop', 'Shep').replace('Gesch', 'Gosch'),
        `${text.trimEnd()}!\r\n`,
        text.replace(/^Subject: \w/m, 'Subject: _'),
      ])
        assert.not.ok(
          await isSigned(Buffer.from(changed, 'latin1'), record),
          'a changed message has a valid signature',
        );
    }
  });

  test('a deleted domain sends no more mail, and its key is removed', async () => {
    const created = await create();
    publish(created);
    await verify();
    await bench.service.domains.delete(bench.workspaceId, 'mail.example.org');
    assert.is((await sendFrom('shop@mail.example.org')).body.error.code, 'from_not_allowed');
    const { core } = bench.service;
    const row = await (await core.database()).read(bench.workspaceId, (handle) =>
      core.services.vault.find(handle, created.id),
    );
    assert.is(row, undefined);
    assert.is((await create()).status, 'pending');
  });
});
