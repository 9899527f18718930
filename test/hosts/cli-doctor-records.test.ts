// The doctor's findings about the DNS records of a sending domain, from a DNS server that the test runs.
// full-run: slow
import { Resolver } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import type DNS from 'dns2';
import { createServer, Packet } from 'dns2';
import * as assert from 'uvu/assert';
import { checkDomains } from '../../hosts/cli/doctor/workspace-checks.ts';
import { openConnectorBench } from '../support/connector-bench.ts';
import { twoDatabases } from '../support/databases.ts';

/** A DNS server that answers TXT queries from `texts`, each text as a separate record. */
async function startTexts(texts: ReadonlyMap<string, readonly string[]>) {
  const { TYPE, CLASS } = Packet;
  const server = createServer({
    udp: true,
    handle(request, send) {
      const response = Packet.createResponseFromRequest(request);
      const [{ name, type } = { name: '', type: 0 }] = request.questions;
      const records = type === TYPE.TXT ? texts.get(name) : undefined;
      if (records === undefined) response.header.rcode = 3;
      for (const data of records ?? [])
        response.answers.push({ name, type, class: CLASS.IN, ttl: 0, data } as unknown as DNS.Packet.Resource);
      void send(response);
    },
  });
  const { udp } = await server.listen({ udp: { port: 0, address: '127.0.0.1' } });
  const resolver = new Resolver({ timeout: 5_000, tries: 2 });
  resolver.setServers([`127.0.0.1:${(udp as AddressInfo).port}`]);
  return { resolver, stop: async () => void (await server.close()) };
}

await twoDatabases('doctor on the records of a domain', (test, database) => {
  const texts = new Map<string, readonly string[]>();

  /** Every sentence about the domain if DNS contains these records. */
  async function sentences(spf: readonly string[], dmarc: readonly string[]): Promise<string[]> {
    texts.clear();
    texts.set('acme.example', spf).set('_dmarc.acme.example', dmarc);
    const dns = await startTexts(texts);
    const bench = await openConnectorBench(database, { resolver: dns.resolver });
    try {
      await bench.service.domains.create(bench.workspaceId, { domain: 'acme.example' });
      const signal = AbortSignal.timeout(60_000);
      const findings = await checkDomains(bench.service, bench.workspaceId, signal);
      return findings.map((finding) => JSON.stringify(finding)).filter((text) => text.includes('acme.example'));
    } finally {
      await bench.close();
      await dns.stop();
    }
  }

  test('several SPF records are one fault, which lists them', async () => {
    const two = ['v=spf1 a mx ~all', 'v=spf1 include:mail.example -all'];
    const text = (await sentences(two, ['v=DMARC1; p=none'])).join('\n');
    assert.match(text, /there are several SPF records, and receivers then ignore all of them\. Make one of them: /);
    for (const record of two) assert.ok(text.includes(record), text);
    assert.not.match(text, /DMARC/);
  });

  test('several DMARC records are one fault, which lists them', async () => {
    const two = ['v=DMARC1; p=none', 'v=DMARC1; p=reject'];
    const text = (await sentences(['v=spf1 a mx ~all'], two)).join('\n');
    assert.match(text, /there are several DMARC records, and receivers then ignore all of them\. Keep one of them: /);
    for (const record of two) assert.ok(text.includes(record), text);
    assert.not.match(text, /SPF/);
  });

  test('one SPF and one DMARC record among other texts are not a fault', async () => {
    const findings = await sentences(['google-site-verification=abc', 'v=spf1 a mx ~all'], ['v=DMARC1; p=none']);
    assert.not.match(findings.join('\n'), /SPF|DMARC/);
    assert.match(findings.join('\n'), /the DKIM record is missing/);
  });
});
