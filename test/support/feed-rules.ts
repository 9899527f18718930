// The rules of RSS 2.0 that the W3C's feed validator tests, for the feed of the blog: well-formed XML, and the faults by
// the names of the validator's messages.
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import { parseUrl } from '../../core/contract/values/parse-url.ts';

/** An element of the feed. `raw`: its text as the file has it. */
export interface FeedElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly FeedElement[];
  readonly text: string;
  readonly raw: string;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 cannot represent these
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/u;

function decode(text: string): string {
  if (/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\dA-Fa-f]+);)/.test(text)) throw new Error(`SAXError: bare & in ${text}`);
  return text.replace(/&(?:(\w+)|#(\d+)|#x([\dA-Fa-f]+));/g, (_, name?: string, dec?: string, hex?: string) =>
    name === undefined
      ? String.fromCodePoint(dec === undefined ? Number.parseInt(hex ?? '', 16) : Number(dec))
      : (entities[name] ?? ''),
  );
}

/** Reads a document strictly. @throws if it is not well-formed */
export function readXml(xml: string): FeedElement {
  if (forbidden.test(xml)) throw new Error('SAXError: a character that XML cannot represent');
  const rest = xml.replace(/^<\?xml version="1\.0" encoding="utf-8"\?>\n/, '');
  if (rest === xml) throw new Error('SAXError: no XML declaration');
  const open: {
    name: string;
    attributes: Record<string, string>;
    children: FeedElement[];
    text: string;
    raw: string;
  }[] = [{ name: '', attributes: {}, children: [], text: '', raw: '' }];
  const token = /<!\[CDATA\[([\s\S]*?)\]\]>|<(\/?)([a-zA-Z][\w:]*)((?:\s+[\w:]+="[^"<]*")*)\s*(\/?)>|([^<]+)/y;
  while (token.lastIndex < rest.length) {
    const at = token.lastIndex;
    const [whole, cdata, closing, name, attributes = '', empty, text] = token.exec(rest) ?? [];
    const current = open.at(-1);
    if (whole === undefined || current === undefined) throw new Error(`SAXError: ${rest.slice(at, at + 80)}`);
    if (cdata !== undefined || text !== undefined) {
      if (text?.includes(']]>') === true) throw new Error('SAXError: ]]> in text');
      current.text += cdata ?? decode(text ?? '');
      current.raw += whole;
    } else if (closing === '/') {
      if (current.name !== name) throw new Error(`SAXError: </${name}> closes <${current.name}>`);
      open.pop();
      open.at(-1)?.children.push(current);
    } else {
      const pairs = [...attributes.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [
        key,
        decode(value),
      ]);
      const element = { name: name ?? '', attributes: Object.fromEntries(pairs), children: [], text: '', raw: '' };
      if (empty === '/') current.children.push(element);
      else open.push(element);
    }
  }
  const [root] = open[0]?.children ?? [];
  if (root === undefined || open.length !== 1 || open[0]?.children.length !== 1)
    throw new Error('SAXError: not one root');
  return root;
}

const once = [
  'title',
  'link',
  'description',
  'language',
  'lastBuildDate',
  'pubDate',
  'guid',
  'dc:creator',
  'dc:language',
  'content:encoded',
];
const known = {
  channel: new Set(['title', 'link', 'description', 'language', 'lastBuildDate', 'atom:link', 'item']),
  item: new Set([
    'title',
    'link',
    'guid',
    'pubDate',
    'description',
    'content:encoded',
    'category',
    'dc:creator',
    'dc:language',
  ]),
};
const date =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** True if the text is an absolute URL in ASCII. */
const isFullLink = (text: string): boolean => /^https?:\/\/[\x21-\x7e]+$/.test(text) && parseUrl(text) !== undefined;

const isLanguage = (text: string): boolean => /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(text);

type Node = DefaultTreeAdapterMap['node'];

/** The faults of HTML that readers of the feed show. */
function htmlFaults(html: string): string[] {
  const faults: string[] = [];
  const visit = (node: Node): void => {
    if ('tagName' in node) {
      const { tagName, attrs } = node as { tagName: string; attrs: { name: string; value: string }[] };
      if (/^(script|object|embed|meta|iframe|form|applet|base|style|link)$/.test(tagName))
        faults.push(`SecurityRisk ${tagName}`);
      for (const { name, value } of attrs) {
        if (name.startsWith('on')) faults.push(`SecurityRisk ${name}`);
        if (name === 'style') faults.push('DangerousStyleAttr');
        if (name === 'href' || name === 'src') {
          if (!/^[a-z][a-z0-9+.-]*:/i.test(value.trim())) faults.push(`ContainsRelRef ${value}`);
          if (!/^(https?|mailto|tel):/i.test(value.trim())) faults.push(`SecurityRisk ${value}`);
        }
      }
    }
    if ('childNodes' in node) for (const child of (node as { childNodes: Node[] }).childNodes) visit(child);
  };
  // A document has html, head and body, which have no attributes here.
  visit(parse(html));
  return faults.filter((fault) => !/^SecurityRisk (html|head|body)$/.test(fault));
}

/** The faults of a text that is not HTML. Signs of HTML must be references, as the RSS Profile says. */
function textFaults({ name, text, raw }: FeedElement): string[] {
  return [
    ...(text.trim() === '' ? [`NotBlank ${name}`] : []),
    ...(text !== text.trim() ? [`space around ${name}`] : []),
    ...(/&#[x0-9]|&\w+;|<[/a-zA-Z]/.test(text) && !/&#x26;|&#x3C;/.test(raw) ? [`CharacterData ${name}`] : []),
    ...(/&(?:lt|amp);|<!\[CDATA/.test(raw) ? [`ContainsHTML ${name}`] : []),
  ];
}

const ofName = ({ children }: FeedElement, name: string): readonly FeedElement[] =>
  children.filter((child) => child.name === name);

function commonFaults(element: FeedElement, kind: 'channel' | 'item'): string[] {
  const texts = element.children.filter(({ name }) => /^(title|category|dc:creator)$/.test(name));
  return [
    ...element.children.filter(({ name }) => !known[kind].has(name)).map(({ name }) => `UndefinedElement ${name}`),
    ...once.filter((name) => ofName(element, name).length > 1).map((name) => `DuplicateElement ${name}`),
    ...texts.flatMap(textFaults),
    ...ofName(element, 'link').flatMap(({ text }) => (isFullLink(text) ? [] : [`InvalidFullLink ${text}`])),
    ...['pubDate', 'lastBuildDate'].flatMap((name) =>
      ofName(element, name).flatMap(({ text }) =>
        date.test(text) && new Date(text).toUTCString() === text && new Date(text).getUTCFullYear() > 1990
          ? []
          : [`InvalidRFC2822Date ${text}`],
      ),
    ),
    ...['language', 'dc:language'].flatMap((name) =>
      ofName(element, name).flatMap(({ text }) => (isLanguage(text) ? [] : [`InvalidLanguage ${text}`])),
    ),
  ];
}

function itemFaults(item: FeedElement): string[] {
  const names = item.children.map(({ name }) => name);
  const [guid] = ofName(item, 'guid');
  const content = names.indexOf('content:encoded');
  return [
    ...commonFaults(item, 'item'),
    ...(names.includes('title') || names.includes('description') ? [] : ['ItemMustContainTitleOrDescription']),
    ...(guid === undefined || guid.text === '' ? ['MissingGuid'] : []),
    ...(guid !== undefined && guid.attributes['isPermaLink'] !== 'false' && !isFullLink(guid.text)
      ? ['InvalidHttpGUID']
      : []),
    ...(/^\d{0,8}$/.test(guid?.text ?? '') ? ['NotSufficientlyUnique'] : []),
    ...(content !== -1 && !names.slice(0, content).includes('description') ? ['NeedDescriptionBeforeContent'] : []),
    ...['description', 'content:encoded'].flatMap((name) => ofName(item, name).flatMap(({ text }) => htmlFaults(text))),
  ];
}

/** The faults of a feed that is at `feedUrl`, by the names of the validator's messages. */
export function feedFaults(xml: string, feedUrl: string): string[] {
  let rss: FeedElement;
  try {
    rss = readXml(xml);
  } catch (error) {
    return [error instanceof Error ? error.message : 'SAXError'];
  }
  const [channel] = ofName(rss, 'channel');
  if (rss.name !== 'rss' || rss.attributes['version'] !== '2.0' || channel === undefined) return ['UndefinedElement'];
  const items = ofName(channel, 'item');
  const guids = items.flatMap((item) => ofName(item, 'guid').map(({ text }) => text));
  const selves = ofName(channel, 'atom:link').filter(({ attributes }) => attributes['rel'] === 'self');
  const [self] = selves;
  return [
    ...commonFaults(channel, 'channel'),
    ...['title', 'link', 'description']
      .filter((name) => ofName(channel, name).length === 0)
      .map((name) => `Missing ${name}`),
    ...(selves.length === 1 ? [] : ['MissingSelf']),
    ...(self?.attributes['href'] === feedUrl && self.attributes['type'] === 'application/rss+xml'
      ? []
      : ['SelfDoesntMatchLocation']),
    ...(new Set(guids).size === guids.length ? [] : ['DuplicateValue guid']),
    ...items.flatMap(itemFaults),
  ];
}
