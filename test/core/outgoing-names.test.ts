// Host names and their DNS results: every address is checked when a URL is saved, and again when it is called.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Outgoing } from '../../core/index.ts';
import { createOutgoing, type OutgoingOptions } from '../../core/outgoing/index.ts';
import { createSystemResolve } from '../../core/outgoing/resolve.ts';
import { faultOf, type ListeningServer, type NameServer, serveHttp, startNames } from './outgoing-servers.ts';

interface Context {
  names: NameServer;
  server: ListeningServer;
}

const test = suite<Context>('outgoing names');
const openedClients: Outgoing[] = [];

test.before(async (context) => {
  context.names = await startNames();
  context.server = await serveHttp((_request, response) => response.end('reached'));
});

test.after(async ({ names, server }) => {
  for (const outgoing of openedClients) await outgoing.close();
  await server.close();
  await names.close();
});

function open({ names }: Context, options: Partial<OutgoingOptions> = {}): Outgoing {
  const outgoing = createOutgoing({ environment: 'production', resolve: names.resolve, ...options });
  openedClients.push(outgoing);
  return outgoing;
}

const get = (url: string) => ({ url, method: 'GET', headers: {} }) as const;

test('a name with public addresses may be saved', async (context) => {
  context.names.names.set('good.example', ['8.8.8.8', '2606:4700:4700::1111']);
  await open(context).check('https://good.example/hook');
  assert.equal(context.names.queries.splice(0).sort(), ['good.example A', 'good.example AAAA']);
});

for (const [title, addresses] of Object.entries({
  loopback: ['127.0.0.1'],
  'a private network': ['10.1.2.3'],
  metadata: ['169.254.169.254'],
  'IPv6 loopback': ['::1'],
  'a unique local address': ['fd00::1'],
  'an IPv4-mapped address': ['::ffff:127.0.0.1'],
  'a public address and then a private one': ['8.8.8.8', '192.168.0.1'],
  'a private address and then a public one': ['192.168.0.1', '8.8.8.8'],
  'a public IPv4 address and a private IPv6 address': ['8.8.8.8', 'fe80::1'],
  'a public IPv6 address and a private IPv4 address': ['2606:4700:4700::1111', '127.0.0.1'],
})) {
  test(`a name that resolves to ${title} is refused, both when it is saved and when it is called`, async (context) => {
    context.names.names.set('bad.example', addresses);
    const outgoing = open(context);
    const url = 'https://bad.example/';
    for (const work of [() => outgoing.check(url), () => outgoing.request(get(url))]) {
      const { fault, message } = await faultOf(work());
      assert.is(fault, 'address_refused');
      assert.match(message, /^bad\.example leads to an address that is not public\./);
      for (const address of addresses) assert.not.ok(message.includes(address), message);
    }
  });
}

test('a CNAME is followed to its address', async (context) => {
  context.names.names.set('target.example', ['10.0.0.5']);
  context.names.names.set('middle.example', { cname: 'target.example' });
  context.names.names.set('alias.example', { cname: 'middle.example' });
  assert.is((await faultOf(open(context).check('https://alias.example/'))).fault, 'address_refused');
  context.names.names.set('target.example', ['8.8.4.4']);
  await open(context).check('https://alias.example/');
});

test('a name that was public when saved but resolves to a private address when called is refused', async (context) => {
  const { names, server } = context;
  let questions = 0;
  // Both DNS queries of the first lookup return the public address.
  names.names.set('rebind.example', () => (++questions <= 2 ? ['8.8.8.8'] : ['127.0.0.1']));
  const outgoing = open(context, { allow: ['rebind.example:1'] });
  const url = `https://rebind.example:${server.port}/`;
  await outgoing.check(url);
  const before = server.connections;
  assert.is((await faultOf(outgoing.request(get(url)))).fault, 'address_refused');
  assert.is(server.connections, before);
  assert.is(questions, 4);
});

test('a connection uses exactly the address that its lookup returned', async (context) => {
  const { names, server } = context;
  let questions = 0;
  names.names.set('once.example', () => (++questions <= 2 ? ['127.0.0.1'] : ['10.0.0.1']));
  const outgoing = open(context, { allow: [`127.0.0.1:${server.port}`] });
  const answer = await outgoing.request(get(`http://once.example:${server.port}/`));
  assert.is(Buffer.from(answer.body).toString(), 'reached');
  assert.is(questions, 2);
});

test('each new connection looks up the name again', async (context) => {
  const { names, server } = context;
  names.names.set('moves.example', ['127.0.0.1']);
  const options = { allow: [`127.0.0.1:${server.port}`] };
  const url = `http://moves.example:${server.port}/`;
  const outgoing = open(context, options);
  assert.is((await outgoing.request(get(url))).status, 200);
  await outgoing.close();
  names.names.set('moves.example', ['10.0.0.1']);
  assert.is((await faultOf(outgoing.request(get(url)))).fault, 'address_refused');
});

