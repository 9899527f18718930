// Drafts with an experiment: valid settings, faults that prevent scheduling, and what an approval covers.
import * as assert from 'uvu/assert';
import { isPostriderError } from '../../core/index.ts';
import { codeBlocks } from '../examples/documents.ts';
import { type BroadcastBench, openBroadcastBench } from '../support/broadcast-bench.ts';
import { type DraftFields, draftFor, scheduledFor, twoVariants } from '../support/broadcast-experiments.ts';
import { twoDatabases } from '../support/databases.ts';

const hour = 3_600_000;

await twoDatabases('drafts with experiments', (test, database) => {
  let bench: BroadcastBench;
  test.before.each(async () => {
    bench = await openBroadcastBench(database);
  });
  test.after.each(() => bench.close());

  const read = (broadcastId: string) => bench.calls().broadcasts.read({ broadcastId });
  const codeOf = (call: () => Promise<unknown>) => bench.codeOf(call);
  const draft = (count: number, fields?: DraftFields) => draftFor(bench, count, fields);
  const scheduled = (count: number, fields?: DraftFields) => scheduledFor(bench, count, fields);

  /** The details of the error with which scheduling fails. */
  async function faultsOf(broadcastId: string): Promise<string[]> {
    try {
      await bench.calls().broadcasts.schedule({ broadcastId });
      return [];
    } catch (error) {
      if (!isPostriderError(error, 'broadcast_invalid')) throw error;
      return (error.details ?? []).map(({ path, code }) => `${path} ${code}`);
    }
  }

  async function republish(key: string, subject: string): Promise<void> {
    await bench.calls().templates.update({ key, subject });
    await bench.calls().templates.publish({ key });
  }

  test('the template of a variant cannot be archived while the broadcast is scheduled', async () => {
    await bench.publish('other', {
      category: 'marketing',
      subject: 'Other',
      body: '<p>Hi {{name}}</p><a href="%unsubscribe_url%">U</a>',
    });
    const variants = [{ name: 'A' }, { name: 'B', templateKey: 'other' }];
    const sendAt = new Date(bench.now() + hour).toISOString();
    const broadcastId = await scheduled(10, { experiment: { ...twoVariants, variants }, sendAt });
    assert.is(await codeOf(() => bench.calls().templates.archive({ key: 'other' })), 'template_in_use');
    const draft = await bench.calls().broadcasts.unschedule({ broadcastId });
    assert.is(draft.experiment?.status, null);
    assert.is(await codeOf(() => bench.calls().templates.archive({ key: 'other' })), 'none');
    assert.equal(await faultsOf(broadcastId), ['experiment.variants.1.templateKey template_archived']);
  });

  test('one attempt to schedule reports all faults of the variants', async () => {
    await bench.publish('receipt');
    const variants = [
      { name: 'A', subject: 'For {{nobody}}', from: { email: 'news@elsewhere.example', name: '' } },
      { name: 'B', templateKey: 'receipt' },
      { name: 'C', templateKey: 'nowhere' },
      { name: 'D', previewText: '{{ name' },
      { name: 'E' },
    ];
    const broadcastId = await draft(4, {
      experiment: { ...twoVariants, variants, minimum: 200, samplePercent: 20 },
      timezone: 'recipient',
      sendAt: '2099-06-01T09:00',
    });
    assert.equal((await faultsOf(broadcastId)).sort(), [
      'experiment timezone_recipient',
      'experiment.minimum sample_too_small',
      'experiment.variants.0.from from_not_allowed',
      'experiment.variants.0.subject placeholder_unknown',
      'experiment.variants.1.templateKey not_marketing',
      'experiment.variants.2.templateKey template_not_found',
      'experiment.variants.3.previewText syntax',
    ]);
    try {
      await bench.calls().broadcasts.schedule({ broadcastId });
    } catch (error) {
      if (!isPostriderError(error)) throw error;
      const tooSmall = error.details?.find(({ code }) => code === 'sample_too_small');
      // 5 variants with 200 recipients each are a fifth of 5,000.
      assert.match(tooSmall?.message ?? '', '4996 more contacts');
    }
    const same = [{ name: 'A' }, { name: 'B', templateKey: 'news' }];
    const twins = await draft(8, { experiment: { ...twoVariants, variants: same } });
    assert.equal(await faultsOf(twins), ['experiment.variants.1 variants_equal']);
  });

  test('a metric that a template does not track prevents scheduling', async () => {
    await bench.calls().templates.update({ key: 'news', tracking: { opens: true, clicks: false } });
    await bench.calls().templates.publish({ key: 'news' });
    assert.equal(await faultsOf(await draft(8)), ['experiment.metric not_tracked']);
    const opens = { ...twoVariants, metric: 'human_opens' as const };
    assert.equal(await faultsOf(await draft(8, { experiment: opens })), []);
  });

  test('the experiment in docs/broadcasts.md is valid', async () => {
    const [documented] = await codeBlocks('docs/broadcasts.md', 'json');
    const { experiment } = JSON.parse(documented ?? '');
    const { experiment: stored } = await read(await draft(1, { experiment }));
    assert.equal(stored?.variants, experiment.variants);
    assert.is(stored?.samplePercent, experiment.samplePercent);
  });

  test('conversions can be the metric only if a setting defines conversions', async () => {
    const experiment = { ...twoVariants, metric: 'conversions' as const };
    assert.equal(await faultsOf(await draft(8, { experiment })), ['experiment.metric no_conversions']);
    const settings = { conversions: [{ eventType: 'order.placed' }] };
    await bench.service.workspaces.update(bench.workspaceId, { settings });
    assert.equal(await faultsOf(await draft(8, { experiment })), []);
  });

  test('a holdout makes the sample smaller, and needs a larger audience', async () => {
    const experiment = { ...twoVariants, samplePercent: 100, minimum: 5 };
    const broadcastId = await draft(19, { experiment, holdoutPercent: 50 });
    assert.equal(await faultsOf(broadcastId), ['experiment.minimum sample_too_small']);
    const enough = await draft(20, { experiment, holdoutPercent: 50 });
    assert.equal(await faultsOf(enough), []);
    await bench.settle();
    const { data } = await bench.calls().broadcasts.recipients({ broadcastId: enough, limit: 100 });
    assert.ok(data.some(({ holdout }) => holdout));
    for (const { holdout, variant } of data)
      assert.is(variant === null, holdout, 'contacts of the holdout have no variant');
  });

  test('the settings of an experiment are validated when they are written', async () => {
    const invalid = async (experiment: object) =>
      codeOf(() => bench.draft({ experiment: { ...twoVariants, ...experiment } as typeof twoVariants }));
    const names = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `V${index}` }));
    for (const wrong of [
      { variants: names(1) },
      { variants: names(6) },
      { variants: [{ name: 'A' }, { name: 'A' }] },
      { samplePercent: 9 },
      { samplePercent: 101 },
      { decideAfter: 'P8D' },
      { decideAfter: 'P1M' },
      { decideAfter: 'PT0S' },
      { minimum: 0 },
      { metric: 'opens' },
      { status: 'decided' },
      { variants: [{ name: 'A' }, { name: 'B', subject: 'two\nlines' }] },
    ])
      assert.is(await invalid(wrong), 'validation_failed', JSON.stringify(wrong));
    assert.is(await invalid({ variants: names(5), decideAfter: 'P7D' }), 'none');
  });

  test('an experiment on opens has a warning, and a duplicate copies the settings without the state', async () => {
    const broadcastId = await scheduled(20, { experiment: { ...twoVariants, metric: 'human_opens' } });
    await bench.settle();
    await bench.calls().broadcasts.decide({ broadcastId, variant: 'Bold' });
    const { experiment } = await read(broadcastId);
    assert.equal(
      experiment?.warnings.map(({ code }) => code),
      ['opens_unreliable'],
    );
    const copy = await bench.calls().broadcasts.duplicate({ broadcastId });
    assert.equal(
      [copy.experiment?.variants, copy.experiment?.status, copy.experiment?.decision, copy.experiment?.decidesAt],
      [twoVariants.variants, null, null, null],
    );
    assert.is(
      (await bench.calls().broadcasts.update({ broadcastId: copy.broadcastId, experiment: null })).experiment,
      null,
    );
  });

  test('the hash for approvals covers the experiment and the templates of its variants', async () => {
    await bench.publish('other', {
      category: 'marketing',
      subject: 'Other',
      body: '<p>Hi {{name}}</p><a href="%unsubscribe_url%">U</a>',
    });
    const variants = [{ name: 'A' }, { name: 'B', templateKey: 'other' }];
    const broadcastId = await draft(10, { experiment: { ...twoVariants, variants }, sendAt: '2099-01-01T00:00:00Z' });
    const { broadcasts } = bench.calls();
    const hashOf = async () => {
      const { contentHash } = await broadcasts.schedule({ broadcastId });
      await broadcasts.unschedule({ broadcastId });
      return contentHash;
    };
    const first = await hashOf();
    assert.is(await hashOf(), first);
    await republish('other', 'Another');
    const second = await hashOf();
    assert.is.not(second, first);
    await broadcasts.update({ broadcastId, experiment: { ...twoVariants, variants, samplePercent: 60 } });
    assert.is.not(await hashOf(), second);
  });
});
