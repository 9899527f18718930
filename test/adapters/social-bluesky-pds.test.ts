// time-limit: 300
// Bluesky against a real AT Protocol server: posts are published, found again after a lost answer, and removed.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { blueskySocial } from '../../adapters/social/bluesky.ts';
import { type Outgoing, OutgoingError } from '../../core/index.ts';
import { createOutgoing } from '../../core/outgoing/index.ts';
import type { SocialAdapter, SocialTarget } from '../../plugins/social/port/index.ts';
import {
  hostileTexts,
  type RecordedStepMap,
  recordedSteps,
  sampleMedia,
  samplePng,
  sampleTarget,
} from '../../plugins/social/testing/index.ts';
import { type AtprotoServer, startAtprotoServer } from '../support/atproto-server.ts';

const test = suite('Bluesky on a real server');

const server = await startAtprotoServer();
const outgoing = createOutgoing({ environment: 'development' });
const options = () => ({ signal: AbortSignal.timeout(60_000), now: Date.now() });

/** Closes the connection before or after the server gets the next record. */
const breakConnection = (when: 'before' | 'after'): Outgoing => {
  let isBroken = false;
  return {
    ...outgoing,
    async request(request) {
      const breaks = !isBroken && request.url.endsWith('.putRecord');
      if (!breaks) return outgoing.request(request);
      isBroken = true;
      if (when === 'after') await outgoing.request(request);
      throw new OutgoingError('connection_failed', 'The connection broke off.', { sent: true });
    },
  };
};

function registerTests({ url, did, handle, appPassword, close }: AtprotoServer): void {
  const network = blueskySocial();
  const connect = (password = appPassword, requests = outgoing): SocialAdapter =>
    network.connect(
      {
        credentials: network.credentials.parse({ appPassword: password }),
        options: network.options.parse({ identifier: handle, service: url }),
      },
      { outgoing: requests },
    );
  const target = (overrides: Partial<SocialTarget> = {}) => sampleTarget({ externalAccountId: did, ...overrides });
  const posts = async () => {
    const query = `repo=${did}&collection=app.bsky.feed.post&reverse=true&limit=100`;
    const answer = await fetch(`${url}/xrpc/com.atproto.repo.listRecords?${query}`);
    const { records } = (await answer.json()) as {
      records: { uri: string; value: { text: string; embed?: { images?: unknown[] } } }[];
    };
    return records;
  };
  const faultOf = (work: Promise<unknown>) => work.then(String, (error: { fault?: string }) => error.fault);

  test.after(async () => {
    await outgoing.close();
    await close();
  });

  test('the adapter finds the account', async () => {
    const [account] = await connect().accounts(options());
    assert.equal(account, { externalId: did, displayName: handle, handle, avatarUrl: null, isCompany: undefined });
    assert.is(await faultOf(connect('aaaa-bbbb-cccc-dddd').accounts(options())), 'disconnected');
  });

  test('the adapter publishes texts, links and mentions, cards, pictures and a video, and removes them', async () => {
    const adapter = connect();
    const targets = [
      ...hostileTexts.map((text) => target({ texts: [text] })),
      target({ texts: [`${'👨‍👩‍👧‍👦'.repeat(100)}`] }),
      target({
        texts: [`News for @${handle}: https://acme.example/a #größe 🚀`],
        linkUrl: 'https://acme.example/b?c=ü',
      }),
      target({ media: Array.from({ length: 4 }, () => sampleMedia()) }),
      target({ texts: [''], media: [sampleMedia('video')] }),
    ];
    const publishedPosts = [];
    for (const one of targets) publishedPosts.push(await adapter.publish(one, recordedSteps(new Map()), options()));
    const storedPosts = new Map((await posts()).map(({ uri, value }) => [uri, value]));
    assert.is(storedPosts.size, targets.length);
    for (const [index, { externalId }] of publishedPosts.entries())
      assert.is(storedPosts.get(externalId)?.text, targets[index]?.texts[0]);
    assert.is(storedPosts.get(publishedPosts.at(-2)?.externalId ?? '')?.embed?.images?.length, 4);
    for (const { externalId } of [...publishedPosts, ...publishedPosts])
      await adapter.remove?.({ ...target(), externalId, parts: [externalId] }, options());
    assert.equal(await posts(), []);
  });

  for (const when of ['before', 'after'] as const)
    test(`a connection that breaks ${when} the record is written leaves one post`, async () => {
      const adapter = connect();
      const record: RecordedStepMap = new Map();
      const one = target({
        texts: [`Broken ${when}`],
        media: [sampleMedia('image', { read: async () => samplePng() })],
      });
      const publishOnce = (by: SocialAdapter) => by.publish(one, recordedSteps(record), options());
      assert.is(await faultOf(publishOnce(connect(appPassword, breakConnection(when)))), 'uncertain');
      const { outcome } = await adapter.probe(one, recordedSteps(record), options());
      assert.is(outcome, when === 'before' ? 'absent' : 'landed');
      const { externalId } = await publishOnce(adapter);
      // Even if the request is wrongly repeated, no second record is written.
      await adapter.publish(one, recordedSteps(new Map()), options());
      assert.equal(
        (await posts()).filter(({ value }) => value.text === one.texts[0]).map(({ uri }) => uri),
        [externalId],
      );
    });

  test("a text that is too long is refused with the server's message", async () => {
    const error = await connect()
      .publish(target({ texts: ['a'.repeat(301)] }), recordedSteps(new Map()), options())
      .catch((thrown: unknown) => thrown);
    assert.is((error as { fault?: string }).fault, 'rejected');
    assert.match((error as Error).message, /record|text/i);
  });
}

if (server !== undefined) registerTests(server);

test.run();
