// Texts that would become scripts if a page did not escape them, and a check that finds scripts in a parsed page. For tests of pages.
import { parse } from 'parse5';

/** Elements, attributes, addresses, comments and ends of elements that may contain a text. */
export const payloads: readonly string[] = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//x.example></SCRIPT>',
  '</title><script>alert(2)</script>',
  '</textarea><script>alert(3)</script>',
  '</style><script>alert(4)</script>',
  '</option></select><script>alert(5)</script>',
  '<img src=x onerror=alert(6)>',
  '<img src="x`<script>alert(7)</script>"`>',
  '<svg/onload=alert(8)>',
  '<svg><script>alert(9)</script></svg>',
  '<svg><animate onbegin=alert(10) attributeName=x>',
  '<body onload=alert(11)>',
  '<iframe srcdoc="<script>alert(12)</script>">',
  '<iframe src=javascript:alert(13)>',
  '<object data="data:text/html,<script>alert(14)</script>">',
  '<embed src=//x.example>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=alert(15)>',
  '<details open ontoggle=alert(16)>',
  '<input autofocus onfocus=alert(17)>',
  '<video><source onerror=alert(18)>',
  '<marquee onstart=alert(19)>',
  '<a href="javascript:alert(20)">x</a>',
  '<a href=" &#14; javascript:alert(21)">x</a>',
  '<base href=//x.example/>',
  '<meta http-equiv=refresh content="0;url=//x.example">',
  '<link rel=stylesheet href=//x.example>',
  '<form action=//x.example><button>x</button></form>',
  '" onmouseover="alert(22)',
  "' onmouseover='alert(23)",
  '"><script>alert(24)</script>',
  "'><script>alert(25)</script>",
  '" autofocus onfocus=alert(26) x="',
  '--><script>alert(27)</script>',
  ']]><script>alert(28)</script>',
  '#{alert(29)}<b>',
  '{{constructor.constructor("alert(30)")()}}<b>',
  '&lt;script&gt;alert(31)&lt;/script&gt;<b>',
  '<\u2028script>alert(32)</script>',
  '<scr<script>ipt>alert(33)</scr</script>ipt>',
  '\u202e<script>alert(34)</script>',
];

interface Node {
  readonly tagName?: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly Node[];
}

const forbidden: ReadonlySet<string> = new Set(['base', 'object', 'embed', 'math', 'marquee', 'video', 'audio']);
const addresses: ReadonlySet<string> = new Set(['href', 'src', 'action', 'formaction']);

function faultsIn({ tagName = '', attrs = [], childNodes = [] }: Node): string[] {
  const value = (name: string) => attrs.find((one) => one.name === name)?.value;
  const ownFaults = [
    ...(forbidden.has(tagName) ? [`<${tagName}>`] : []),
    ...(tagName === 'script' && (value('src') ?? '') === '' ? ['a script inside of the page'] : []),
    ...(tagName === 'iframe' && value('sandbox') === undefined ? ['a frame that may run scripts'] : []),
    ...(tagName === 'meta' && value('http-equiv') !== undefined ? ['<meta http-equiv>'] : []),
    ...attrs.flatMap((one) =>
      one.name.startsWith('on') || one.name === 'srcdoc' ? [`the attribute ${one.name} of <${tagName}>`] : [],
    ),
    ...attrs.flatMap((one) =>
      addresses.has(one.name) && /^\W*(javascript:|data:|vbscript:)/i.test(one.value) && tagName !== 'img'
        ? [`the address ${one.value.slice(0, 40)} of <${tagName}>`]
        : [],
    ),
  ];
  return [...ownFaults, ...childNodes.flatMap(faultsIn)];
}

/** The parts of a page that a browser would run or load because a text is not escaped. */
export const pageFaults = (text: string): readonly string[] => [
  ...payloads.filter((payload) => text.includes(payload)),
  ...faultsIn(parse(text) as Node),
];
