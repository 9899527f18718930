// Builds the text of a code that joins a Wi-Fi network: `WIFI:T:WPA;S:name;P:password;;`. ZXing introduced this form
// (github.com/zxing/zxing/wiki/Barcode-Contents), and WPA3 standardised it (WPA3 specification, section 7).

interface WifiFields {
  readonly ssid: string;
  readonly password?: string | undefined;
  readonly encryption: 'WPA' | 'WEP' | 'nopass';
  readonly hidden: boolean;
}

/** The faults of these fields. */
export function wifiFaults({ ssid, password, encryption }: WifiFields): { path: string; message: string }[] {
  const faults: { path: string; message: string }[] = [];
  if (Buffer.byteLength(ssid) > 32)
    faults.push({ path: 'ssid', message: 'The name of a network has at most 32 bytes.' });
  if (encryption === 'nopass' && password !== undefined)
    faults.push({ path: 'password', message: 'An open network (nopass) has no password. Leave it out.' });
  if (encryption !== 'nopass' && password === undefined)
    faults.push({ path: 'password', message: `A network with ${encryption} needs its password.` });
  return faults;
}

/** Escapes characters with a meaning in the format with a backslash. */
const escaped = (text: string): string => text.replace(/[\\;,:"]/g, '\\$&');

/** Quotes a name of hexadecimal digits: the format allows scanners to read such a name as bytes. */
const quoted = (text: string): string => (/^(?:[0-9a-f]{2})+$/i.test(text) ? `"${text}"` : escaped(text));

/** The text of the code. */
export function wifiText({ ssid, password, encryption, hidden }: WifiFields): string {
  const secret = password === undefined ? '' : `P:${escaped(password)};`;
  return `WIFI:T:${encryption};S:${quoted(ssid)};${secret}${hidden ? 'H:true;' : ''};`;
}
