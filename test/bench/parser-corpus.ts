// The worst known inputs for all code that parses untrusted bytes, in the largest size that each parser accepts. Used by
// parsers.ts, which measures them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { mailboxReports } from '../../adapters/mail/mailbox.ts';
import { readFeed } from '../../adapters/news/rss-feed.ts';
import { byteRange } from '../../core/contract/http/byte-range.ts';
import { matchesIfNoneMatch } from '../../core/contract/http/entity-tag.ts';
import { chooseTexts } from '../../core/pages/page-texts.ts';
import { refusalTexts } from '../../core/pages/refusal-texts.ts';
import { negotiate } from '../../core/projections/accept.ts';
import { readJsonBody } from '../../core/projections/body.ts';
import { decodeCursor } from '../../core/storage/cursor.ts';
import { localOutgoing } from '../../hosts/testing/local-outgoing.ts';
import { memorySource, readFormat } from '../../plugins/assets/formats/read-format.ts';
import { openRows } from '../../plugins/contacts/csv/read-file.ts';
import { displayHtml } from '../../plugins/inbox/display-html.ts';
import { analyseMail } from '../../plugins/inbox/mail-content.ts';
import { svgFault } from '../../plugins/qr/logo/svg-check.ts';
import { compilePattern, findPatternFault } from '../../plugins/templates/contract/pattern.ts';
import { checkContract } from '../../plugins/templates/contract/schema.ts';
import { compileValidator } from '../../plugins/templates/contract/validator.ts';
import { parseTemplate } from '../../plugins/templates/language/liquid.ts';

/** One parser with its inputs. */
export interface ParserCases {
  readonly parser: string;
  /** The maximum of bytes that it gets. */
  readonly bytes: number;
  /** Inputs by description. Each function makes an input of at most this many bytes. */
  readonly inputs: Readonly<Record<string, (bytes: number) => string | Buffer>>;
  readonly read: (input: Buffer) => unknown;
}

const many = (part: string, bytes: number): string => part.repeat(Math.max(1, Math.floor(bytes / part.length)));
const inside = (before: string, part: string, after: string) => (bytes: number) =>
  before + many(part, bytes - before.length - after.length) + after;
const nested =
  (open: string, close: string, core = '') =>
  (bytes: number) => {
    const depth = Math.floor((bytes - core.length) / (open.length + close.length));
    return open.repeat(depth) + core + close.repeat(depth);
  };
const text = (input: Buffer): string => input.toString('latin1');
const mebibyte = 1_048_576;

function pngOfChunks(bytes: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const wholeChunk = Buffer.alloc(body.length + 8);
    wholeChunk.writeUInt32BE(data.length, 0);
    body.copy(wholeChunk, 4);
    wholeChunk.writeUInt32BE(crc32(body), body.length + 4);
    return wholeChunk;
  };
  const head = Buffer.from([0, 0, 0, 9, 0, 0, 0, 9, 8, 0, 0, 0, 0]);
  const empty = chunk('IDAT', Buffer.alloc(0));
  const all = Buffer.alloc(Math.floor((bytes - 60) / 12) * 12);
  for (let at = 0; at < all.length; at += 12) empty.copy(all, at);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', head), all, chunk('IEND', Buffer.alloc(0))]);
}

const jpegOf = (part: string) => (bytes: number) =>
  Buffer.from(
    `ffd8ffc0000b080009000901011100${part.repeat(Math.floor((bytes - 30) / (part.length / 2)))}ffda0002ffd9`,
    'hex',
  );
const gifOf = (part: string) => (bytes: number) =>
  Buffer.from(
    `474946383961090009000000002c00000000090009000002${part.repeat(Math.floor((bytes - 30) / (part.length / 2)))}003b`,
    'hex',
  );
function webpOfChunks(bytes: number): Buffer {
  const count = Math.floor((bytes - 40) / 8);
  const all = Buffer.from(
    `52494646000000005745425056503858${'0a000000'}00000000080000080000${'414e4d4600000000'.repeat(count)}`,
    'hex',
  );
  all.writeUInt32LE(all.length - 8, 4);
  return all;
}

