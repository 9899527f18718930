// The files that are accepted as assets: types by their bytes, dimensions, removed metadata, broken and hostile files.
import * as assert from 'node:assert/strict';
import { test } from 'uvu';
import { memorySource, type ReadFormat, readFormat } from '../../plugins/assets/formats/read-format.ts';
import * as files from '../support/asset-files.ts';

const read = (bytes: Buffer, declaredType?: string): Promise<ReadFormat> =>
  readFormat(memorySource(bytes), declaredType);
const refused = (bytes: Buffer, message: RegExp = /./): Promise<void> =>
  assert.rejects(read(bytes), (error: Error) => {
    assert.equal(error.name, 'FormatFault');
    assert.match(error.message, message);
    return true;
  });

test('type and dimensions are read from the bytes', async () => {
  const known: readonly (readonly [Buffer, string, string, number | null, number | null, number | null])[] = [
    [files.png(30, 20), 'image/png', 'image', 30, 20, null],
    [files.jpeg(6, 4), 'image/jpeg', 'image', 6, 4, null],
    [files.gif(5, 7), 'image/gif', 'gif', 5, 7, null],
    [files.gif(5, 7, 3, 50), 'image/gif', 'gif', 5, 7, 1_500],
    [files.webp(9, 8), 'image/webp', 'image', 9, 8, null],
    [files.svg(), 'image/svg+xml', 'image', 40, 20, null],
    [files.svg('', 'width="80px" height="40"'), 'image/svg+xml', 'image', 80, 40, null],
    [files.movie(), 'video/mp4', 'video', 640, 360, 2_000],
    [files.movie({ brand: 'qt', isTurned: true }), 'video/quicktime', 'video', 360, 640, 2_000],
    [files.pdf(), 'application/pdf', 'document', null, null, null],
  ];
  for (const [bytes, contentType, kind, width, height, durationMs] of known) {
    const { cleaned: _, ...found } = await read(bytes);
    assert.deepEqual(found, { contentType, kind, width, height, durationMs });
  }
});

test('a file is refused if its type is not the announced type, or if no asset may have its type', async () => {
  await assert.rejects(read(files.png(), 'image/jpeg'), /is image\/png, and was announced as image\/jpeg/);
  for (const bytes of ['<!doctype html><script>alert(1)</script>', 'MZ\x90\0', 'PK\x03\x04', 'just words', ' '])
    await refused(Buffer.from(bytes, 'latin1'), /does not have an accepted type/);
  await refused(files.movie({ brand: 'avif' }), /does not have an accepted type/);
  await refused(files.movie({ handler: 'soun' }), /only sound/);
  await refused(files.png(8_000, 8_000), /50 million/);
  await refused(files.png(0, 5));
});

test('a file that is cut off or altered at any point is refused', async () => {
  const intactFiles = [files.png(), files.jpeg(), files.gif(), files.webp(), files.svg(), files.movie(), files.pdf()];
  for (const bytes of intactFiles)
    for (let length = 0; length < bytes.length - 6; length += 1) await refused(bytes.subarray(0, length));
  const altered = files.png();
  altered[18] = 9;
  await refused(altered, /broken/);
  // Whatever sizes, counts and offsets a file has, a reader throws nothing but a FormatFault.
  let seed = 1;
  const next = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (const bytes of intactFiles)
    for (let turn = 0; turn < 300; turn += 1) {
      const copy = Buffer.from(bytes);
      for (let flips = 0; flips < 3; flips += 1) copy[next(copy.length)] = next(256);
      await read(copy).catch((error: Error) => assert.equal(error.name, 'FormatFault', `${error.stack}`));
    }
});

test('a JPEG loses metadata about place and camera, and keeps its orientation and colours', async () => {
  const profile = files.jpegSegment(0xe2, Buffer.from('ICC_PROFILE\0\x01\x01 colours', 'latin1'));
  const comment = files.jpegSegment(0xfe, Buffer.from('taken at home'));
  for (const order of ['II', 'MM'] as const) {
    const bytes = files.jpeg(6, 4, [files.exif(6, order), profile, comment], 'a second picture');
    const { cleaned, width, height } = await read(bytes);
    assert.deepEqual([width, height], [4, 6]);
    const text = Buffer.from(cleaned ?? '').toString('latin1');
    for (const removed of ['GPS', 'taken at home', 'second picture']) assert.ok(!text.includes(removed), removed);
    assert.ok(text.includes('ICC_PROFILE') && text.includes('JFIF'));
    // The result is the same picture with the same orientation, and has no more metadata to remove.
    const second = await read(Buffer.from(cleaned ?? ''));
    assert.deepEqual([second.width, second.height], [4, 6]);
    assert.deepEqual((await read(Buffer.from(second.cleaned ?? cleaned ?? ''))).width, 4);
  }
  assert.equal((await read(files.jpeg())).cleaned, undefined);
});

