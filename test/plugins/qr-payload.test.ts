// Payloads of codes: Wi-Fi networks and contact cards, each according to its format.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { folded, vcardText } from '../../plugins/qr/payload/vcard.ts';
import { wifiText } from '../../plugins/qr/payload/wifi.ts';
import { encodes } from '../../plugins/qr/schema.ts';

const test = suite('payloads of codes');

test('a Wi-Fi network is written in the format that scanners know, with special characters escaped', () => {
  // The examples of the format's description (github.com/zxing/zxing/wiki/Barcode-Contents).
  assert.is(
    wifiText({ ssid: 'mynetwork', password: 'mypass', encryption: 'WPA', hidden: false }),
    'WIFI:T:WPA;S:mynetwork;P:mypass;;',
  );
  assert.is(
    wifiText({ ssid: '"foo;bar\\baz"', password: undefined, encryption: 'nopass', hidden: false }),
    'WIFI:T:nopass;S:\\"foo\\;bar\\\\baz\\";;',
  );
  assert.is(
    wifiText({ ssid: 'a,b:c', password: ';', encryption: 'WEP', hidden: true }),
    'WIFI:T:WEP;S:a\\,b\\:c;P:\\;;H:true;;',
  );
  // A name that could be read as hexadecimal digits is quoted.
  assert.is(wifiText({ ssid: 'ABCD', encryption: 'nopass', hidden: false }), 'WIFI:T:nopass;S:"ABCD";;');
  // A password of digits is not quoted.
  assert.is(
    wifiText({ ssid: 'home', password: '12345678', encryption: 'WPA', hidden: false }),
    'WIFI:T:WPA;S:home;P:12345678;;',
  );
});

const card = { kind: 'vcard' as const, firstName: 'Ada', lastName: 'Lovelace', phones: [], emails: [] };
const linesOf = (text: string): string[] => text.replace(/\r\n /g, '').split('\r\n');

test('a contact card is a vCard 4.0 (RFC 6350)', () => {
  const text = vcardText({
    ...card,
    organisation: 'ABC, Inc.; North',
    title: 'Countess \\ Analyst',
    phones: ['+44 (20) 7946-0018', '555 1234'],
    emails: ['ada@example.com'],
    url: 'https://example.com/?a=1,2;b=3',
    address: '12 St James Square\nLondon',
    note: 'First line\r\nsecond line',
  });
  assert.equal(linesOf(text), [
    'BEGIN:VCARD',
    'VERSION:4.0',
    'FN:Ada Lovelace',
    'N:Lovelace;Ada;;;',
    // Section 3.4: a backslash before comma, semicolon and backslash, \n for a line break.
    'ORG:ABC\\, Inc.\\; North',
    'TITLE:Countess \\\\ Analyst',
    'TEL;VALUE=uri:tel:+44-20-7946-0018',
    'TEL;VALUE=uri:tel:555-1234',
    'EMAIL:ada@example.com',
    'URL:https://example.com/?a=1,2;b=3',
    'ADR:;;12 St James Square\\nLondon;;;;',
    'NOTE:First line\\nsecond line',
    'END:VCARD',
    '',
  ]);
});

test('no field can end its line and start another line', () => {
  const text = vcardText({ ...card, firstName: 'A\r\nNOTE:forged', note: 'x\u0000\rTEL:1\u001b' });
  const names = linesOf(text).map((line) => line.split(/[:;]/)[0]);
  assert.equal(names, ['BEGIN', 'VERSION', 'FN', 'N', 'NOTE', 'END', '']);
});

test('long lines are folded at 75 bytes, between characters (section 3.2)', () => {
  const line = `NOTE:${'é€😀x'.repeat(30)}`;
  const parts = folded(line).split('\r\n');
  assert.ok(parts.length > 2);
  for (const part of parts) assert.ok(Buffer.byteLength(part) <= 75);
  assert.ok(parts.slice(1).every((part) => part.startsWith(' ')));
  assert.is(parts.map((part, at) => (at === 0 ? part : part.slice(1))).join(''), line);
});

test('values that the format does not allow are refused, and the error names the field', () => {
  const faultOf = (payload: object): string => encodes.safeParse(payload).error?.issues[0]?.path.join('.') ?? 'none';
  const wifi = { kind: 'wifi', ssid: 'home', encryption: 'WPA', password: 'secret' };
  assert.is(faultOf(wifi), 'none');
  assert.is(faultOf({ ...wifi, password: undefined }), 'password');
  assert.is(faultOf({ ...wifi, encryption: 'nopass' }), 'password');
  assert.is(faultOf({ ...wifi, ssid: 'é'.repeat(17) }), 'ssid');
  assert.is(faultOf({ kind: 'static', payload: 'é'.repeat(600) }), 'none');
  assert.is(faultOf({ kind: 'static', payload: `${'é'.repeat(600)}x` }), 'payload');
  assert.is(faultOf({ ...card, phones: ['javascript:1'] }), 'phones.0');
  assert.is(faultOf({ ...card, url: 'javascript:alert(1)' }), 'url');
});

test.run();
