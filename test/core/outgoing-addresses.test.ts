// Every spelling of an address that must not be called, and public addresses that may be called.
import { BlockList, isIPv4 } from 'node:net';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addressBytes, addressRange, isInRange, isPublicAddress } from '../../core/outgoing/addresses.ts';
import { createOutgoing } from '../../core/outgoing/index.ts';
import { faultOf } from './outgoing-servers.ts';

const test = suite('outgoing addresses');

const failLookup = async (name: string): Promise<readonly string[]> => {
  throw new Error(`${name} is looked up, and no address of this test is a name.`);
};
const production = createOutgoing({ environment: 'production', resolve: failLookup });
const development = createOutgoing({ environment: 'development', resolve: failLookup });

/** The error with which both saving and calling a URL refuse it */
async function refusal(url: string, outgoing = production): Promise<string> {
  const saveFault = await faultOf(outgoing.check(url));
  const callFault = await faultOf(outgoing.request({ url, method: 'POST', headers: {} }));
  assert.equal(callFault, saveFault, url);
  return saveFault.fault;
}

const nonPublicAddresses = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255', '100.100.100.200'],
  ...[
    '127.0.0.1',
    '127.255.255.254',
    '168.63.129.16',
    '169.254.169.254',
    '169.254.0.1',
    '172.16.0.1',
    '172.31.255.255',
  ],
  ...['192.0.0.1', '192.0.0.192', '192.0.2.1', '192.88.99.1', '192.168.0.1', '198.18.0.1', '198.19.255.255'],
  ...['198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...['[::]', '[::1]', '[::ffff:127.0.0.1]', '[::ffff:8.8.8.8]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[::8.8.8.8]'],
  ...['[::ffff:0:127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b::8.8.8.8]', '[64:ff9b:1::1]', '[100::1]'],
  ...['[2001::1]', '[2001:0:4136:e378:8000:63bf:3fff:fdd2]', '[2001:10::1]', '[2001:2::1]', '[2001:db8::1]'],
  ...['[2002:7f00:1::]', '[2002:808:808::]', '[3fff::1]', '[3ffe::1]', '[5f00::1]', '[4000::1]', '[fc00::1]'],
  ...['[fd00:ec2::254]', '[fd20:ce::254]', '[fe80::1]', '[febf::1]', '[fec0::1]', '[ff02::1]', '[ff0e::1]'],
  ...['[0000:0000:0000:0000:0000:0000:0000:0001]', '[0:0:0:0:0:ffff:10.0.0.1]'],
];

for (const host of nonPublicAddresses) {
  test(`${host} is not public`, async () => {
    assert.is(await refusal(`https://${host}/hook`), 'address_refused');
    assert.is(await refusal(`https://${host}:8443/hook`), 'address_refused');
  });
}

const spellings = {
  'octal parts': 'https://0177.0.0.1/',
  'an octal number': 'https://017700000001/',
  'a decimal number': 'https://2130706433/',
  'a decimal number of a public address': 'https://134744072/',
  'a hexadecimal number': 'https://0x7f000001/',
  'hexadecimal parts': 'https://0x7f.0x0.0x0.0x1/',
  'three parts': 'https://127.0.1/',
  'two parts': 'https://127.1/',
  'one part': 'https://1/',
  'leading zeros': 'https://127.0.0.01/',
  'a dot after an address': 'https://127.0.0.1./',
  'a dot after a public address': 'https://8.8.8.8./',
  'a dot after a name': 'https://example.com./',
  'digits of other scripts': 'https://①②⑦.⓪.⓪.①/',
  'full-width digits': 'https://１２７.０.０.１/',
  'full-width dots': 'https://127。0。0。1/',
  'Arabic digits': 'https://١٢٧.0.0.1/',
  'percent signs': 'https://%31%32%37.0.0.1/',
  'a percent sign in a name': 'https://ex%61mple.com/',
  'a zone id': 'https://[fe80::1%25eth0]/',
  'a plain zone id': 'https://[fe80::1%eth0]/',
  'five parts': 'https://127.0.0.1.1/',
  'a part over 255': 'https://256.0.0.1/',
  'a user name': 'https://user@example.com/',
  'a user name and a password': 'https://user:password@example.com/',
  'an empty user name': 'https://@example.com/',
  'an address as the user name': 'https://8.8.8.8@127.0.0.1/',
  'a backslash': 'https://example.com\\@127.0.0.1/',
  'a line break': 'https://exam\nple.com/',
  'a tab': 'https://exam\tple.com/',
  'a space at the beginning': ' https://example.com/',
  'a zero byte': 'https://example\0.com/',
  'one slash': 'https:/example.com/',
  'no slashes': 'https:example.com',
  'three slashes': 'https:///example.com/',
  'no scheme': 'example.com/hook',
  'another scheme': 'ftp://example.com/',
  'a file': 'file:///etc/passwd',
  data: 'data:text/plain,hello',
  'a socket': 'unix:/run/docker.sock',
  nothing: '',
  'plain http': 'http://example.com/',
  'plain http to a public address': 'http://8.8.8.8/',
  'a port over 65535': 'https://example.com:70000/',
  'the port of SMTP': 'https://example.com:25/',
  'the port of SMTP over TLS': 'https://8.8.8.8:465/',
  'the port of SSH': 'https://example.com:22/',
};

