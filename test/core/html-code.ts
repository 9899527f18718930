// Finds every part of an HTML mail that would run, load or submit something, with an independent HTML parser. An empty result means that
// it found nothing. Used by the tests of templates.
import { parse } from 'parse5';

interface HtmlNode {
  readonly nodeName: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly HtmlNode[];
  readonly content?: HtmlNode;
}

const running = new Set([
  'script',
  'iframe',
  'frame',
  'object',
  'embed',
  'applet',
  'form',
  'base',
  'svg',
  'math',
  'portal',
]);
const withUrls = new Set([
  'href',
  'src',
  'action',
  'formaction',
  'background',
  'poster',
  'data',
  'xlink:href',
  'srcset',
]);

/** True if a browser would treat the value as a URL that runs or contains code */
function runs(value: string): boolean {
  try {
    return /^(?:javascript|vbscript|data|file|blob):$/.test(new URL(value, 'https://mail.example/').protocol);
  } catch {
    return false;
  }
}

/** Returns one line for each finding. */
export function codeIn(html: string): string[] {
  const findings: string[] = [];
  const walk = (node: HtmlNode): void => {
    if (running.has(node.nodeName)) findings.push(`<${node.nodeName}>`);
    for (const { name, value } of node.attrs ?? []) {
      if (name.startsWith('on') || name === 'srcdoc') findings.push(`${node.nodeName} ${name}=${value}`);
      if (withUrls.has(name) && runs(value)) findings.push(`${node.nodeName} ${name}=${value}`);
    }
    for (const child of node.childNodes ?? []) walk(child);
    if (node.content !== undefined) walk(node.content);
  };
  walk(parse(html) as unknown as HtmlNode);
  return findings;
}
