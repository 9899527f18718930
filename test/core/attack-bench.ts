// For the attack-*.test.ts files: a target, helpers that create and publish templates, and sends of these templates.
import type { TestDatabase } from '../support/databases.ts';
import { type FuzzTarget, openTarget, type TargetOptions } from './fuzz-target.ts';
import type { CheckedResponse } from './response-check.ts';

/** A template as its author writes it. Omitted fields get plain defaults. */
export interface AttackDraft {
  readonly mode?: 'mjml' | 'html';
  readonly subject?: string;
  readonly previewText?: string;
  readonly body?: string;
  readonly text?: string | null;
  readonly variables?: unknown;
}

/** A target with shorthands. Every response is checked: `faults` is empty if the response is correct. */
export interface AttackBench extends FuzzTarget {
  /** POSTs JSON with the live key and a new Idempotency-Key. A string is sent unchanged. */
  post(path: string, body: unknown, more?: { readonly key?: string }): Promise<CheckedResponse>;
  get(path: string, more?: { readonly key?: string }): Promise<CheckedResponse>;
  /** Calls a tool with the live key. The result contains the error envelope, or the body that REST would return. */
  tool(name: string, args: unknown, more?: { readonly key?: string }): Promise<CheckedResponse>;
  /** Creates a template. Returns its key and the response. */
  create(draft: AttackDraft): Promise<{ readonly key: string; readonly answer: CheckedResponse }>;
  /** Creates and publishes a template, and returns its key. @throws if either call is refused */
  publish(draft: AttackDraft): Promise<string>;
  /** Sends a published template live to a new address. */
  send(
    key: string,
    variables: unknown,
    more?: object,
  ): Promise<{ readonly to: string; readonly answer: CheckedResponse }>;
}

/** Opens a bench with new tables. */
export async function openBench(database: TestDatabase, options: TargetOptions = {}): Promise<AttackBench> {
  const target = await openTarget(database, options);
  let last = 0;
  const next = (): number => {
    last += 1;
    return last;
  };
  const post: AttackBench['post'] = (path, body, { key = target.test.liveKey } = {}) =>
    target.ask({
      method: 'POST',
      url: path,
      key,
      headers: { 'content-type': 'application/json', 'idempotency-key': `bench-${next()}` },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const create: AttackBench['create'] = async (draft) => {
    const key = `attack-${next()}`;
    const plain = { mode: 'html', subject: 'Hello', body: '<p>Hello</p>' };
    return { key, answer: await post('/v1/templates', { ...plain, ...draft, key }) };
  };
  return {
    ...target,
    post,
    create,
    get: (path, { key = target.test.liveKey } = {}) => target.ask({ method: 'GET', url: path, key }),
    tool(name, args, more) {
      return post('/v1/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }, more);
    },
    async publish(draft) {
      const { key, answer } = await create(draft);
      const publication = answer.status === 201 ? await post(`/v1/templates/${key}/publish`, {}) : answer;
      if (publication.status !== 200) throw new Error(`The template was refused: ${publication.text}`);
      return key;
    },
    async send(key, variables, more = {}) {
      const to = `ada-${next()}@example.org`;
      return { to, answer: await post(`/v1/templates/${key}/send`, { to, variables, ...more }) };
    },
  };
}