test('PNG and WebP lose their text metadata and Exif', async () => {
  const png = await read(
    files.png(3, 2, [
      ['tEXt', 'Author\0Ada'],
      ['eXIf', 'GPS'],
    ]),
  );
  assert.deepEqual(Buffer.from(png.cleaned ?? ''), files.png(3, 2));
  const webp = Buffer.from((await read(files.webp())).cleaned ?? '');
  assert.ok(!webp.includes('GPS'));
  assert.deepEqual(
    { ...(await read(webp)) },
    { contentType: 'image/webp', kind: 'image', width: 9, height: 8, durationMs: null },
  );
});

test('an SVG that could run, load or link to something is refused', async () => {
  const hostile = [
    '<script>alert(1)</script>',
    '<SCRIPT>alert(1)</SCRIPT>',
    '<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>',
    '<rect onload="alert(1)"/>',
    '<rect\nOnClick = "alert(1)"/>',
    '<a href="https://evil.example"><rect/></a>',
    '<use href="https://evil.example/x.svg#a"/>',
    '<use xlink:href="//evil.example/x.svg#a" xmlns:xlink="http://www.w3.org/1999/xlink"/>',
    '<image href="https://evil.example/track.png"/>',
    '<image href="data:image/svg+xml;base64,PHN2Zy8+"/>',
    '<foreignObject><p>x</p></foreignObject>',
    '<iframe src="https://evil.example"/>',
    '<animate attributeName="href" to="javascript:alert(1)"/>',
    '<set attributeName="onload" to="alert(1)"/>',
    '<handler>alert(1)</handler>',
    '<style>@import "https://evil.example/x.css";</style>',
    '<style>@im<!-- -->port "https://evil.example/x.css";</style>',
    '<style>@im<![CDATA[port "https://evil.example/x.css"]]>;</style>',
    '<style>&#64;import "//evil.example"</style>',
    '<style>@\\69mport "//evil.example"</style>',
    '<style>rect{fill:url(https://evil.example/x)}</style>',
    '<style>a{content:"/*"} rect{fill:url(https://evil.example/x)} b{content:"*/"}</style>',
    '<style>a{content:"/*"} @import "//evil.example"; b{content:"*/"}</style>',
    '<style>a{fill:url(#a/*)} rect{fill:url(//evil.example)} b{fill:url(#*/)}</style>',
    '<style>a{fill:red} /* rect{}</style>',
    '<style>@font-face{font-family:x;src:url(//evil.example/x.woff)}</style>',
    '<rect fill="url(https://evil.example/x#a)"/>',
    '<rect style="background:u&#114;l(//evil.example)"/>',
    '<rect fill="java&#x73;cript:alert(1)"/>',
    '<text>&xxe;</text>',
    '<text>&#0;</text>',
    '<g xml:base="https://evil.example/"/>',
    '<p xmlns="http://www.w3.org/1999/xhtml">x</p>',
    '<x:p xmlns:x="http://www.w3.org/1999/xhtml"/>',
    '<x:script>alert(1)</x:script>',
    '<rect x="1" x="2"/>',
    '<?xml-stylesheet href="https://evil.example/x.css"?>',
    '<g>',
    '</g>',
    '<rect x=1/>',
    '<!ENTITY a "b">',
  ];
  for (const inside of hostile) await assert.rejects(read(files.svg(inside)), { name: 'FormatFault' }, inside);
  await refused(
    Buffer.from(`<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${files.svg().toString().slice(39)}`),
    /DOCTYPE/,
  );
  await refused(Buffer.from('<svg viewBox="0 0 1 1"><rect/></svg>'));
  await refused(Buffer.concat([files.svg(), Buffer.from('<script>alert(1)</script>')]));
  await refused(Buffer.from(files.svg().toString().replace('UTF-8', 'UTF-7')));
  await refused(Buffer.concat([files.svg().subarray(0, 80), Buffer.from([0xff, 0xfe]), files.svg().subarray(80)]));
});

test('an SVG that a drawing program wrote is accepted', async () => {
  const drawn = `<title>Logo &amp; more</title><metadata/><defs><linearGradient id="g"><stop offset="0" stop-color="#fff"/></linearGradient>
<style type="text/css"><![CDATA[ .a { fill: url(#g); } @media (max-width: 9px) { .a { stroke: red } } ]]></style></defs>
<sodipodi:namedview xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" pagecolor="#fff"/>
<g class='a' transform="scale(2)"><use href="#g"/><image href="data:image/png;base64,iVBORw0KGgo="/><text>Caf&#233; &lt;3</text></g>
<style>/* one */ .b { fill: red } /* two */</style>`;
  assert.equal((await read(files.svg(drawn))).contentType, 'image/svg+xml');
  await refused(files.svg('<g>'.repeat(600) + '</g>'.repeat(600)), /levels/);
});

test('an SVG may have 2 MiB, and 20,000 elements and attributes', async () => {
  const inside = (elements: number) => files.svg('<g/>'.repeat(elements));
  // The file has two elements and five attributes of its own.
  const attributesLeft = 20_000 - 7;
  assert.equal((await read(inside(attributesLeft))).kind, 'image');
  await refused(inside(attributesLeft + 1), /more than 20000 elements and attributes/);
  const attributes = Array.from({ length: attributesLeft }, (_, at) => ` a${at}=""`).join('');
  await refused(files.svg(`<g${attributes}/>`), /more than 20000 elements and attributes/);
  await refused(files.svg(`<!--${' '.repeat(2 * 1_048_576)}-->`), /of an SVG at most 2097152 are accepted/);
});