const secret = 'a secret for measurements';
const reports = mailboxReports({ secret });
const readMail = (body: Buffer) =>
  reports.read({ headers: { authorization: `Bearer ${secret}` }, body, now: 0, outgoing: localOutgoing() });
const readJson = (body: Buffer) =>
  readJsonBody(
    { method: 'POST', url: '/', headers: { 'content-type': 'application/json' }, body } as never,
    10 * mebibyte,
  );
const asset = (bytes: number, inputs: ParserCases['inputs'], parser: string): ParserCases => ({
  ...{ parser, bytes, inputs },
  read: (input) => readFormat(memorySource(input)),
});
const svgRoot = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">';

async function countRows(input: Buffer): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-csv-'));
  const file = join(folder, 'rows.csv');
  let rows = 0;
  try {
    writeFileSync(file, input);
    for await (const { cells } of (await openRows(file, 'rows.csv')).rows()) rows += Math.min(1, cells.length);
  } finally {
    rmSync(folder, { recursive: true });
  }
  return rows;
}

function validate(input: Buffer): unknown {
  const checkedContract = checkContract(JSON.parse(text(input)));
  return checkedContract.ok ? compileValidator(checkedContract.contract)({}) : checkedContract.faults;
}

const markupInputs: ParserCases['inputs'] = {
  'open tags': (bytes) => many('<a', bytes),
  'open quotes': (bytes) => many('<a b="', bytes),
  'open comments': (bytes) => many('<!--', bytes),
  'elements in elements': nested('<b>', '</b>'),
  'many attributes': (bytes) => `<a ${many('b=1 ', bytes)}>`,
  styles: (bytes) => many('<style>(prefers-color-scheme: dark)', bytes),
  'open styles': (bytes) => `<style>${many('( prefers-color-scheme ', bytes)}`,
  'spaces in a style': (bytes) => `<style>${many('color-scheme   ', bytes)}`,
  links: (bytes) => many('<a href=x>', bytes),
  'open scripts': (bytes) => many('<script>', bytes),
  references: (bytes) => many('&amp;', bytes),
};

