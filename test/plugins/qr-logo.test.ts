// Logos: the files that are refused before rendering, and the conversion of accepted files to pixels.
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isPostriderError } from '../../core/index.ts';
import { detectPicture } from '../../plugins/qr/logo/detect-picture.ts';
import { logoFault, logoPixels } from '../../plugins/qr/logo/read-logo.ts';
import { svgFault } from '../../plugins/qr/logo/svg-check.ts';

const test = suite('logos');
const svg = (inner: string, root = 'width="64" height="64"') =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${root}>${inner}</svg>`);
const fault = (inner: string, root?: string) => svgFault(svg(inner, root));

test('plain drawings that drawing programs export are accepted', () => {
  const drawn = `<?xml version="1.0" encoding="UTF-8"?>
<!-- made by a program -->
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 100 50">
  <title>Tom &amp; Co</title><style>.a{fill:#c00;stroke:url(#g)}</style>
  <defs><linearGradient id="f"><stop offset="0" stop-color="#fff"/></linearGradient><linearGradient id="g" xlink:href="#f"/></defs>
  <g class="a" transform="translate(1 2)"><path d="M0 0L10 10Z" fill='url(#g)'/><circle cx="5" cy="5" r="3"/></g>
</svg>
`;
  assert.is(svgFault(Buffer.from(drawn)), undefined);
  assert.is(fault('<rect width="5" height="5"/>'), undefined);
});

const hostile: readonly [name: string, inner: string, root?: string][] = [
  ['a script', '<script>alert(1)</script>'],
  ['a handler', '<rect onload="alert(1)" width="1" height="1"/>'],
  ['an embedded picture', '<image href="http://10.0.0.1/x.png" width="1" height="1"/>'],
  ['an embedded file', '<image href="file:///etc/passwd" width="1" height="1"/>'],
  ['HTML', '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>'],
  ['a <use>, which can repeat elements', '<defs><g id="a"><rect/></g></defs><use href="#a"/>'],
  ['a <pattern>, which can repeat elements', '<pattern id="p"/>'],
  ['a filter', '<filter id="f"/>'],
  ['a <text>, whose font may be missing', '<text>Hi</text>'],
  ['an animation', '<animate attributeName="x"/>'],
  ['a style that imports', '<style>@import "http://x.example/a.css";</style>'],
  ['a style that loads', '<style>.a{fill:url(http://x.example/a#b)}</style>'],
  ['a style with escapes', '<style>.a{fill:\\75 rl(http://x.example)}</style>'],
  ['a paint from another file', '<rect fill="url(http://x.example/#a)"/>'],
  ['a url() written with character references', '<rect fill="&#117;rl(http://x.example/#a)"/>'],
  ['a gradient from another file', '<linearGradient href="http://x.example/#a"/>'],
  ['a huge width', '<rect/>', 'width="100000" height="64"'],
  ['a huge box', '<rect/>', 'viewBox="0 0 1000000 1000000"'],
  ['a relative width', '<rect/>', 'width="64em" height="64"'],
  ['no size', '<rect/>', 'fill="#000"'],
  ['too many elements', '<g/>'.repeat(5_001)],
  ['nesting that is too deep', `${'<g>'.repeat(70)}${'</g>'.repeat(70)}`],
  ['an open element', '<g>'],
  ['a processing instruction', '<?xml-stylesheet href="http://x.example/a.css"?>'],
  ['a CDATA section', '<![CDATA[<script>]]>'],
];
for (const [name, inner, root] of hostile) {
  test(`an SVG with ${name} is refused`, () => {
    assert.type(fault(inner, root), 'string');
  });
}

test('entities, other encodings and large files are refused', () => {
  const bomb = `<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><svg width="1" height="1"><title>&b;</title></svg>`;
  assert.type(svgFault(Buffer.from(bomb)), 'string');
  assert.type(svgFault(Buffer.from('<svg width="1" height="1"/>', 'utf16le')), 'string');
  assert.type(svgFault(Buffer.from([0x3c, 0x73, 0x76, 0x67, 0xff, 0x3e])), 'string');
  assert.match(svgFault(svg(' '.repeat(300_000))) ?? '', 'KB');
  assert.type(svgFault(Buffer.from('<svg width="1" height="1"/><svg width="1" height="1"/>')), 'string');
});

test('the kind and size of a picture are read from its bytes', async () => {
  const drawn = sharp({ create: { width: 300, height: 120, channels: 4, background: '#ab2a2d80' } });
  for (const [kind, bytes] of [
    ['png', await drawn.clone().png().toBuffer()],
    ['jpeg', await drawn.clone().jpeg().toBuffer()],
    ['jpeg', await drawn.clone().jpeg({ progressive: true }).withMetadata({ density: 72 }).toBuffer()],
    ['webp', await drawn.clone().webp().toBuffer()],
    ['webp', await drawn.clone().webp({ lossless: true }).toBuffer()],
    ['webp', await drawn.clone().flatten().webp().toBuffer()],
  ] as const) {
    assert.equal(detectPicture(bytes), { kind, width: 300, height: 120 });
    const { width, height } = await logoPixels(bytes);
    assert.equal([width, height], [512, 205]);
  }
});

test('a logo keeps its opacity', async () => {
  const { rgba } = await logoPixels(svg('<circle cx="32" cy="32" r="32" fill="#0000ff"/>'));
  assert.equal([...rgba.subarray(0, 4)], [0, 0, 0, 0]);
  const middle = (256 * 512 + 256) * 4;
  assert.equal([...rgba.subarray(middle, middle + 4)], [0, 0, 255, 255]);
});

test('files that are not pictures, too large or damaged are refused', async () => {
  assert.type(logoFault(Buffer.from('%PDF-1.7')), 'string');
  assert.type(logoFault(Buffer.from('GIF89a')), 'string');
  assert.type(logoFault(Buffer.alloc(0)), 'string');
  assert.match(logoFault(Buffer.alloc(2_000_001)) ?? '', '2 MB');
  // A small file whose header declares a huge size is refused before it is decoded.
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#000' } })
    .png()
    .toBuffer();
  const bomb = Buffer.from(png);
  bomb.writeUInt32BE(60_000, 16);
  assert.match(logoFault(bomb) ?? '', '4096 px');
  const cut = await logoPixels(png.subarray(0, png.length - 30)).catch((error: unknown) => error);
  assert.ok(isPostriderError(cut, 'qr_logo_invalid'));
  assert.match(cut.message, 'damaged');
});

test.run();
