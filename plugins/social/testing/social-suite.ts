// The shared tests of social adapters. Each adapter's own test file registers them, with a server that imitates its network.
import assert from 'node:assert/strict';
import { SocialError } from '../port/index.ts';
import { createBench, type SuiteBench } from './bench.ts';
import { registerKillTests } from './kill-tests.ts';
import { type RecordedStepMap, recordedSteps, visibleParts } from './recorded-steps.ts';
import { hostileTexts, plainForm, sampleForms } from './samples.ts';
import { type RegisterSocialTest, refusalText, type SocialSuiteHarness } from './suite-target.ts';

const figureNames = ['clicks', 'comments', 'impressions', 'likes', 'reach', 'saves', 'shares', 'videoViews'];

/** Publishes a post, and returns it with the posts that people see. */
async function publishForm(bench: SuiteBench, form: ReturnType<typeof plainForm>) {
  const before = (await bench.visible()).length;
  const target = await bench.target(form.target);
  const record: RecordedStepMap = new Map();
  const post = await bench.publish(target, recordedSteps(record));
  bench.assertNoSecret([...record.values()]);
  const shown = (await bench.visible()).slice(before);
  const parts = post.parts ?? [post.externalId];
  assert.equal(parts.length, target.texts.length, 'one part for each text');
  assert.equal(visibleParts(record).length, parts.length, 'each visible part is the `part` of a result');
  assert.equal(parts[0], post.externalId);
  assert.ok(post.externalId.length >= 1 && post.externalId.length <= 300);
  if (post.url !== null) assert.match(post.url, /^https?:\/\//);
  return { target, post, parts, shown };
}

function registerForms(check: (title: string, run: (bench: SuiteBench) => Promise<void>) => void): void {
  check('publishes every form that its rules allow', async (bench) => {
    for (const form of sampleForms(bench.network.rules)) {
      const { target, shown } = await publishForm(bench, form);
      assert.equal(shown.length, target.texts.length, `${form.name}: as many posts as texts`);
      assert.equal(shown[0]?.media, target.media.length, `${form.name}: every attachment`);
      if (target.media.length === 0 && target.linkUrl === null)
        assert.deepEqual(
          shown.map(({ text }) => text),
          target.texts,
          form.name,
        );
    }
  });

  check('publishes hostile texts unchanged', async (bench) => {
    // A text with a character that the network refuses is a problem of the post, so it never reaches an adapter.
    const refused = new Set(bench.network.rules.forbidden ?? '');
    for (const hostile of hostileTexts) {
      const text = [...hostile].filter((sign) => !refused.has(sign)).join('');
      const { shown } = await publishForm(bench, plainForm(bench.network.rules, text));
      assert.equal(shown[0]?.text.normalize('NFC'), text.normalize('NFC'));
    }
  });

  check('publishes a text of the maximum length completely', async (bench) => {
    const { max, maxBytes = max } = bench.network.rules.text;
    const text = 'abcd '.repeat(Math.ceil(max / 5)).slice(0, Math.min(max, maxBytes) - 1);
    const { shown } = await publishForm(bench, plainForm(bench.network.rules, `${text}z`));
    assert.equal(shown[0]?.text, `${text}z`);
  });
}

function registerFaults(check: (title: string, run: (bench: SuiteBench) => Promise<void>) => void): void {
  check('a refusal is `rejected`, with the message of the network', async (bench) => {
    const target = await bench.target(plainForm(bench.network.rules).target);
    bench.simulateFault('rejected');
    const error = await bench.faultOf(bench.publish(target, recordedSteps(new Map())));
    assert.equal(error.fault, 'rejected');
    assert.ok(error.message.includes(refusalText), error.message);
    assert.deepEqual(await bench.visible(), []);
  });

  check('a rate limit is `limited`, and the post is published after its end', async (bench) => {
    const target = await bench.target(plainForm(bench.network.rules).target);
    const record: RecordedStepMap = new Map();
    bench.simulateFault('limited');
    const error = await bench.faultOf(bench.publish(target, recordedSteps(record)));
    assert.equal(error.fault, 'limited');
    if (error.until !== undefined) assert.ok(error.until > Date.now() - 1_000, 'until is a time in the future');
    bench.simulateFault(null);
    await bench.finish(target, record);
    assert.equal((await bench.visible()).length, 1);
  });

  check('refused credentials are `disconnected`', async (bench) => {
    const target = await bench.target(plainForm(bench.network.rules).target);
    bench.simulateFault('disconnected');
    const error = await bench.faultOf(bench.publish(target, recordedSteps(new Map())));
    assert.equal(error.fault, 'disconnected');
    assert.ok(bench.network.faultOf?.(error) !== undefined, 'The network recognizes the error (faultOf).');
    const accountsError = await bench.faultOf(
      bench.connect().accounts({ signal: AbortSignal.timeout(60_000), now: Date.now() }),
    );
    assert.equal(accountsError.fault, 'disconnected');
  });

  check(
    'a network that is down is `transient` or `uncertain`, and the post is published when the network works again',
    async (bench) => {
      const target = await bench.target(plainForm(bench.network.rules).target);
      const record: RecordedStepMap = new Map();
      bench.simulateFault('down');
      const { fault } = await bench.faultOf(bench.publish(target, recordedSteps(record)));
      assert.ok(fault === 'transient' || fault === 'uncertain', fault);
      assert.deepEqual(await bench.visible(), []);
      bench.simulateFault(null);
      await bench.finish(target, record);
      assert.equal((await bench.visible()).length, 1);
    },
  );

  check('publishes nothing after another process has taken over the publication', async (bench) => {
    const target = await bench.target(plainForm(bench.network.rules).target);
    const adapter = bench.connect();
    let attempts = 0;
    const confirm = async () => {
      attempts += 1;
      throw new SocialError('transient', 'Another process has taken over the publication.');
    };
    const options = { signal: AbortSignal.timeout(60_000), now: Date.now(), confirm };
    const { fault } = await bench.faultOf(adapter.publish(target, recordedSteps(new Map()), options));
    await adapter.close();
    assert.ok(
      attempts > 0,
      'publish awaits options.confirm right before each visible request, or lets httpSocial do so',
    );
    assert.equal(fault, 'transient', 'publish throws what confirm throws');
    assert.deepEqual(await bench.visible(), []);
  });

  check('publishes nothing after its signal was aborted', async (bench) => {
    const target = await bench.target(plainForm(bench.network.rules).target);
    const signal = AbortSignal.abort(new Error('The attempt is over.'));
    const adapter = bench.connect();
    const { fault } = await bench.faultOf(
      adapter.publish(target, recordedSteps(new Map()), { signal, now: Date.now() }),
    );
    assert.ok(fault === 'transient' || fault === 'uncertain', fault);
    await adapter.close();
    assert.deepEqual(await bench.visible(), []);
  });
}

function registerLive(check: (title: string, run: (bench: SuiteBench) => Promise<void>) => void): void {
  const options = () => ({ signal: AbortSignal.timeout(60_000), now: Date.now() });
  const livePost = async (bench: SuiteBench) => {
    const forms = sampleForms(bench.network.rules);
    const form = forms.find(({ target }) => target.texts.length > 1) ?? plainForm(bench.network.rules);
    const { target, post, parts } = await publishForm(bench, form);
    return { ...target, externalId: post.externalId, parts };
  };

  check('removes a live post with all parts; a missing post counts as removed', async (bench) => {
    const adapter = bench.connect();
    assert.equal(adapter.remove !== undefined, bench.network.capabilities.deletes);
    if (adapter.remove === undefined) return;
    const live = await livePost(bench);
    await adapter.remove(live, options());
    assert.deepEqual(await bench.visible(), []);
    await adapter.remove(live, options());
    await adapter.close();
  });

  check('returns metrics, null for metrics that the network does not report', async (bench) => {
    const adapter = bench.connect();
    assert.equal(adapter.metrics !== undefined, bench.network.capabilities.analytics);
    if (adapter.metrics === undefined) return;
    const figures = await adapter.metrics(await livePost(bench), options());
    assert.deepEqual(Object.keys(figures).sort(), figureNames);
    for (const [name, value] of Object.entries(figures))
      assert.ok(value === null || (Number.isInteger(value) && value >= 0), `${name}: ${value}`);
    await adapter.close();
  });
}

/** Registers the shared tests under names that start with `name`. */
export function socialAdapterSuite(name: string, harness: SocialSuiteHarness, register: RegisterSocialTest): void {
  const check = (title: string, run: (bench: SuiteBench) => Promise<void>): void =>
    register(`${name}: ${title}`, async () => {
      const bench = createBench(await harness());
      try {
        await run(bench);
      } finally {
        await bench.dispose();
      }
    });

  check('has valid ids and rules, and publishes nothing before it is called', async (bench) => {
    const { network } = bench;
    assert.match(network.provider, /^[a-z0-9_-]{1,40}$/);
    for (const { about, url, readOn } of network.rules.sources) {
      assert.ok(about !== '' && url.startsWith('https://'), `a source with an address: ${url}`);
      if (readOn !== null) assert.match(readOn, /^\d{4}-\d{2}-\d{2}$/);
    }
    assert.ok(network.rules.sources.length > 0, 'Each rule must name its source.');
    const adapter = bench.connect();
    assert.match(adapter.id, /^[a-z][a-z0-9-]*$/);
    await adapter.close();
    await adapter.close();
    assert.deepEqual(await bench.visible(), []);
  });

  check('finds the accounts that its credentials reach', async (bench) => {
    const adapter = bench.connect();
    const accounts = await adapter.accounts({ signal: AbortSignal.timeout(60_000), now: Date.now() });
    assert.ok(accounts.length > 0);
    for (const { externalId, displayName, handle, avatarUrl, options } of accounts) {
      assert.ok(externalId.length >= 1 && externalId.length <= 200);
      assert.ok(displayName !== '' && !handle.startsWith('@'));
      if (avatarUrl !== null) assert.match(avatarUrl, /^https?:\/\//);
      for (const setting of bench.network.rules.settings)
        if (setting.fromAccountOptions)
          assert.ok((options?.[setting.name]?.length ?? 0) > 0, `options of ${setting.name}`);
    }
    bench.assertNoSecret(accounts);
    await adapter.close();
  });

  registerForms(check);
  registerFaults(check);
  registerLive(check);
  registerKillTests(name, harness, register);
}