export const parserCases: readonly ParserCases[] = [
  {
    parser: 'JSON bodies',
    bytes: mebibyte,
    inputs: {
      'lists in lists': nested('[', ']'),
      'objects in objects': nested('{"a":', '}', '1'),
      'many values': inside('[', '1,', '1]'),
      'many strings of quotes': inside('["', '\\"', '"]'),
      'many names': (bytes) => `{${Array.from({ length: bytes / 12 }, (_, id) => `"${id}":1`).join(',')}}`,
    },
    read: readJson,
  },
  {
    parser: 'Accept',
    bytes: 16_384,
    inputs: {
      'many ranges': (bytes) => many('a/b,', bytes),
      'many parameters': (bytes) => `a/b${many(';a', bytes)}`,
      quotes: (bytes) => many('"\\', bytes),
      'open quotes': (bytes) => many('",', bytes),
    },
    read: (input) => negotiate(text(input), ['application/json', 'image/png', 'image/webp', 'text/csv']),
  },
  {
    parser: 'Accept-Language',
    bytes: 16_384,
    inputs: { 'many languages': (bytes) => many('xx;q=1,', bytes), dashes: (bytes) => many('a-', bytes) },
    read: (input) => chooseTexts(refusalTexts, text(input)).language,
  },
  {
    parser: 'If-None-Match and Range',
    bytes: 16_384,
    inputs: {
      'many tags': (bytes) => many('"a",', bytes),
      'weak marks': (bytes) => many('W/', bytes),
      spaces: (bytes) => `bytes=${many(' ', bytes)}-`,
    },
    read: (input) => [
      matchesIfNoneMatch({ headers: { 'if-none-match': text(input) } }, '"b"'),
      byteRange(text(input), 9),
    ],
  },
  {
    parser: 'cursors',
    bytes: 16_384,
    inputs: {
      'lists in lists': (bytes) => Buffer.from(nested('[', ']')((bytes * 3) / 4)).toString('base64url'),
      'many values': (bytes) => Buffer.from(inside('[', '1,', '1]')((bytes * 3) / 4)).toString('base64url'),
      'no base64': (bytes) => many('*', bytes),
    },
    read: (input) => decodeCursor('list', text(input)),
  },
  {
    parser: 'mails to the bounce mailbox (MIME)',
    // The limit is higher, but no more is read.
    bytes: 10 * mebibyte,
    inputs: {
      'many parts': inside('Content-Type: multipart/mixed; boundary=b\r\n\r\n', '--b\r\n\r\n\r\n', '--b--'),
      'parts in parts': (bytes) => {
        const count = Math.floor(bytes / 70);
        return Array.from(
          { length: count },
          (_, id) => `Content-Type: multipart/mixed; boundary=${id}\r\n\r\n--${id}\r\n`,
        ).join('');
      },
      'many headers': (bytes) => `${many('A: b\r\n', bytes)}\r\n`,
      'one folded header': (bytes) => `Subject: a${many('\r\n b', bytes)}\r\n\r\n`,
      'encoded words': (bytes) => `Subject: ${many('=?utf-8?q?a?= ', bytes)}\r\n\r\n`,
      'open encoded words': (bytes) => `Subject: ${many('=?utf-8?q?', bytes)}\r\n\r\n`,
      'many addresses': (bytes) => `To: ${many('a@b.c,', bytes)}\r\n\r\n`,
      'groups of addresses': (bytes) => `To: ${many('a:', bytes)}\r\n\r\n`,
      'comments in an address': (bytes) => `To: ${many('(', bytes)}\r\n\r\n`,
      'parameters of a type': (bytes) => `Content-Type: text/plain${many('; a*0*=b', bytes)}\r\n\r\n`,
      'one long line': (bytes) => `Content-Type: text/plain\r\n\r\n${many('a', bytes)}`,
      'many short lines': (bytes) => `Content-Type: text/plain\r\n\r\n${many('\n', bytes)}`,
      'quoted-printable': (bytes) =>
        `Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${many('=3D=\r\n', bytes)}`,
      'HTML alone': (bytes) => `Content-Type: text/html\r\n\r\n${many('<a', bytes)}`,
      'HTML of comments': (bytes) => `Content-Type: text/html\r\n\r\n${many('<!--', bytes)}`,
      'HTML of entities': (bytes) => `Content-Type: text/html\r\n\r\n${many('&lt;', bytes)}`,
      'flowed text': (bytes) => `Content-Type: text/plain; format=flowed\r\n\r\n${many('a \r\n', bytes)}`,
      'messages in messages': (bytes) => many('Content-Type: message/rfc822\r\n\r\n', bytes),
    },
    read: readMail,
  },
  {
    parser: 'feeds (RSS, Atom, RDF, JSON)',
    bytes: mebibyte,
    inputs: {
      'elements in elements': nested('<a>', '</a>'),
      'elements in a feed': (bytes) => `<rss><channel>${nested('<a>', '</a>')(bytes - 40)}</channel></rss>`,
      'open elements': (bytes) => `<rss><channel>${many('<item>', bytes)}`,
      'many attributes': (bytes) =>
        `<rss ${Array.from({ length: bytes / 12 }, (_, id) => `a${id}="1"`).join(' ')}></rss>`,
      'many items': inside('<rss version="2.0"><channel>', '<item><title>a</title></item>', '</channel></rss>'),
      'many texts of HTML': inside(
        '<rss version="2.0"><channel>',
        '<item><link>https://a.example/</link><description>&lt;script&gt;&lt;script&gt;a</description></item>',
        '</channel></rss>',
      ),
      'one text of HTML': inside(
        '<rss version="2.0"><channel><item><link>https://a.example/</link><description>',
        '&lt;style&gt;',
        '</description></item></channel></rss>',
      ),
      entities: (bytes) =>
        `<!DOCTYPE rss [${Array.from({ length: 30 }, (_, id) => `<!ENTITY e${id} "${id === 0 ? 'ha' : `&e${id - 1};&e${id - 1};`}">`).join('')}]><rss><channel><title>${many('&e29;', bytes - 1_500)}</title></channel></rss>`,
      references: inside('<rss><channel><title>', '&amp;', '</title></channel></rss>'),
      'open comments': (bytes) => `<rss>${many('<!--', bytes)}`,
      'open CDATA': (bytes) => `<rss>${many('<![CDATA[', bytes)}`,
      'many lists of JSON': (bytes) =>
        `{"version":"https://jsonfeed.org/version/1.1","title":"a","items":${nested('[', ']')(bytes - 80)}}`,
    },
    read: (input) => {
      try {
        return readFeed(text(input), 'https://a.example/feed');
      } catch (error) {
        if (error instanceof Error) return undefined;
        throw error;
      }
    },
  },
  asset(25 * mebibyte, { 'empty chunks': pngOfChunks }, 'PNG'),
  asset(
    25 * mebibyte,
    { 'empty segments': jpegOf('ffe00002'), comments: jpegOf('fffe0002'), 'empty scans': jpegOf('ffda0002') },
    'JPEG',
  ),
  asset(
    25 * mebibyte,
    {
      'sub-blocks of a byte': gifOf('0100'),
      'empty extensions': gifOf('0021ff'),
      frames: gifOf('002c000000000900090000'),
    },
    'GIF',
  ),
  asset(25 * mebibyte, { 'empty chunks': webpOfChunks }, 'WebP'),
  asset(
    2 * mebibyte,
    {
      'elements in elements': (bytes) => `${svgRoot}${nested('<g>', '</g>')(bytes - 100)}</svg>`,
      'many elements': inside(svgRoot, '<g/>', '</svg>'),
      'many attributes': (bytes) =>
        `${svgRoot}<g ${Array.from({ length: bytes / 14 }, (_, id) => `a${id}="1"`).join(' ')}/></svg>`,
      'one style': inside(`${svgRoot}<style>`, '.a{fill:url(#a)}', '</style></svg>'),
      'one style of comments': inside(`${svgRoot}<style>`, '/**/', '</style></svg>'),
      'a value of addresses': inside(`${svgRoot}<g style="`, 'url(#a)', '"/></svg>'),
      'a value of spaces': inside(`${svgRoot}<g style="fill:url(`, ' ', ')"/></svg>'),
      'many uses': inside(`${svgRoot}<g id="a"/>`, '<use href="#a"/>', '</svg>'),
      'open comments': (bytes) => svgRoot + many('<!--', bytes),
      references: inside(`${svgRoot}<text>`, '&amp;', '</text></svg>'),
      'an embedded picture': inside(`${svgRoot}<image href="data:image/png;base64,`, 'A', '"/></svg>'),
    },
    'SVG of an asset',
  ),
  {
    parser: 'SVG of a logo',
    bytes: 256 * 1_024,
    inputs: {
      'elements in elements': nested('<g>', '</g>'),
      'many attributes': (bytes) => `<svg ${many('a="1" ', bytes - 10)}/>`,
      'open comments': (bytes) => many('<!--', bytes),
      'open quotes': (bytes) => many('<a "', bytes),
      'one style': inside('<svg><style>', 'url( ', '</style></svg>'),
    },
    read: (input) => svgFault(input),
  },
  {
    parser: 'HTML of mails, shown in the inbox',
    bytes: mebibyte,
    inputs: markupInputs,
    read: (input) => displayHtml(text(input), [], { remote: false, scheme: 'dark' }).length,
  },
  {
    parser: 'HTML of mails, searched for links',
    bytes: mebibyte,
    inputs: markupInputs,
    read: (input) => analyseMail({ html: text(input), text: '' } as never),
  },
  {
    parser: 'JSON Schema of variables',
    bytes: mebibyte,
    inputs: {
      'objects in objects': nested('{"type":"object","properties":{"a":', '}}', '{"type":"string"}'),
      'lists in lists': nested('{"type":"array","items":', '}', '{"type":"string"}'),
      'many properties': (bytes) =>
        `{"type":"object","properties":{${Array.from({ length: bytes / 30 }, (_, id) => `"a${id}":{"type":"string"}`).join(',')}}}`,
      'defaults in objects': nested(
        '{"type":"object","properties":{"a":{"type":"string","default":"x"},"b":',
        '}}',
        '{"type":"string"}',
      ),
      'a cycle of references': () => '{"$defs":{"a":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"}',
      'all of all': nested('{"allOf":[', ']}', '{"type":"string"}'),
      'many values of enum': (bytes) =>
        `{"type":"object","properties":{"a":{"type":"string","enum":[${Array.from({ length: bytes / 12 }, (_, id) => `"${id}"`).join(',')}]}}}`,
    },
    read: validate,
  },
  {
    parser: 'Liquid, compiled and rendered',
    bytes: 512_000,
    inputs: {
      'loops in loops': () =>
        `${'{% for a in (1..9999) %}'.repeat(4)}x{{ a | append: "aaaaaaaaaa" }}${'{% endfor %}'.repeat(4)}`,
      'filters on filters': () => `{{ "a"${' | append: "a" | upcase | replace: "a", "aa"'.repeat(300)} }}`,
      'a text that doubles': () => `{% assign a = "aaaaaaaaaa" %}${'{% assign a = a | append: a %}'.repeat(60)}{{ a }}`,
      'many tags': (bytes) => many('{% if a %}b{% endif %}', Math.min(bytes, 100_000)),
      'many elements': (bytes) => many('<p>a</p>', bytes),
      'open braces': (bytes) => many('{{', bytes),
      'open tags': (bytes) => many('{% if a', bytes),
      'one long text': (bytes) => many('a ', bytes),
      'one long attribute': inside('<a title="', "a='", '">a</a>'),
      splits: (bytes) => `{{ "${many('a,', Math.min(bytes, 100_000))}" | split: "," | join: ";" | split: ";" | size }}`,
    },
    read: (input) => parseTemplate(text(input), 'html').render({}).length,
  },
  {
    parser: 'CSV of contacts (command line)',
    bytes: mebibyte,
    inputs: {
      'a quote that never closes': (bytes) => `email,name\n"${many('a', bytes)}`,
      'many quotes': (bytes) => `email,name\n${many('""', bytes)}`,
      'quotes in the first line': (bytes) => `${many('"a', bytes)}\n`,
      'many cells': (bytes) => `email\n${many(',', Math.min(bytes, mebibyte))}\n`,
      'many rows': (bytes) => `email\n${many('a\n', bytes)}`,
      'empty rows': (bytes) => `email\n${many('\n', bytes)}`,
      'a long row': (bytes) => many('a', bytes),
    },
    read: countRows,
  },
  {
    parser: 'patterns over texts (RE2)',
    bytes: 100_000,
    inputs: {
      'repetitions in repetitions': (bytes) => `(a?){20}a{20}\n${many('a', bytes)}`,
      'many ways': (bytes) => `(?:a|b|ab)*c\n${many('ab', bytes)}`,
      'a large count': (bytes) => `[a-z]{0,400}$\n${many('a', bytes)}`,
      'dots between': (bytes) => `.*a.*b.*c.*d$\n${many('abc', bytes)}`,
    },
    read: (input) => {
      const [pattern = '', ...texts] = text(input).split('\n');
      return findPatternFault(pattern) ?? compilePattern(pattern).test(texts.join(''));
    },
  },
];
