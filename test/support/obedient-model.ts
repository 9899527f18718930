// A server that answers like the APIs of the model vendors. Its model obeys the brief: the answers have everything that the schema
// requires, and also the content that a hostile brief demands.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { aiSdkComposer } from '../../adapters/composer/ai-sdk.ts';
import { anthropicComposer } from '../../adapters/composer/anthropic.ts';
import type { ComposerAdapter } from '../../plugins/templates/port/index.ts';
import type { Obeyed } from './hostile-briefs.ts';

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxLength?: number;
  readonly enum?: readonly string[];
}

/** A request to a model. */
export interface ModelRequest {
  readonly system: string;
  readonly prompt: string;
  readonly schema: Schema;
}

const leaveLink = '<a href="%unsubscribe_url%">Unsubscribe</a>';
const lines: ReadonlySet<string> = new Set(['name', 'subject', 'previewText']);

/** The body of a mail in the mode that the instructions name. */
function mailBody(system: string, { mail = '', leave = leaveLink }: Obeyed): string {
  return system.includes('one MJML document')
    ? `<mjml><mj-body><mj-section><mj-column><mj-text>Hello {{name}}</mj-text><mj-raw>${mail}</mj-raw><mj-text>${leave}</mj-text></mj-column></mj-section></mj-body></mjml>`
    : `<!doctype html><html><body><p>Hello {{name}}</p>${mail}<p>${leave}</p></body></html>`;
}

/** The sections of a page's plan. */
const planned = (system: string, heading: (at: number) => string) => {
  const count = Number(/exactly (\d+) sections/.exec(system)?.[1] ?? 5);
  return Array.from({ length: count }, (_, at) => ({
    kind:
      at === 0
        ? 'hero'
        : at === count - 1
          ? 'footer'
          : at === count - 2
            ? 'lead_form'
            : at % 2 === 1
              ? 'richtext'
              : 'faq',
    heading: heading(at),
    aim: heading(at),
  }));
};

/** The answer of a model that obeys the brief. */
export function obedientReply({ system, schema }: ModelRequest, obeyed: Obeyed): unknown {
  if (obeyed.whole !== undefined) return obeyed.whole;
  const isMail = schema.properties?.['previewText'] !== undefined;
  const isPlan = schema.properties?.['sections'] !== undefined;
  const anchor = /#sec_\w+/.exec(system)?.[0] ?? 'https://acme.example/';
  let count = 0;
  const textFor = (key: string, { maxLength = 400 }: Schema): string => {
    count += 1;
    if (key === 'href') return obeyed.href ?? anchor;
    if (isMail && key === 'body') return mailBody(system, obeyed);
    if (isMail && key === 'text')
      return `Hello {{name}} ${obeyed.text ?? ''}${obeyed.leave === undefined ? '\n%unsubscribe_url%' : ''}`;
    const start = isMail && lines.has(key) ? 'Our course' : `Bread ${count}`;
    return `${start} ${obeyed.text ?? ''}`.slice(0, maxLength);
  };
  const valueFor = (key: string, wanted: Schema): unknown => {
    if (isPlan && key === 'sections')
      return planned(system, (at) => `Part ${at} ${obeyed.text ?? ''}`.slice(0, 120)).map((one) => ({
        ...one,
        ...obeyed.fields,
      }));
    if (key === 'language') return 'en';
    if (wanted.enum !== undefined) return wanted.enum[0];
    if (wanted.type === 'array')
      return Array.from({ length: Math.max(wanted.minItems ?? 0, 3) }, () => valueFor(key, wanted.items ?? {}));
    if (wanted.type === 'object' || wanted.properties !== undefined)
      return {
        ...Object.fromEntries(
          Object.entries(wanted.properties ?? {}).map(([name, one]) => [name, valueFor(name, one)]),
        ),
        ...obeyed.fields,
      };
    return textFor(key, wanted);
  };
  return valueFor('', schema);
}

/** The model, with the requests that it got. */
export interface ObedientModel {
  readonly requests: ModelRequest[];
  /** The hostile parts of the next answers. */
  obeyed: Obeyed;
  readonly composer: ComposerAdapter;
  close(): Promise<void>;
}

interface AnthropicBody {
  readonly system: string;
  readonly messages: readonly { readonly content: string }[];
  readonly tools: readonly { readonly input_schema: Schema }[];
}

interface ChatBody {
  readonly messages: readonly { readonly content: string | readonly { readonly text: string }[] }[];
  readonly response_format: { readonly json_schema: { readonly schema: Schema } };
}

/** The text of a message in either of its forms. */
const textOf = (content: ChatBody['messages'][number]['content'] = ''): string =>
  typeof content === 'string' ? content : content.map(({ text }) => text).join('');

interface Vendor {
  readonly composer: (url: string) => ComposerAdapter;
  readonly read: (body: unknown) => ModelRequest;
  readonly reply: (answer: unknown) => object;
}

export const vendors: Readonly<Record<'anthropic' | 'ai-sdk', Vendor>> = {
  anthropic: {
    composer: (url) => anthropicComposer({ apiKey: 'secret-key', model: 'first', baseUrl: url }),
    read(body) {
      const { system, messages, tools } = body as AnthropicBody;
      return { system, prompt: messages[0]?.content ?? '', schema: tools[0]?.input_schema ?? {} };
    },
    reply: (answer) => ({
      ...{
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'first',
        stop_reason: 'tool_use',
        stop_sequence: null,
      },
      content: [{ type: 'tool_use', id: 'toolu_1', name: 'answer', input: answer }],
      usage: { input_tokens: 1, output_tokens: 1 },
    }),
  },
  'ai-sdk': {
    composer: (url) =>
      aiSdkComposer({
        model: createOpenAICompatible({
          ...{ name: 'local', baseURL: `${url}/v1`, apiKey: 'secret-key', supportsStructuredOutputs: true },
        })('first'),
      }),
    read(body) {
      const { messages, response_format: format } = body as ChatBody;
      return {
        ...{ system: textOf(messages[0]?.content), prompt: textOf(messages[1]?.content) },
        schema: format.json_schema.schema,
      };
    },
    reply: (answer) => ({
      ...{ id: 'c1', object: 'chat.completion', created: 1, model: 'first' },
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          message: { role: 'assistant', content: typeof answer === 'string' ? answer : JSON.stringify(answer) },
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    }),
  },
};

/** Starts the server of one vendor. */
export async function openObedientModel(name: keyof typeof vendors): Promise<ObedientModel> {
  const vendor = vendors[name];
  const asked: ModelRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const question = vendor.read(JSON.parse(Buffer.concat(chunks).toString('utf8')));
    asked.push(question);
    const body = JSON.stringify(vendor.reply(obedientReply(question, model.obeyed)));
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const model: ObedientModel = {
    requests: asked,
    obeyed: {},
    composer: vendor.composer(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return model;
}
