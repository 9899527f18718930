// Experiments: a sample gets variants, and the other contacts wait until the rule or a person decides which variant they get.
import * as assert from 'uvu/assert';
import { type BroadcastBench, openBroadcastBench } from '../support/broadcast-bench.ts';
import { type DraftFields, people, scheduledFor, twoVariants } from '../support/broadcast-experiments.ts';
import { twoDatabases } from '../support/databases.ts';
import { visit } from '../support/tracked-mail.ts';

const hour = 3_600_000;
const human = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/125.0' };

await twoDatabases('experiments of broadcasts', (test, database) => {
  let bench: BroadcastBench;
  test.before.each(async () => {
    bench = await openBroadcastBench(database);
  });
  test.after.each(() => bench.close());

  const read = (broadcastId: string) => bench.calls().broadcasts.read({ broadcastId });
  const codeOf = (call: () => Promise<unknown>) => bench.codeOf(call);
  const scheduled = (count: number, fields?: DraftFields) => scheduledFor(bench, count, fields);

  async function republish(key: string, subject: string): Promise<void> {
    await bench.calls().templates.update({ key, subject });
    await bench.calls().templates.publish({ key });
  }

  const subjects = async () => (await bench.received()).map(({ subject }) => subject ?? '');

  /** Everybody who got a mail with this subject clicks its link. */
  async function clickAll(subject: string): Promise<void> {
    for (const mail of await bench.received()) {
      if (mail.subject !== subject) continue;
      const link = /https?:\/\/[^"]+\/t\/c\/[^"]+/.exec(mail.html ?? '')?.[0] ?? '';
      await visit(bench, link, { headers: human });
    }
  }

  /** The number of recipients of each variant. */
  async function variantsOf(broadcastId: string): Promise<Record<string, number>> {
    const { data } = await bench.calls().broadcasts.recipients({ broadcastId, limit: 100 });
    const counts: Record<string, number> = {};
    for (const { variant } of data) counts[variant ?? 'none'] = (counts[variant ?? 'none'] ?? 0) + 1;
    return counts;
  }

  test('a sample gets the variants, the other contacts wait, and the better variant wins', async () => {
    const broadcastId = await scheduled(60);
    await bench.settle();
    const sampling = await read(broadcastId);
    const sample = bench.sink.messages.length;
    assert.ok(sample > 15 && sample < 45, `${sample} of 60 are in the sample`);
    assert.equal(
      [sampling.status, sampling.experiment?.status, sampling.experiment?.decision],
      ['sending', 'sampling', null],
    );
    assert.equal([sampling.counts.accepted, sampling.counts.waiting], [sample, 60 - sample]);
    const bold = (await subjects()).filter((subject) => subject === 'BIG news, reader').length;
    assert.equal(await variantsOf(broadcastId), { Plain: sample - bold, Bold: bold, none: 60 - sample });
    assert.ok(bold > 3 && bold < sample - 3, `${bold} of ${sample} are bold`);
    await clickAll('BIG news, reader');
    bench.advanceClock(3 * hour);
    await bench.settle();
    assert.is(
      (await read(broadcastId)).experiment?.status,
      'sampling',
      'nothing is decided before the time of the decision',
    );
    bench.advanceClock(hour);
    await bench.settle();
    const { status, experiment, counts } = await read(broadcastId);
    assert.equal([status, experiment?.status, counts.accepted, counts.waiting], ['sent', 'decided', 60, 0]);
    assert.equal([experiment?.decision?.by, experiment?.decision?.variant], ['rule', 'Bold']);
    assert.equal(experiment?.decision?.variants, [
      { name: 'Plain', recipients: sample - bold, hits: 0, rate: 0 },
      { name: 'Bold', recipients: bold, hits: bold, rate: 1 },
    ]);
    assert.ok((experiment?.decision?.p ?? 1) < 0.05);
    assert.equal(await variantsOf(broadcastId), { Plain: sample - bold, Bold: 60 - sample + bold });
    assert.equal(await bench.recipients(), people(60).sort());
    const report = await bench.calls().broadcasts.report({ broadcastId });
    assert.equal(
      report.byVariant.map(({ variant, accepted, clicked }) => [variant, accepted, clicked]),
      [
        ['Plain', sample - bold, 0],
        ['Bold', 60 - sample + bold, bold],
      ],
    );
    assert.equal(report.experiment, experiment);
    const { data } = await bench.calls().audit.list({ limit: 100 });
    assert.is(data.filter(({ action }) => action === 'broadcast.decide').length, 1);
  });

  test('without a significant difference no variant wins, and the other contacts get the first variant', async () => {
    const broadcastId = await scheduled(40);
    await bench.settle();
    bench.advanceClock(4 * hour);
    await bench.settle();
    const { status, experiment } = await read(broadcastId);
    assert.equal([status, experiment?.status], ['sent', 'no_winner']);
    const { decision } = experiment ?? {};
    assert.equal(
      [decision?.by, decision?.variant, decision?.test, decision?.z, decision?.p],
      [...['rule', 'Plain', 'fisher', null, 1]],
    );
    assert.is(bench.sink.messages.length, 40);
  });

  test('one call of decide ends the experiment, and the waiting contacts get the chosen variant', async () => {
    const { broadcasts } = bench.calls();
    const broadcastId = await scheduled(40);
    assert.is(await codeOf(() => broadcasts.decide({ broadcastId, variant: 'Bold' })), 'state_conflict');
    await bench.settle();
    const sample = bench.sink.messages.length;
    assert.is(await codeOf(() => broadcasts.decide({ broadcastId, variant: 'Italic' })), 'validation_failed');
    const results = await Promise.allSettled(
      ['Bold', 'Plain', 'Bold'].map((variant) => broadcasts.decide({ broadcastId, variant })),
    );
    const [won, ...more] = results.filter((result) => result.status === 'fulfilled').map(({ value }) => value);
    assert.is(more.length, 0, 'exactly one call decides');
    const chosen = won?.experiment?.decision?.variant;
    assert.equal([won?.experiment?.status, won?.experiment?.decision?.by], ['decided', 'hand']);
    bench.advanceClock(4 * hour);
    await bench.settle();
    const { status, experiment, counts } = await read(broadcastId);
    assert.equal([status, experiment?.decision?.variant, counts.accepted], ['sent', chosen, 40]);
    const afterSample = (await subjects()).slice(sample);
    assert.equal(new Set(afterSample), new Set([chosen === 'Bold' ? 'BIG news, reader' : 'Hello reader']));
    const plain = await bench.draft({ audience: { include: [{ listId: await bench.list(people(2)) }] } });
    assert.is(await codeOf(() => broadcasts.decide({ broadcastId: plain, variant: 'Bold' })), 'state_conflict');
  });

  test('if the rule and a call decide at the same moment, exactly one of them takes effect', async () => {
    const broadcastId = await scheduled(20);
    await bench.settle();
    bench.advanceClock(4 * hour);
    const call = codeOf(() => bench.calls().broadcasts.decide({ broadcastId, variant: 'Bold' }));
    await bench.drain();
    const code = await call;
    await bench.settle();
    const { experiment } = await read(broadcastId);
    assert.is(experiment?.decision?.by, code === 'none' ? 'hand' : 'rule');
    const { data } = await bench.calls().audit.list({ limit: 100 });
    assert.is(
      data.filter(({ action, target }) => action === 'broadcast.decide' && target.id === broadcastId).length,
      1,
    );
    assert.equal(await bench.recipients(), people(20).sort());
  });

  test('an experiment whose sample is the whole audience only reports: the broadcast is sent, and the rule decides later', async () => {
    const broadcastId = await scheduled(20, { experiment: { ...twoVariants, samplePercent: 100 } });
    await bench.settle();
    const sent = await read(broadcastId);
    assert.equal([sent.status, sent.experiment?.status, sent.counts.accepted], ['sent', 'sampling', 20]);
    await clickAll('BIG news, reader');
    bench.advanceClock(4 * hour);
    await bench.settle();
    const { status, experiment } = await read(broadcastId);
    assert.equal([status, experiment?.status, experiment?.decision?.variant], ['sent', 'decided', 'Bold']);
    assert.is(bench.sink.messages.length, 20);
  });

  test('a pause, a cancel and an erasure affect contacts that wait for the decision', async () => {
    const broadcastId = await scheduled(40);
    await bench.settle();
    const sample = bench.sink.messages.length;
    await bench.calls().broadcasts.pause({ broadcastId });
    bench.advanceClock(24 * hour);
    await bench.settle();
    assert.equal([bench.sink.messages.length, (await read(broadcastId)).experiment?.status], [sample, 'sampling']);
    const { data } = await bench.calls().broadcasts.recipients({ broadcastId, limit: 100, status: 'waiting' });
    const contactId = data[0]?.contactId ?? '';
    await bench.calls().contacts.delete({ contactId });
    await bench.settle();
    const erasedCount = (await bench.counts(broadcastId)).excluded.erased;
    assert.is(erasedCount, 1);
    await bench.calls().broadcasts.resume({ broadcastId });
    await bench.settle();
    const resumed = await read(broadcastId);
    assert.equal([resumed.status, resumed.experiment?.status], ['sent', 'no_winner'], 'the time to decide has passed');
    assert.is((await bench.counts(broadcastId)).accepted, 39);
    const canceled = await scheduled(40);
    await bench.settle();
    await bench.calls().broadcasts.cancel({ broadcastId: canceled });
    await bench.settle();
    const counts = await bench.counts(canceled);
    assert.equal([counts.waiting, counts.accepted + counts.canceled], [0, 40]);
    assert.ok(counts.canceled > 5);
    const late = () => bench.calls().broadcasts.decide({ broadcastId: canceled, variant: 'Bold' });
    assert.is(await codeOf(late), 'state_conflict');
  });

  test('a broadcast that waits for the decision is not overdue, but it is after a long outage that follows the decision', async () => {
    const experiment = { ...twoVariants, decideAfter: 'P2D' };
    const broadcastId = await scheduled(20, { experiment });
    await bench.settle();
    bench.advanceClock(48 * hour);
    await bench.settle();
    assert.equal([(await read(broadcastId)).status, bench.sink.messages.length], ['sent', 20]);
    const otherBroadcast = await scheduled(20, { experiment });
    await bench.settle();
    bench.advanceClock(62 * hour);
    await bench.settle();
    const paused = await read(otherBroadcast);
    assert.equal([paused.status, paused.pausedBy, paused.experiment?.status], ['paused', 'overdue', 'sampling']);
  });

  test('the pace applies to the sample and to the contacts after the decision', async () => {
    const broadcastId = await scheduled(12, { pace: { perHour: 60 }, experiment: { ...twoVariants, minimum: 1 } });
    for (let minute = 0; minute < 14; minute += 1) {
      await bench.settle(2);
      bench.advanceClock(58_000);
    }
    const sample = bench.sink.messages.length;
    assert.is((await read(broadcastId)).experiment?.status, 'sampling');
    bench.advanceClock(4 * hour);
    await bench.settle(2);
    assert.is(bench.sink.messages.length, sample + 1, 'the first contact outside the sample gets its mail');
    for (let minute = 0; minute < 14; minute += 1) {
      bench.advanceClock(58_000);
      await bench.settle(2);
    }
    assert.equal([(await read(broadcastId)).status, bench.sink.messages.length], ['sent', 12]);
  });

  test('each variant has its own template, preview text and sender, which are frozen by the schedule', async () => {
    await bench.service.workspaces.update(bench.workspaceId, { sendingDomains: ['letters.example'] });
    const html =
      '<html><body><p>An offer of {{offer}}, {{name}}</p><a href="%unsubscribe_url%">Unsubscribe</a></body></html>';
    await bench.publish('offer', { category: 'marketing', subject: 'Offer', previewText: 'Old {{name}}', body: html });
    const variants = [
      { name: 'A', previewText: 'For <{{name}}>' },
      { name: 'B', templateKey: 'offer', from: { email: 'sale@letters.example', name: 'Sale' } },
      { name: 'C', templateKey: 'offer', subject: '{{offer}} off', previewText: 'Only today & here' },
    ];
    const broadcastId = await scheduled(30, {
      experiment: { ...twoVariants, variants, samplePercent: 100 },
      variables: { name: 'reader', offer: '10 %' },
      sendAt: new Date(bench.now() + hour).toISOString(),
    });
    await republish('offer', 'Changed');
    bench.advanceClock(hour);
    await bench.settle();
    const mails = new Map((await bench.received()).map((mail) => [mail.subject ?? '', mail]));
    assert.equal([...mails.keys()].sort(), ['10 % off', 'Hello reader', 'Offer']);
    const hidden = (subject: string) =>
      /<div style="display:none[^>]*>([^<]*?)&#847;/.exec(mails.get(subject)?.html ?? '')?.[1];
    assert.is(hidden('Hello reader'), 'For &lt;reader&gt;');
    assert.is(hidden('Offer'), 'Old reader');
    assert.is(hidden('10 % off'), 'Only today &amp; here');
    assert.is(mails.get('10 % off')?.html?.match(/display:none/g)?.length, 1);
    assert.match(mails.get('Offer')?.html ?? '', 'An offer of 10 %, reader');
    assert.is(mails.get('Offer')?.from?.address, 'sale@letters.example');
    assert.is.not(mails.get('10 % off')?.from?.address, 'sale@letters.example');
    const preview = await bench.calls().broadcasts.preview({ broadcastId, variant: 'C' });
    assert.equal([preview.subject, preview.previewText], ['10 % off', 'Only today & here']);
    assert.match(preview.html, 'Only today &amp; here');
    assert.is(await codeOf(() => bench.calls().templates.archive({ key: 'offer' })), 'none');
  });
});
