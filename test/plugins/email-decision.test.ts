// The decision whether a mail may be sent: single cases, and properties of every combination of facts.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type Decision,
  type DecisionCode,
  type DecisionFacts,
  decide,
  decisionCodes,
  effectOf,
  type MarketingFacts,
} from '../../plugins/email/decision/decide.ts';

const test = suite('the decision about a mail');
const hour = 3_600_000;
const now = Date.parse('2026-11-24T22:15:00Z'); // 23:15 in Vienna
const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const night = { quietHours: { from: '21:00', to: '08:00' }, weekdays: everyDay, zone: 'Europe/Vienna' };
const morning = Date.parse('2026-11-25T07:00:00Z');
const suppressed = { reason: 'hard_bounce', since: now - 24 * hour, sendId: null } as const;
const threeAWeek = { max: 3, windowMs: 7 * 24 * hour } as const;

const factsOf = (general: Partial<DecisionFacts> = {}, marketing: MarketingFacts = {}): DecisionFacts => ({
  category: 'marketing',
  sandbox: false,
  hasAddress: true,
  suppressed: undefined,
  at: now,
  now,
  expiresAt: null,
  ...general,
  marketing,
});
const codesOf = ({ reasons }: Decision): DecisionCode[] => reasons.map(({ code }) => code);
const summaryOf = (decision: Decision) => {
  const outcome = effectOf(decision);
  return [codesOf(decision), outcome.kind, decision.after] as const;
};

/** Title, facts, and the expected codes, outcome and `after`. */
const cases: readonly (readonly [
  string,
  DecisionFacts,
  readonly [readonly DecisionCode[], ReturnType<typeof effectOf>['kind'], number | undefined],
])[] = [
  ['without further facts, a mail is sent', factsOf(), [[], 'sent', undefined]],
  ['a suppressed address gets nothing', factsOf({ suppressed }), [['suppressed'], 'suppressed', undefined]],
  [
    'a suppression stops transactional mail, too',
    factsOf({ suppressed, category: 'transactional' }),
    [['suppressed'], 'suppressed', undefined],
  ],
  ['no consent', factsOf({}, { consent: 'missing' }), [['no_consent'], 'suppressed', undefined]],
  [
    'an unsubscribed topic',
    factsOf({}, { topic: { key: 'offers', subscribed: false } }),
    [['topic'], 'suppressed', undefined],
  ],
  ['a subscribed topic', factsOf({}, { topic: { key: 'offers', subscribed: true } }), [[], 'sent', undefined]],
  [
    'a full cap',
    factsOf({}, { caps: [threeAWeek], acceptedAt: [now - 1, now - hour, now - 6 * 24 * hour] }),
    [['frequency_cap'], 'suppressed', undefined],
  ],
  [
    'a cap with room: the oldest mail is exactly a week old',
    factsOf({}, { caps: [threeAWeek], acceptedAt: [now - 1, now - hour, now - 7 * 24 * hour] }),
    [[], 'sent', undefined],
  ],
  [
    'the stricter of two caps',
    factsOf({}, { caps: [threeAWeek, { max: 1, windowMs: 24 * hour }], acceptedAt: [now - hour] }),
    [['frequency_cap'], 'suppressed', undefined],
  ],
  ['quiet hours', factsOf({}, { hours: night }), [['quiet_hours'], 'waits', morning]],
  [
    'the current quiet hours do not delay a mail that is scheduled for the day',
    factsOf({ at: morning + hour }, { hours: night }),
    [[], 'sent', undefined],
  ],
  [
    'a day without marketing',
    factsOf({ at: morning }, { hours: { ...night, weekdays: ['mon', 'tue'] } }),
    [['quiet_hours'], 'waits', Date.parse('2026-11-30T07:00:00Z')],
  ],
  ['a hold delays a mail without a known end', factsOf({}, { hold: true }), [['reputation_hold'], 'waits', undefined]],
  [
    'a hold and quiet hours',
    factsOf({}, { hold: true, hours: night }),
    [['quiet_hours', 'reputation_hold'], 'waits', undefined],
  ],
  ['a hold has no effect in the sandbox', factsOf({ sandbox: true }, { hold: true }), [[], 'sent', undefined]],
  ['a ramp', factsOf({}, { rampUntil: morning }), [['ramp'], 'waits', morning]],
  ['a ramp that has ended', factsOf({}, { rampUntil: now }), [[], 'sent', undefined]],
  ['a ramp has no effect in the sandbox', factsOf({ sandbox: true }, { rampUntil: morning }), [[], 'sent', undefined]],
  [
    'if a ramp ends in the quiet hours, the mail waits for the end of the quiet hours',
    factsOf({}, { rampUntil: now + hour, hours: night }),
    [['quiet_hours', 'ramp'], 'waits', morning],
  ],
  ['no address', factsOf({ hasAddress: false }), [['no_address'], 'suppressed', undefined]],
  ['expired', factsOf({ expiresAt: now }), [['expired'], 'expired', undefined]],
  [
    'a mail that expires in the quiet hours never leaves',
    factsOf({ expiresAt: now + hour }, { hours: night }),
    [['quiet_hours', 'expired'], 'expired', undefined],
  ],
  [
    'a mail that expires after the quiet hours waits',
    factsOf({ expiresAt: morning + hour }, { hours: night }),
    [['quiet_hours'], 'waits', morning],
  ],
  [
    'a reason that stops a mail wins over a reason to wait',
    factsOf({ suppressed }, { hours: night, hold: true }),
    [['suppressed', 'quiet_hours', 'reputation_hold'], 'suppressed', undefined],
  ],
];

