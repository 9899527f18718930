// Helpers for the shared tests of social adapters. They connect, publish, and continue as the service does after a crash.
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import {
  isSocialError,
  type NetworkAccount,
  type PublishedPost,
  type SocialAdapter,
  type SocialError,
  type SocialTarget,
} from '../port/index.ts';
import { createMediaServer } from './media-server.ts';
import { hasOpenStep, type RecordedStepMap, type RecordedSteps, recordedSteps } from './recorded-steps.ts';
import { noOutgoing, sampleTarget } from './samples.ts';
import type { SocialSuiteTarget } from './suite-target.ts';

/** The delays before the next probe after an unclear answer, in milliseconds. */
const probeDelays = [60_000, 300_000, 1_800_000, 7_200_000, 21_600_000, 86_400_000];

/** The strings of the credentials that have at least 8 characters, so that a search for them is reliable. */
function secretsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.length >= 8 ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(secretsOf) : [];
}

/** Values for settings that may have any value, in contrast to options of the account. */
const ordinary: Readonly<Record<string, string>> = { title: 'The title', subreddit: 'acme', privacy: 'public' };

/** Thrown if the network can never say whether a post was published. */
export class StaysUnclear extends Error {}

/** A network under test, with helpers that use it. */
export interface SuiteBench extends SocialSuiteTarget {
  /** Makes a new adapter, like a new process. */
  connect(): SocialAdapter;
  account(): Promise<NetworkAccount>;
  /** A post to the first account. */
  target(overrides?: Partial<SocialTarget>): Promise<SocialTarget>;
  /** Publishes with a new adapter. */
  publish(target: SocialTarget, steps: RecordedSteps): Promise<PublishedPost>;
  /** Continues as the service does: asks whether an open step took effect, then publishes. */
  finish(target: SocialTarget, record: RecordedStepMap): Promise<PublishedPost>;
  /** The SocialError that `work` rejects with. Fails if `work` succeeds, rejects with another error, or shows the credentials. */
  faultOf(work: Promise<unknown>): Promise<SocialError>;
  /** Fails if the value shows the credentials. */
  assertNoSecret(value: unknown): void;
}

/** Runs `work` with the adapter, closes the adapter, and returns the result. */
async function withAdapter<T>(adapter: SocialAdapter, work: (adapter: SocialAdapter) => Promise<T>): Promise<T> {
  try {
    return await work(adapter);
  } finally {
    await adapter.close();
  }
}

/** Creates the helpers for a network under test. */
export function createBench(subject: SocialSuiteTarget): SuiteBench {
  const { network } = subject;
  const opened = {
    credentials: network.credentials.parse(subject.credentials),
    options: network.options.parse(subject.options ?? {}),
  };
  const secrets = secretsOf(subject.credentials);
  const connect = (): SocialAdapter => network.connect(opened, { outgoing: subject.outgoing ?? noOutgoing });
  const signal = AbortSignal.timeout(120_000);
  const files = createMediaServer();

  const assertNoSecret = (value: unknown): void => {
    const inspectedText = `${inspect(value, { depth: 12 })} ${JSON.stringify(value)}`;
    for (const secret of secrets)
      assert.ok(!inspectedText.includes(secret), `This shows the credentials: ${inspectedText.slice(0, 2_000)}`);
  };
  const account = (): Promise<NetworkAccount> =>
    withAdapter(connect(), async (adapter) => {
      const [first] = await adapter.accounts({ signal, now: Date.now() });
      assert.ok(first !== undefined, 'The credentials reach an account.');
      return first;
    });
  const settingsOf = ({ options }: NetworkAccount): Record<string, string> => {
    const settings: Record<string, string> = {};
    for (const { name, fromAccountOptions } of network.rules.settings) {
      const value = fromAccountOptions ? options?.[name]?.[0]?.value : ordinary[name];
      if (value !== undefined) settings[name] = value;
    }
    return { ...settings, ...subject.settings };
  };
  const publish = (target: SocialTarget, steps: RecordedSteps): Promise<PublishedPost> =>
    withAdapter(connect(), (adapter) =>
      adapter.publish(target, steps, { signal: AbortSignal.any([signal, steps.signal]), now: Date.now() }),
    );

  async function finish(target: SocialTarget, record: RecordedStepMap): Promise<PublishedPost> {
    let now = Date.now();
    let unclear = 0;
    for (let turn = 0; turn < 12; turn += 1) {
      const steps = recordedSteps(record);
      const options = { signal, now };
      try {
        const post = await withAdapter(connect(), async (adapter) => {
          const answer = hasOpenStep(record) ? await adapter.probe(target, steps, options) : undefined;
          if (answer?.outcome === 'landed') return answer.post;
          return answer?.outcome === 'unclear' ? undefined : adapter.publish(target, steps, options);
        });
        if (post !== undefined) return post;
        const delay = probeDelays[unclear];
        const open = steps.done.find(({ result }) => result === null);
        if (delay === undefined && open !== undefined && subject.cannotTell?.(target, open.name))
          throw new StaysUnclear();
        assert.ok(delay !== undefined, 'A probe must give a clear answer while the network answers.');
        unclear += 1;
        now += delay;
      } catch (error) {
        if (error instanceof StaysUnclear) throw error;
        assert.ok(isSocialError(error), `a SocialError, not ${inspect(error)}`);
        assertNoSecret(error);
        if (error.fault === 'rejected' || error.fault === 'disconnected') throw error;
        now = Math.max(error.until ?? 0, now + 60_000);
      }
    }
    throw new Error('The publication does not end.');
  }

  return {
    ...subject,
    connect,
    account,
    async target(overrides = {}) {
      const socialAccount = await account();
      const target = sampleTarget({
        externalAccountId: socialAccount.externalId,
        settings: settingsOf(socialAccount),
        ...overrides,
      });
      const media = target.media.map((each) => ({
        ...each,
        url: async (convertedFile?: { readonly bytes: Uint8Array; readonly contentType: string }) =>
          files.serve(convertedFile?.bytes ?? (await each.read()), convertedFile?.contentType ?? each.contentType),
      }));
      return { ...target, media };
    },
    publish,
    finish,
    async dispose() {
      await files.close();
      await subject.dispose();
    },
    async faultOf(work) {
      try {
        await work;
      } catch (error) {
        assert.ok(isSocialError(error), `a SocialError, not ${inspect(error)}`);
        assertNoSecret(error);
        return error;
      }
      throw new Error('The network accepted it.');
    },
    assertNoSecret,
  };
}
