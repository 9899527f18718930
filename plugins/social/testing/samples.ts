// Accounts, attachments and posts for tests of social adapters.
import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import type { Outgoing } from '../../../core/index.ts';
import type { ChannelRules, MediaKind, MediaSet, SocialMedia, SocialTarget } from '../port/index.ts';

/** Throws, so that no test reaches a network by mistake. */
const refuseConnection = async (): Promise<never> => {
  throw new Error('This test may not open connections to other hosts.');
};
export const noOutgoing: Outgoing = {
  check: async () => undefined,
  request: refuseConnection,
  connect: refuseConnection,
  close: async () => undefined,
};

function chunk(type: string, data: Buffer): Buffer {
  const typeAndData = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(typeAndData), 4);
  return Buffer.concat([frame.subarray(0, 4), typeAndData, frame.subarray(4)]);
}

/** A real PNG of one colour. */
export function samplePng(width = 640, height = 640): Uint8Array {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, 0x7a)]);
  const lines = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', lines), chunk('IEND', Buffer.alloc(0))]);
}

/** A GIF of one dot. */
const sampleGif = (): Uint8Array => Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** The first bytes of an MP4 file, filled up to the size of a short video. */
function sampleVideo(): Uint8Array {
  const bytes = Buffer.alloc(300_000, 0x11);
  bytes.writeUInt32BE(24, 0);
  bytes.write('ftypisom\0\0\x02\0isommp41', 4, 'latin1');
  return bytes;
}

const files: Readonly<
  Record<MediaKind, { make: () => Uint8Array; contentType: string; side: number; ms: number | null }>
> = {
  image: { make: samplePng, contentType: 'image/png', side: 640, ms: null },
  gif: { make: sampleGif, contentType: 'image/gif', side: 1, ms: null },
  video: { make: sampleVideo, contentType: 'video/mp4', side: 720, ms: 12_000 },
};

/** An attachment with real bytes. */
export function sampleMedia(kind: MediaKind = 'image', overrides: Partial<SocialMedia> = {}): SocialMedia {
  const { make, contentType, side, ms } = files[kind];
  const bytes = make();
  return {
    assetId: `ast_${randomBytes(13).toString('hex').toUpperCase()}`,
    kind,
    contentType,
    bytes: bytes.length,
    width: side,
    height: side,
    durationMs: ms,
    alt: `A sample ${kind}`,
    read: async () => bytes,
    async open(range) {
      const part = range === undefined ? bytes : bytes.subarray(range.start, range.end);
      return (async function* () {
        for (let start = 0; start < part.length; start += 65_536) yield part.subarray(start, start + 65_536);
      })();
    },
    url: async () => `https://media.example.com/sample.${contentType.slice(contentType.indexOf('/') + 1)}`,
    ...overrides,
  };
}

/** A post with every field that has no default. */
export const sampleTarget = (overrides: Partial<SocialTarget> = {}): SocialTarget => ({
  postId: 'spo_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
  accountRef: 'soa_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
  externalAccountId: '1',
  texts: ['The new release is out.'],
  media: [],
  linkUrl: null,
  settings: {},
  key: randomBytes(11).toString('hex'),
  startedAt: Date.now(),
  ...overrides,
});

/** A form of post that the rules allow. */
export interface SampleForm {
  readonly name: string;
  readonly target: Pick<SocialTarget, 'texts' | 'media' | 'linkUrl'>;
}

const setForm = (kind: MediaKind, count: number, text: string): SampleForm => ({
  name: `${count} ${kind}${text === '' ? ' without a text' : ''}`,
  target: { texts: [text], media: Array.from({ length: count }, () => sampleMedia(kind)), linkUrl: null },
});

const formsOf = ({ kinds, min, max }: MediaSet, isTextOptional: boolean): SampleForm[] =>
  kinds.flatMap((kind) => {
    const fewestCount = Math.max(min, 1);
    return [
      setForm(kind, fewestCount, `With ${fewestCount} ${kind}`),
      ...(max > fewestCount ? [setForm(kind, max, `With ${max} ${kind}`)] : []),
      ...(isTextOptional ? [setForm(kind, fewestCount, '')] : []),
    ];
  });

/** A post that contains only text, or the minimum content that the rules require. */
export function plainForm({ media }: ChannelRules, text = 'The new release is out.'): SampleForm {
  const set = media.sets[0];
  if (!media.required || set === undefined)
    return { name: 'a text', target: { texts: [text], media: [], linkUrl: null } };
  return setForm(set.kinds[0] ?? 'image', Math.max(set.min, 1), text);
}

/** Every form of post that the rules allow, each in its smallest and its largest size. */
export function sampleForms(rules: ChannelRules): SampleForm[] {
  const { media, textOptional, hasThreads, link } = rules;
  const plain = plainForm(rules);
  const texts = ['The first part', 'The second part', 'The third part'] as const;
  return [
    ...(media.required ? [] : [plain]),
    ...media.sets.flatMap((set) => formsOf(set, textOptional)),
    ...(hasThreads ? [{ name: 'a thread', target: { texts, media: [], linkUrl: null } }] : []),
    ...(link === 'text'
      ? []
      : [{ name: 'a link', target: { ...plain.target, linkUrl: 'https://www.example.com/news?a=1&b=ü' } }]),
  ];
}

/** Texts that break adapters without correct escaping. */
export const hostileTexts: readonly string[] = [
  `<b>&amp;</b> "double" 'single' \\back\\ {curly} (round) [square]`,
  '@name #word _under_ ~wave~ |bar| *star* a<b>c %41 +plus $x {{ y }} &lt;',
  '👨‍👩‍👧‍👦 🙂 🇩🇪 é e\u0301 ü 漢字',
  'مرحبا بالعالم — שלום עולם',
  'one line\nanother line\n\nthe last line',
];
