// The program of the thread that reads Markdown. Started by text.ts and never imported. It loads only the parser, the
// sanitiser and the code that they need.
import { parentPort } from 'node:worker_threads';
import { shortened, wordCount } from '../../contract/values/shorten.ts';
import type { TextNode } from './node.ts';
import type { TextFault, TextRequest, TextResults } from './thread-messages.ts';
import { textIn, treeOf } from './tree.ts';
import { htmlOf } from './write-html.ts';

const maxBeginning = 200;
const maxHtml = 500_000;

/** The largest number of characters of HTML that a text may produce. Readable texts need less. */
const limitFor = (source: string): number => Math.min(maxHtml, 5_000 + 8 * source.length);

function countOf(nodes: readonly TextNode[]): number {
  return nodes.reduce<number>(
    (sum, node) => sum + (typeof node === 'string' ? node.length : 8 + countOf(node.children)),
    0,
  );
}

function answerTo({ kind, source, top }: TextRequest): TextResults[keyof TextResults] | TextFault {
  const nodes = treeOf(source);
  if (nodes === undefined) return { fault: 'Its lists and quotes are more than 40 levels deep. Use fewer levels.' };
  const maxLength = limitFor(source);
  const html = kind === 'html' ? htmlOf(nodes, maxLength, top) : undefined;
  if (kind === 'html' ? html === undefined : countOf(nodes) > maxLength)
    return {
      fault: `It would become more than ${maxLength.toLocaleString('en')} characters once it is laid out. Shorten its tables, and refer to footnotes less often.`,
    };
  if (kind === 'check') return {};
  if (html === undefined) return { nodes };
  const { first, all } = textIn(nodes);
  return { html, beginning: shortened(first || all, maxBeginning), words: wordCount(all) };
}

parentPort?.on('message', (request: TextRequest) => {
  try {
    parentPort?.postMessage({ result: answerTo(request) });
  } catch (error) {
    parentPort?.postMessage({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
parentPort?.postMessage({ ready: true });
