// A sequence as it would run, shown to the members who decide: its picture, its trigger, its steps, its messages, its settings.
// Pure.
import type { ContentJson } from '../../core/index.ts';
import { consoleStyle, type Html, html, joined, pageFrame, tableOf } from '../../core/unstable.ts';
import type { Definition, SequenceNode } from './definition/schema.ts';
import { edgeWords, nodeWords, triggerWords } from './graph/describe.ts';
import { graphOf } from './graph/index.ts';
import { graphImage } from './graph/picture.ts';
import type { SequenceRow } from './tables.ts';

/** The content to decide on: the definition, and the messages that it sends at present. */
export type SequenceContent = Pick<Definition, keyof Definition> & {
  /** The versions of email templates by key; null if the template is not published. */
  readonly templates: Readonly<Record<string, number | null>>;
  /** The texts of SMS templates by key; null if the template does not exist. */
  readonly smsTemplates?: Readonly<Record<string, ContentJson | null>>;
};

const frame = pageFrame(`${consoleStyle}.graph{padding:.75rem;text-align:center}.graph img{max-width:none}`);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const lines = (texts: readonly string[]): Html => ({ html: joined(texts, '\n').html.replaceAll('\n', '<br>') });

function nodeCell(node: SequenceNode): Html {
  const { title, detail } = nodeWords(node);
  return html`${title} ${detail}<br><span class="hush">${node.id}</span>`;
}

/** The values of a node, without the values that its description already contains. */
function valuesOf({ id, kind, ...values }: SequenceNode, description: string): string[] {
  const entries = Object.entries(values).map(([name, value]) => [name, textOf(value)] as const);
  return entries.filter(([, text]) => text !== description && text !== '{}').map(([name, text]) => `${name}: ${text}`);
}

function stepsOf({ nodes, edges }: Definition): Html {
  const rows = nodes.map((node) => {
    const successors = edges
      .filter(({ from }) => from === node.id)
      .map(({ when, to }) => [edgeWords(when, node), to] as const);
    return [
      nodeCell(node),
      lines(valuesOf(node, nodeWords(node).detail)),
      lines(successors.map(([when, to]) => (when === '' ? to : `${when}: ${to}`))),
    ];
  });
  return tableOf('The steps with their values', ['Step', 'With', 'Continues with'], rows);
}

function sendsOf({ templates, smsTemplates = {} }: SequenceContent): Html | null {
  const mails = Object.entries(templates).map(([key, version]) => [
    `Email ${key}`,
    version === null ? 'Nothing is published' : `Version ${version}`,
  ]);
  const texts = Object.entries(smsTemplates).map(([key, sms]) => [
    `SMS ${key}`,
    sms === null ? 'There is none' : textOf(sms['body']),
  ]);
  const rows = [...mails, ...texts];
  return rows.length === 0
    ? null
    : html`<h2>What it sends</h2>${tableOf('Versions and texts at present', ['Template', 'Now'], rows)}`;
}

/** The HTML document for one side of the comparison. */
export function documentOf({ name, key }: Pick<SequenceRow, 'name' | 'key'>, content: SequenceContent): string {
  const start = triggerWords(content);
  const settings = Object.entries(content.settings).map(([setting, value]) => [setting, textOf(value)]);
  const body = html`<main><h1>${name}</h1>
<p><span class="hush">${key}.</span> Starts: ${start.title} ${start.detail}</p>
<div class="sheet graph" tabindex="0" role="region" aria-label="Picture">${graphImage(graphOf(content, 'svg'), name)}</div><h2>Steps</h2>${stepsOf(content)}${sendsOf(content)}<h2>Settings</h2>${tableOf('How runs behave', ['Setting', 'Value'], settings)}</main>`;
  return frame.write({ title: name, icon: 'data:,', body: body.html });
}
