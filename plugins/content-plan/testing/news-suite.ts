// The shared tests of news sources. Each adapter's own test file registers them, with a server of the kind that the adapter reads.
import * as assert from 'node:assert/strict';
import type { Logger, Outgoing } from '../../../core/index.ts';
import type { NewsOptions, NewsPiece, NewsSource } from '../port/index.ts';

/** A source under test. Its server has news with markup and accents, in one feed that `simulateFault` breaks. */
export interface NewsSuiteTarget {
  readonly source: NewsSource;
  /** The titles that the source returns, in any order. */
  readonly titles: readonly string[];
  /** The number of requests that the server has received. */
  requestCount(): number;
  /** Makes the server fail, or work again. */
  simulateFault(fails: boolean): void;
  /** Reaches the server. Sources without a server do not need it. */
  readonly outgoing?: Outgoing;
  /** Stops the server. The suite closes the source itself. */
  dispose(): Promise<void>;
}

/** Makes a target for each test. */
export type NewsSuiteHarness = () => Promise<NewsSuiteTarget>;

/** A line that a source logged. */
export interface LoggedLine {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

const hour = 3_600_000;
const workspaceId = 'ws_01JD3Q5S8ZK2M4N6P8R0T2V4W6';
const startAt = Date.parse('2026-11-20T15:04:05.000Z');

/** No test may reach a network by mistake. */
const refuseNetwork = async (): Promise<never> => {
  throw new Error('This test has no network.');
};
const noOutgoing: Outgoing = {
  check: async () => undefined,
  request: refuseNetwork,
  connect: refuseNetwork,
  close: async () => undefined,
};

/** Options of a call. Lines that the source logs are added to `lines`. */
export function sampleNewsOptions(overrides: Partial<NewsOptions> = {}, lines: LoggedLine[] = []): NewsOptions {
  const keep = (fields: Record<string, unknown>, message: string): void => void lines.push({ fields, message });
  const log: Logger = { debug: () => undefined, info: keep, warn: keep, error: keep };
  return { signal: new AbortController().signal, outgoing: noOutgoing, log, now: startAt, ...overrides };
}

type Ask = (overrides?: Partial<NewsOptions>) => Promise<readonly NewsPiece[]>;
type Run = (subject: NewsSuiteTarget, ask: Ask, lines: readonly LoggedLine[]) => Promise<void>;

const sorted = (texts: readonly string[]): string[] => [...texts].sort();
const titlesOf = (pieces: readonly NewsPiece[]): string[] => sorted(pieces.map(({ title }) => title));

/** A tag, a comment, or a character reference that an HTML parser would have decoded. */
const markup = /<[a-z/!?]|&(?:#\d+|#x[\da-f]+|amp|lt|gt|quot|nbsp);/i;

const cases: Readonly<Record<string, Run>> = {
  'names itself, and sends no request before it is asked': async ({ source, requestCount }) => {
    assert.match(source.id, /^[a-z][a-z0-9-]*$/, 'the id is lower-case letters, digits and hyphens');
    assert.notEqual(source.id, 'none', 'none is the id of the source that has no news');
    assert.equal(requestCount(), 0, 'constructing a source must send no request');
  },

  'returns each piece with its title, its URL and its source': async ({ titles }, ask) => {
    const pieces = await ask();
    assert.deepEqual(titlesOf(pieces), sorted(titles), 'latest must return the titles of the subject');
    for (const { id, url, source, publishedAt } of pieces) {
      assert.ok(id !== '' && source.trim() !== '', `a piece without an id or a source: ${url}`);
      assert.match(url, /^https?:\/\//, 'a piece has a web address');
      assert.ok(publishedAt === undefined || Number.isInteger(publishedAt), 'times are whole milliseconds');
    }
  },

  'returns plain text': async (_subject, ask) => {
    for (const { title, source, excerpt } of await ask())
      for (const text of [title, source, excerpt]) assert.doesNotMatch(text, markup, 'texts have no markup');
  },

  'gives each piece an id of its own, and the same one with every call': async (_subject, ask) => {
    const ids = async (now: number) => (await ask({ now })).map(({ id, title }) => `${title}: ${id}`);
    const first = await ids(startAt);
    assert.equal(new Set(first).size, first.length, 'two pieces have the same title and id');
    assert.deepEqual(sorted(await ids(startAt + hour)), sorted(first), 'a piece must keep its id with the next call');
  },

  'logs once that a feed fails and once that it works again, and then returns its news': async (
    { titles, simulateFault },
    ask,
    lines,
  ) => {
    const failing = (now: number) =>
      assert.doesNotReject(ask({ now }), 'latest must log a feed that fails, and return the news of the other feeds');
    simulateFault(true);
    await failing(startAt);
    await failing(startAt + hour);
    const logged = lines.map(({ message }) => message).join(' | ');
    assert.equal(lines.length, 1, `latest must log one line while the feed fails, not: ${logged || 'none'}`);
    simulateFault(false);
    const titlesNow = titlesOf(await ask({ now: startAt + 2 * hour }));
    assert.deepEqual(titlesNow, sorted(titles), 'latest must return the news of a feed that works again');
    await ask({ now: startAt + 3 * hour });
    assert.equal(lines.length, 2, 'latest must log one line more when the feed works again');
  },

  'sends no request once its signal was aborted, or after it was closed': async ({ source, requestCount }, ask) => {
    const reason = new Error('the attempt is over');
    const aborted = ask({ signal: AbortSignal.abort(reason) });
    await assert.rejects(
      aborted,
      reason,
      'latest must reject with the reason of its signal once the signal was aborted',
    );
    await source.close?.();
    await assert.rejects(ask(), Error, 'latest must reject after close()');
    assert.equal(requestCount(), 0, 'latest must send no request once its signal was aborted, or after close()');
  },
};

/** Registers the shared tests under names that start with `name`. */
export function newsSourceSuite(
  name: string,
  harness: NewsSuiteHarness,
  register: (name: string, run: () => Promise<void>) => void,
): void {
  for (const [title, run] of Object.entries(cases))
    register(`${name}: ${title}`, async () => {
      const subject = await harness();
      const { source, outgoing = noOutgoing } = subject;
      const lines: LoggedLine[] = [];
      const ask: Ask = (overrides) => source.latest(workspaceId, sampleNewsOptions({ outgoing, ...overrides }, lines));
      try {
        await run(subject, ask, lines);
      } finally {
        await source.close?.();
        await subject.dispose();
      }
    });
}
