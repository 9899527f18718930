// The parts of the page of a broadcast that not every broadcast has: experiments, conversions, and the effect compared with the holdout.
import * as assert from 'uvu/assert';
import type { BroadcastResource } from '../../plugins/broadcasts/broadcasts.ts';
import { conversionPart, experimentPart, liftPart } from '../../plugins/broadcasts/console/measures.ts';
import { oneDatabase } from '../support/databases.ts';

const textOf = (part: { readonly html: string } | null): string =>
  (part?.html ?? '').replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

await oneDatabase('measures of broadcasts on their page', (test) => {
  const experiment: NonNullable<BroadcastResource['experiment']> = {
    ...{ decideAfter: 'PT4H', minimum: 200, decidesAt: null, warnings: [] },
    status: 'decided',
    metric: 'human_clicks',
    samplePercent: 20,
    variants: [{ name: 'A' }, { name: '<b>B</b>' }],
    decision: {
      ...{ at: '2026-11-20T12:00:00.000Z', test: 'z', z: 2.5 },
      by: 'rule',
      variant: '<b>B</b>',
      p: 0.012345,
      variants: [
        { name: 'A', recipients: 200, hits: 20, rate: 0.1 },
        { name: '<b>B</b>', recipients: 200, hits: 50, rate: 0.25 },
      ],
    },
  };

  test('an experiment shows its sample, its winner and the probability of chance', () => {
    const part = experimentPart({ experiment });
    assert.match(textOf(part), '2 variants, compared by clicks of people in 20 % of the recipients.');
    assert.match(textOf(part), '&lt;b&gt;B&lt;/b&gt; has won (p = 0.0123). All others get it.');
    assert.match(textOf(part), '200 20 10 %');
    assert.match(textOf(part), '200 50 25 %');
  });

  test('the page says if an experiment has no winner, and names the variant that all others get', () => {
    const part = experimentPart({ experiment: { ...experiment, status: 'no_winner' } });
    assert.match(
      textOf(part),
      'No winner (p = 0.0123): the difference may be chance. All others get A, the first variant.',
    );
  });

  test('the page says if an experiment still samples, was decided by a person, or has not begun', () => {
    assert.match(
      textOf(experimentPart({ experiment: { ...experiment, status: 'sampling', decision: null } })),
      'nothing is decided yet',
    );
    const decision =
      experiment.decision === null ? null : { ...experiment.decision, by: 'hand' as const, variant: 'A' };
    assert.match(textOf(experimentPart({ experiment: { ...experiment, decision } })), 'A person chose A.');
    const draft = { ...experiment, status: null, decision: null };
    assert.match(textOf(experimentPart({ experiment: draft })), 'It begins when the broadcast is sent.');
  });

  test('conversions show their basis, and their value by currency', () => {
    const values = [
      { currency: 'EUR', amount: '1200.50', conversions: 3 },
      { currency: null, amount: '7', conversions: 1 },
    ];
    const part = conversionPart({ conversions: { total: 5, clicked: 3, delivered: 2, values } });
    assert.match(textOf(part), '5 conversions: 3 of contacts who had clicked, 2 of contacts who got the mail');
    assert.match(textOf(part), 'EUR 3 1200.50');
    assert.match(textOf(part), 'none named 1 7');
  });

  test('the effect is shown as a difference with its interval, and the text says whether it may be chance', () => {
    const groups = {
      mail: { assigned: 900, converted: 90, share: 0.1 },
      holdout: { assigned: 100, converted: 2, share: 0.02 },
    };
    const proven = liftPart({ lift: { ...groups, difference: 0.08, low: 0.034, high: 0.1 } });
    assert.match(
      textOf(proven),
      '+8 percentage points, between +3.4 and +10 with 95 % confidence. The mail made this difference.',
    );
    assert.match(textOf(proven), 'Held out 100 2 2 %');
    const chance = liftPart({ lift: { ...groups, difference: 0.01, low: -0.02, high: 0.04 } });
    assert.match(textOf(chance), 'The difference may be chance.');
  });

  test('the page of a broadcast without an experiment and conversions has no such parts', () => {
    assert.is(experimentPart({ experiment: null }), null);
    assert.is(liftPart({ lift: null }), null);
    assert.is(conversionPart({ conversions: { total: 0, clicked: 0, delivered: 0, values: [] } }), null);
  });
});
