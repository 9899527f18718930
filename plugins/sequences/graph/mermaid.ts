// A sequence as Mermaid text, for documents and chats. Labels are quoted and escaped, so no text of a definition is read as syntax.
import type { Definition } from '../definition/schema.ts';
import { entriesOf } from '../interpreter/graph.ts';
import { edgeWords, nodeWords, shortenTo, triggerWords } from './describe.ts';
import { countWords, type SequenceGraphOptions } from './options.ts';

/** Replaces every character that Mermaid or HTML could interpret with a character reference. */
const quote = (text: string): string =>
  `"${text.replace(/[^\p{L}\p{N} .,:_%·…/()-]/gu, (one) => `#${one.codePointAt(0)};`)}"`;

const label = (title: string, detail: string, counts: string | undefined): string => {
  const lines = [title, detail, counts ?? ''].filter((line) => line !== '');
  return `"${lines.map((line) => quote(shortenTo(line, 60)).slice(1, -1)).join('<br>')}"`;
};

/** Prefixes node ids, because an id may be a Mermaid keyword such as `end`. */
const nameOf = (id: string): string => `n_${id.replaceAll('-', '__')}`;

export function mermaidOf(definition: Definition, { stats, path }: SequenceGraphOptions): string {
  const { nodes, edges } = definition;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const trigger = triggerWords(definition);
  const lines = ['flowchart TD', `  trigger([${label(trigger.title, trigger.detail, undefined)}])`];
  for (const node of nodes) {
    const { title, detail } = nodeWords(node);
    const text = label(title, detail, countWords(stats?.[node.id]));
    const [open, close] =
      node.kind === 'branch' || node.kind === 'split'
        ? ['{{', '}}']
        : node.kind === 'exit' || node.kind === 'goal'
          ? ['([', '])']
          : ['[', ']'];
    lines.push(`  ${nameOf(node.id)}${open}${text}${close}`);
  }
  for (const id of entriesOf(definition)) lines.push(`  trigger --> ${nameOf(id)}`);
  for (const { from, to, when } of edges) {
    const label = edgeWords(when, byId.get(from));
    lines.push(`  ${nameOf(from)} -->${label === '' ? '' : `|${quote(shortenTo(label, 40))}|`} ${nameOf(to)}`);
  }
  for (const id of new Set(path ?? [])) if (byId.has(id)) lines.push(`  style ${nameOf(id)} stroke-width:4px`);
  return `${lines.join('\n')}\n`;
}