test('an SVG in which few elements expand to very many is refused', async () => {
  const tooMany = (inside: string) => refused(files.svg(inside), /expand to too many/);
  const ten = (element: string) => element.repeat(10);
  // Each level refers to ten of the next: a thousand elements are accepted, a billion are not.
  const levels = (count: number, link: (to: number) => string, name = 'g') =>
    Array.from({ length: count }, (_, at) => `<${name} id="l${at}">${ten(link(at + 1))}</${name}>`).join('');
  const use = (to: number) => `<use href="#l${to}"/>`;
  assert.equal((await read(files.svg(`${levels(3, use)}<rect id="l3"/>`))).kind, 'image');
  await tooMany(`${levels(9, use)}<rect id="l9"/>`);
  await tooMany(levels(9, (to) => `<rect fill="url( '#l${to}' )"/>`, 'pattern'));
  await tooMany(`<g id="a">${'<rect/>'.repeat(2_000)}</g>${'<use href="#%61"/>'.repeat(1_000)}`);
  await tooMany('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>');
  // Every element of a group draws what it inherits from the group.
  const pattern = `<pattern id="p">${'<rect/>'.repeat(2_000)}</pattern>`;
  const thousand = '<path/>'.repeat(1_000);
  await tooMany(`${pattern}<g fill="url(#p)">${thousand}</g>`);
  await tooMany(`${pattern}<g style="stroke:url(#p)">${thousand}</g>`);
  assert.equal(
    (await read(files.svg(`${pattern}<g mask="url(#p)">${thousand}</g>`))).kind,
    'image',
    'a mask is drawn once',
  );
});

test('an SVG whose style sheets make few elements expand to very many is refused', async () => {
  const pattern = `<pattern id="p" class="p">${'<rect/>'.repeat(2_000)}</pattern>`;
  const shapes = `<g class="a">${'<path class="b c"/>'.repeat(1_000)}</g>`;
  const drawn = (style: string) => files.svg(`<style>${style}</style>${pattern}${shapes}`);
  for (const rule of [
    'path { mask: url(#p) }',
    '.c{fill:url("#p")}',
    'g.a > path.b { marker-end: url(#%70) }',
    '.none, .a path { filter: url(#p) }',
    '.a { fill: url(#p) }',
    '.a { --paint: url(#p) } path { fill: var(--paint) }',
    'path:not(.x, .y) { mask: url(#p) }',
    '[class="b c"] { mask: url(#p) }',
    '@media all { @supports (fill: red) { .b { mask: url(#p) } } }',
    '/* .b { } */ .b { mask: /* { */ url(#p) }',
  ])
    await refused(drawn(rule), /expand to too many/);
  for (const rule of ['.none { mask: url(#p) }', '.a { mask: url(#p) }', '#p { fill: red }', 'path { fill: red }'])
    assert.equal((await read(drawn(rule))).kind, 'image', rule);
  const many = Array.from({ length: 2_000 }, (_, at) => `.k${at}{mask:url(#p)}`).join('');
  const ids = Array.from({ length: 6_000 }, (_, at) => `<g id="i${at}"/>`).join('');
  await refused(files.svg(`<style>${many}</style>${ids}`), /points to too much/);
});

test('a film with too many parts is refused, wherever the parts are', async () => {
  const film = files.movie();
  const empty = Buffer.from('\0\0\0\x08free', 'latin1');
  const many = Buffer.alloc(8 * 11_000, empty);
  await refused(Buffer.concat([film, many]), /too many parts/);
  // The index is the last box. A larger length makes the appended bytes part of it.
  const at = film.indexOf('moov') - 4;
  const index = Buffer.concat([film, many]);
  index.writeUInt32BE(index.length - at, at);
  await refused(index, /too many parts/);
});

// With a reader that needs quadratic time, these texts would exceed the time limit of the file.
test('hostile texts are read in one pass', async () => {
  const many = (text: string) => text.repeat(Math.floor(2_000_000 / text.length));
  for (const text of [many('<!--'), many('<!---->'), many('<?xml '), `<svg ${many(' ')}`])
    await refused(Buffer.from(text));
  for (const inside of [
    `<rect d="${many('&')}"/>`,
    `<style>${many('/*a')}</style>`,
    `<rect style="${many('/*a')}"/>`,
    `<style>${many('url(')}</style>`,
    `<style>${many('}')}</style><script/>`,
    `<style>${many('a{')}</style><script/>`,
    `<style>${many('a,')}{fill:url(#a)}</style><script/>`,
  ])
    await refused(files.svg(inside));
  assert.equal((await read(files.svg(`<style>${many('/*a*/')}</style>`))).kind, 'image');
  assert.equal((await read(files.svg('', `width="${many('1')}x" height="1"`))).width, 40);
});

test.run();