for (const category of ['transactional', 'system'] as const)
  test(`${category} mail ignores all rules for marketing mail`, () => {
    const marketing: MarketingFacts = {
      consent: 'missing',
      topic: { key: 'offers', subscribed: false },
      hours: night,
      caps: [threeAWeek],
      acceptedAt: [now, now, now],
      hold: true,
      rampUntil: morning,
    };
    assert.equal(decide(factsOf({ category }, marketing)), { allowed: true, after: undefined, reasons: [] });
  });

for (const [title, facts, expected] of cases)
  test(title, () => {
    assert.equal(summaryOf(decide(facts)), expected);
  });

test('the sentences name the cause, the cap and the next time', () => {
  const full: MarketingFacts = { hours: night, caps: [threeAWeek], acceptedAt: [now, now, now] };
  const messages = decide(factsOf({ suppressed }, full)).reasons.map(({ message }) => message);
  assert.equal(messages, [
    'The recipient is suppressed: hard_bounce, since 2026-11-23T22:15:00.000Z.',
    'The marketing calendar allows 3 marketing mails in 7 days, and the address has already got as many.',
    'Marketing mail reaches this address on mon, tue, wed, thu, fri, sat, sun, not from 21:00 to 08:00 (Europe/Vienna). The next time is 2026-11-25T07:00:00.000Z.',
  ]);
});

/** The values of each fact. The test decides every combination. */
const values = {
  category: ['marketing', 'transactional', 'system'],
  sandbox: [false, true],
  hasAddress: [true, false],
  suppressed: [undefined, suppressed],
  consent: [undefined, 'missing'],
  subscribed: [undefined, true, false],
  accepted: [0, 2, 3],
  hours: [undefined, night],
  hold: [false, true],
  rampUntil: [undefined, now - hour, now + hour],
  expiresAt: [null, now - hour, now + 2 * hour, morning + hour],
} as const;

type Combination = { [K in keyof typeof values]: (typeof values)[K][number] };

function* combinations(): Generator<Combination> {
  const names = Object.keys(values) as (keyof typeof values)[];
  const total = names.reduce((product, name) => product * values[name].length, 1);
  for (let number = 0; number < total; number += 1) {
    let remainder = number;
    const combination: Record<string, unknown> = {};
    for (const name of names) {
      combination[name] = values[name][remainder % values[name].length];
      remainder = Math.floor(remainder / values[name].length);
    }
    yield combination as Combination;
  }
}

/** The expected codes of a combination. Each depends only on its own facts. */
function expectedCodes(one: Combination): Set<DecisionCode> {
  const isMarketing = one.category === 'marketing';
  const isLive = isMarketing && !one.sandbox;
  const ramp = isLive && one.rampUntil === now + hour;
  const quiet = isMarketing && one.hours !== undefined;
  const hold = isLive && one.hold;
  const isStopped =
    !one.hasAddress ||
    one.suppressed !== undefined ||
    (isMarketing && (one.consent === 'missing' || one.subscribed === false || one.accepted === 3));
  // The time at which the mail would leave, if it is known.
  const leavesAt = isStopped || hold ? now : quiet ? morning : ramp ? now + hour : now;
  const applies: Readonly<Record<DecisionCode, boolean>> = {
    suppressed: one.suppressed !== undefined,
    no_consent: isMarketing && one.consent === 'missing',
    topic: isMarketing && one.subscribed === false,
    frequency_cap: isMarketing && one.accepted === 3,
    quiet_hours: quiet,
    reputation_hold: hold,
    ramp,
    no_address: !one.hasAddress,
    expired: one.expiresAt !== null && one.expiresAt <= leavesAt,
  };
  return new Set(decisionCodes.filter((code) => applies[code]));
}

test('in every combination, each reason depends on its own facts, the order is fixed, and only a reason that must stop a mail stops it', () => {
  const delayingCodes = new Set<DecisionCode>(['quiet_hours', 'reputation_hold', 'ramp']);
  let count = 0;
  for (const one of combinations()) {
    const { category, sandbox, hasAddress, expiresAt } = one;
    const marketing: MarketingFacts = {
      consent: one.consent,
      topic: one.subscribed === undefined ? undefined : { key: 'offers', subscribed: one.subscribed },
      hours: one.hours,
      caps: [threeAWeek],
      acceptedAt: Array.from({ length: one.accepted }, () => now - hour),
      hold: one.hold,
      rampUntil: one.rampUntil,
    };
    const decision = decide(
      factsOf({ category, sandbox, hasAddress, suppressed: one.suppressed, expiresAt }, marketing),
    );
    const codes = codesOf(decision);
    const name = JSON.stringify(one);
    const expected = expectedCodes(one);
    assert.equal(
      codes,
      decisionCodes.filter((code) => expected.has(code)),
      name,
    );
    assert.is(decision.allowed, codes.length === 0, name);
    if (decision.after !== undefined) {
      assert.ok(codes.every((code) => delayingCodes.has(code)) && decision.after > now, name);
      assert.ok(!codes.includes('reputation_hold'), name);
    }
    const { kind } = effectOf(decision);
    const stops = codes.filter((code) => !delayingCodes.has(code));
    assert.is(kind === 'sent', codes.length === 0, name);
    assert.is(kind === 'waits', codes.length > 0 && stops.length === 0, name);
    assert.is(kind === 'expired', stops.length === 1 && stops[0] === 'expired', name);
    count += 1;
  }
  assert.is(count, 3 * 2 * 2 * 2 * 2 * 3 * 3 * 2 * 2 * 3 * 4);
});

test.run();