for (const [title, url] of Object.entries(spellings)) {
  test(`${title}: ${JSON.stringify(url)} is refused before any DNS lookup`, async () => {
    assert.is(await refusal(url), 'url_refused');
  });
}

test('public addresses may be called', async () => {
  for (const host of ['8.8.8.8', '1.1.1.1', '100.63.255.255', '100.128.0.1', '172.15.0.1', '172.32.0.1', '198.20.0.1'])
    await production.check(`https://${host}/`);
  for (const host of ['[2606:4700:4700::1111]', '[2a00:1450:4001:81b::200e]', '[2001:4860:4860::8888]'])
    await production.check(`https://${host}:8443/`);
});

test('in development, loopback is the only private address that may be called, and plain http is allowed there', async () => {
  for (const host of [
    'localhost:3000',
    'shop.localhost:3000',
    'LOCALHOST',
    '127.0.0.1:3000',
    '127.3.2.1',
    '[::1]:3000',
  ]) {
    await development.check(`http://${host}/`);
    await development.check(`https://${host}/`);
    assert.ok(['address_refused', 'url_refused'].includes(await refusal(`http://${host}/`)));
    assert.is(await refusal(`https://${host}/`), 'address_refused');
  }
  for (const host of ['10.0.0.1', '169.254.169.254', '192.168.1.1', '[::ffff:127.0.0.1]', '0.0.0.0'])
    assert.is(await refusal(`https://${host}/`, development), 'address_refused');
  assert.is(await refusal('http://10.0.0.1/', development), 'url_refused');
  assert.is(await refusal('http://8.8.8.8/', development), 'url_refused');
});

test('only allowed private addresses may be called', async () => {
  const allow = ['10.0.0.0/8', '127.0.0.1:4000', '[fd00::1]:8080', 'fd12::/16', '192.168.1.7'];
  const intranet = createOutgoing({ environment: 'production', allow, resolve: failLookup });
  for (const address of ['10.1.2.3', '10.1.2.3:9000', '127.0.0.1:4000', '[fd00::1]:8080', '[fd12:1::5]', '192.168.1.7'])
    for (const scheme of ['http', 'https']) await intranet.check(`${scheme}://${address}/`);
  for (const address of ['11.1.2.3:22', '127.0.0.1:4001', '127.0.0.2:4000', '[fd00::1]', '[fd13::5]', '192.168.1.8'])
    await faultOf(intranet.check(`https://${address}/`));
  assert.is(await refusal('http://8.8.8.8/', intranet), 'url_refused');
});

test('an invalid entry in the allow list throws at once', () => {
  for (const entry of [
    '',
    '10.0.0.0/33',
    '10.0.0/8',
    'https://hooks.internal',
    'a b',
    '*.internal',
    'x:0',
    'x:99999',
    '1.2.3',
  ])
    assert.throws(
      () => createOutgoing({ environment: 'production', allow: [entry] }),
      (error: Error) => error instanceof RangeError && error.message.includes(JSON.stringify(entry)),
    );
});

test('an error says what to do and does not repeat a password', async () => {
  const { message } = await faultOf(production.check('https://ada:hunter2@example.com/'));
  assert.match(message, /leave them out/);
  assert.not.match(message, /hunter2|ada/);
  assert.match((await faultOf(production.check('https://10.0.0.1/'))).message, /^10\.0\.0\.1 is not public\./);
  assert.match((await faultOf(development.check('https://10.0.0.1/'))).message, /outgoing\.allow/);
});

const ipv4 = fc.ipV4();
const ipv6 = fc.ipV6();

test("parsed addresses and blocks agree with Node's BlockList", () => {
  fc.assert(
    fc.property(fc.oneof(ipv4, ipv6), fc.oneof(ipv4, ipv6), fc.nat(128), (address, start, length) => {
      const family = isIPv4(start) ? 'ipv4' : 'ipv6';
      const bits = family === 'ipv4' ? length % 33 : length;
      const list = new BlockList();
      list.addSubnet(start, bits, family);
      const range = addressRange(`${start}/${bits}`);
      const bytes = addressBytes(address);
      assert.ok(range !== undefined && bytes !== undefined, `${start}/${bits} ${address}`);
      assert.ok(isInRange(addressBytes(start)!, range), `${start} in ${start}/${bits}`);
      if (isIPv4(address) !== isIPv4(start)) return assert.not.ok(isInRange(bytes, range));
      assert.is(isInRange(bytes, range), list.check(address, family), `${address} in ${start}/${bits}`);
    }),
    { numRuns: 2_000 },
  );
});

test('no IPv6 address outside 2000::/3 is public', () => {
  fc.assert(
    fc.property(ipv6, (address) => {
      const bytes = addressBytes(address);
      assert.ok(bytes);
      if ((bytes[0]! & 0xe0) !== 0x20) assert.not.ok(isPublicAddress(bytes), address);
    }),
  );
});

test.run();