test('an allowed name may resolve to any address, but only at the allowed port', async (context) => {
  const { names, server } = context;
  names.names.set('hooks.internal', ['127.0.0.1']);
  const outgoing = open(context, { allow: [`hooks.internal:${server.port}`] });
  assert.is((await outgoing.request(get(`http://HOOKS.internal:${server.port}/`))).status, 200);
  assert.is((await faultOf(outgoing.check(`https://hooks.internal:${server.port + 1}/`))).fault, 'address_refused');
  assert.is((await faultOf(outgoing.check(`https://x.hooks.internal:${server.port}/`))).fault, 'dns_failed');
});

test('http to a name is refused unless every address of the name is allowed', async (context) => {
  context.names.names.set('public.example', ['8.8.8.8']);
  context.names.names.set('both.example', ['10.0.0.1', '8.8.8.8']);
  const outgoing = open(context, { allow: ['10.0.0.0/8'] });
  assert.is((await faultOf(outgoing.check('http://public.example/'))).fault, 'url_refused');
  assert.is((await faultOf(outgoing.check('http://both.example/'))).fault, 'url_refused');
  await outgoing.check('https://both.example/');
});

test("in development, another machine's name that resolves to loopback is still refused", async (context) => {
  context.names.names.set('lvh.example', ['127.0.0.1']);
  const outgoing = open(context, { environment: 'development' });
  assert.is((await faultOf(outgoing.check('https://lvh.example/'))).fault, 'address_refused');
});

test('in development, a URL can also be checked by the rules of production, with the same exceptions', async (context) => {
  context.names.names.set('hooks.internal', ['10.0.0.5']);
  const outgoing = open(context, { environment: 'development', allow: ['hooks.internal'] });
  for (const [url, fault] of [
    ['http://localhost:4000/', 'url_refused'],
    ['https://localhost:4000/', 'address_refused'],
    ['https://127.0.0.1/', 'address_refused'],
  ] as const) {
    await outgoing.check(url);
    assert.is((await faultOf(outgoing.check(url, 'production'))).fault, fault, url);
  }
  await outgoing.check('http://hooks.internal/', 'production');
});

test('localhost resolves to this machine without a DNS query', async (context) => {
  const { names, server } = context;
  names.names.set('localhost', ['8.8.8.8']);
  names.queries.length = 0;
  const outgoing = open(context, { environment: 'development' });
  const { body } = await outgoing.request(get(`http://localhost:${server.port}/`));
  assert.is(Buffer.from(body).toString(), 'reached');
  assert.is((await faultOf(open(context).check('https://localhost/'))).fault, 'address_refused');
  assert.equal(names.queries, []);
});

test('a missing name and a DNS failure have different messages', async (context) => {
  context.names.names.set('broken.example', 'server failure');
  context.names.names.set('empty.example', []);
  const outgoing = open(context);
  for (const [name, sentence] of [
    ['missing.example', 'missing.example has no address. Check the spelling.'],
    ['empty.example', 'empty.example has no address. Check the spelling.'],
    ['broken.example', 'The address of broken.example cannot be looked up.'],
  ]) {
    assert.equal(await faultOf(outgoing.check(`https://${name}/`)), { fault: 'dns_failed', message: sentence });
    assert.is((await faultOf(outgoing.request(get(`https://${name}/`)))).fault, 'dns_failed');
  }
});

test('a lookup without a DNS response times out', async (context) => {
  context.names.names.set('silent.example', 'silent');
  const outgoing = open(context);
  const request = { ...get('https://silent.example/'), connectTimeoutMs: 100 };
  const expected = { fault: 'dns_failed', message: 'The address of silent.example could not be looked up in time.' };
  assert.equal(await faultOf(outgoing.request(request)), expected);
  assert.equal(await faultOf(outgoing.check('https://silent.example/')), expected);
});

test('a lookup result that is not a valid address is refused', async (context) => {
  for (const address of ['fe80::1%eth0', '0x7f000001', 'localhost', '']) {
    const outgoing = open(context, { resolve: async () => ['8.8.8.8', address] });
    assert.is((await faultOf(outgoing.check('https://odd.example/'))).fault, 'address_refused');
  }
  const withoutAddress = open(context, { resolve: async () => [] });
  assert.is((await faultOf(withoutAddress.check('https://odd.example/'))).fault, 'dns_failed');
});

test('a name that DNS does not have is looked up in the hosts file', async () => {
  // Every machine has this name in its hosts file. DNS returns no address for it, or the same addresses.
  const addresses = await createSystemResolve()('localhost');
  assert.ok(addresses.includes('127.0.0.1') || addresses.includes('::1'), addresses.join());
});

test.run();
