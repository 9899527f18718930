// A social network for tests: a small HTTP server that counts what people can see, and the network adapter that calls it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { z } from '../../core/index.ts';
import {
  type ChannelRules,
  defineSocialNetwork,
  isSocialError,
  type PublishedPost,
  type PublishSteps,
  type SocialAdapter,
  type SocialCallOptions,
  SocialError,
  type SocialNetwork,
} from '../../plugins/social/port/index.ts';

/** A part of a post as people see it. */
export interface SeenPost {
  readonly id: string;
  readonly key: string;
  readonly part: number;
  readonly text: string;
}

/** The point in a request at which the server calls `onEffect`. */
export type RequestMoment = 'before its effect' | 'after its effect';

/** The server. */
export interface SocialServer {
  readonly url: string;
  /** The visible parts, in the order in which they became visible. */
  readonly visible: readonly SeenPost[];
  /** Called for each request that has an effect. */
  onEffect: ((moment: RequestMoment) => void) | undefined;
  close(): Promise<void>;
}

/** Starts the server. */
export async function startSocialServer(): Promise<SocialServer> {
  const visible: SeenPost[] = [];
  let uploads = 0;
  const self = { visible, url: '', onEffect: undefined as SocialServer['onEffect'] };
  const answers: Readonly<Record<string, (input: Record<string, unknown>) => unknown>> = {
    'POST /uploads': () => {
      uploads += 1;
      return { id: `upload-${uploads}` };
    },
    'POST /posts': ({ key, part, text: words }) => {
      const post = { id: `p${visible.length + 1}`, key: String(key), part: Number(part), text: String(words) };
      visible.push(post);
      return { id: post.id };
    },
    'POST /search': ({ key, part }) => visible.filter((post) => post.key === key && post.part === part),
  };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const answer = answers[`${request.method} ${request.url}`];
      if (answer === undefined) return response.writeHead(404).end();
      const isEffect = request.url !== '/search';
      if (isEffect) self.onEffect?.('before its effect');
      // If the process that sent the request has ended by now, the request has no effect.
      if (response.destroyed || request.socket.destroyed) return undefined;
      const answerBody = answer(JSON.parse(body) as Record<string, unknown>);
      if (isEffect) self.onEffect?.('after its effect');
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answerBody));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  self.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(self, {
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  });
}

async function ask<T>(url: string, path: string, body: object, { signal }: SocialCallOptions): Promise<T> {
  try {
    const response = await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body), signal });
    if (!response.ok) throw new SocialError('rejected', `The server answered ${response.status}.`);
    return (await response.json()) as T;
  } catch (error) {
    if (isSocialError(error)) throw error;
    throw new SocialError('uncertain', 'The connection broke off.', { cause: error });
  }
}

/** Called before and after each part of a step, so that a test can end the process there. */
export type StepWatch = (step: string, place: string) => void;

function createAdapter(url: string, watch: StepWatch): SocialAdapter {
  const step = async (steps: PublishSteps, name: string, work: () => Promise<Record<string, unknown>>) => {
    const knownResult = steps.find(name)?.result;
    if (knownResult !== undefined && knownResult !== null) return knownResult;
    watch(name, 'before its record');
    await steps.before(name);
    watch(name, 'before its request');
    const result = await work();
    watch(name, 'after its answer');
    await steps.after(name, result);
    watch(name, 'after its result');
    return result;
  };
  const stepOf = (part: number): string => `post ${part + 1}`;
  const postOf = (parts: readonly string[]): PublishedPost => ({ externalId: parts[0] ?? '', url: null, parts });
  return {
    id: 'test-server',
    accounts: async () => [
      { externalId: 'acme', displayName: 'Acme', handle: 'acme', avatarUrl: null, isCompany: true },
    ],
    async publish({ texts, key }, steps, call) {
      await step(steps, 'upload 1', () => ask(url, '/uploads', {}, call));
      const parts: string[] = [];
      for (const [part, words] of texts.entries()) {
        const { part: id } = await step(steps, stepOf(part), async () => {
          await call.confirm?.();
          const createdPost = await ask<{ id: string }>(url, '/posts', { key, part, text: words }, call);
          return { part: createdPost.id };
        });
        parts.push(String(id));
      }
      return postOf(parts);
    },
    async probe({ texts, key }, steps, call) {
      const parts: string[] = [];
      for (const part of texts.keys()) {
        const recordedStep = steps.find(stepOf(part));
        if (recordedStep === undefined) return { outcome: 'absent' };
        const [foundPost] = await ask<SeenPost[]>(url, '/search', { key, part }, call);
        if (foundPost === undefined) return { outcome: 'absent' };
        if (recordedStep.result === null) await steps.after(stepOf(part), { part: foundPost.id });
        parts.push(foundPost.id);
      }
      return { outcome: 'landed', post: postOf(parts) };
    },
    close: async () => undefined,
  };
}

/** The network of a server, with a channel's rules. */
export const serverNetwork = (rules: ChannelRules, watch: StepWatch = () => undefined): SocialNetwork =>
  defineSocialNetwork({
    rules,
    capabilities: { media: false, threads: rules.hasThreads, deletes: false, analytics: false },
    credentials: z.strictObject({ token: z.string() }),
    options: z.strictObject({ url: z.string() }),
    connect: ({ options }) => createAdapter(options.url, watch),
  });
