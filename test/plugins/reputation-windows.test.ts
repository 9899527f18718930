// The rules of the guard without a database: each limit at its boundary, the edges of the windows, and reports in any order.
import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { reputationPlugin } from '../../plugins/index.ts';
import { type ReputationRule, rulesOf } from '../../plugins/reputation/options.ts';
import { createReceivers, reporting } from '../../plugins/reputation/receivers.ts';
import { judgeWindows } from '../../plugins/reputation/windows/judge-windows.ts';
import { type CountedFaults, type HandedOver, levelOf, minuteMs } from '../../plugins/reputation/windows/series.ts';

const test = suite('windows of the guard');
const rules = rulesOf({});
const noon = Date.UTC(2026, 10, 20, 12);
const hour = 60 * minuteMs;

/** The documented rules: window, kind, minimum of hand-overs, minimum of faults, limits for warn and hold in percent */
const table = [
  ['1h', 'complaints', 200, 5, 0.5, 1],
  ['24h', 'complaints', 1_000, 10, 0.15, 0.3],
  ['1h', 'hard_bounces', 50, 20, 5, 10],
  ['24h', 'hard_bounces', 50, 20, 2.5, 5],
] as const;

const ruleOf = (window: string, kind: string): ReputationRule => {
  const found = rules.find((rule) => rule.window === window && rule.kind === kind);
  if (found === undefined) throw new Error(`no rule ${window} ${kind}`);
  return found;
};

for (const [window, kind, minMails, minFaults, warn, hold] of table) {
  const rule = ruleOf(window, kind);
  test(`${kind} in ${window}: each boundary is exact`, () => {
    assert.equal(
      [rule.handedOver, rule.faults, rule.warn * 100, rule.hold * 100].map((one) => Number(one.toFixed(6))),
      [minMails, minFaults, warn, hold],
    );
    const level = (handedOver: number, faults: number) => levelOf(rule, { handedOver, faults });
    assert.is(level(minMails, minMails), 'held');
    assert.is(level(minMails - 1, minMails - 1), 'ok', 'too little mail has no effect');
    assert.is(level(minMails, minFaults - 1), 'ok', 'too few faults have no effect');
    for (const scale of [1, 3, 7, 100, 12_345]) {
      const mails = minMails * 1_000 * scale;
      const [toWarn, toHold] = [Math.round((mails * warn) / 100), Math.round((mails * hold) / 100)];
      assert.is(level(mails, toHold), 'held', `${toHold} of ${mails}`);
      assert.is(level(mails, toHold - 1), 'warned');
      assert.is(level(mails, toWarn), 'warned');
      assert.is(level(mails, toWarn - 1), 'ok');
      assert.is(level(mails + 1, toHold), 'warned', 'a rate just below the limit holds no mail');
    }
  });
}

const mail = (minute: number, mails: number, more: Partial<HandedOver> = {}): HandedOver => ({
  minute,
  domain: 'example.com',
  receiver: reporting,
  mails,
  ...more,
});
const fault = (minute: number, count: number, more: Partial<CountedFaults> = {}): CountedFaults => ({
  minute,
  domain: 'example.com',
  receiver: reporting,
  kind: 'hard_bounce',
  count,
  ...more,
});
const judge = (handedOver: readonly HandedOver[], faults: readonly CountedFaults[], from = 0) =>
  judgeWindows({ handedOver, faults }, rules, from);
const levelAt = (...given: Parameters<typeof judge>) => judge(...given).worst?.level ?? 'ok';

test('a window of an hour has 60 minutes, and a window of 24 hours has 1,440', () => {
  const split = (distance: number) =>
    judge([mail(noon, 100), mail(noon + distance, 100)], [fault(noon, 10), fault(noon + distance, 10)]).worst?.window;
  assert.is(split(59 * minuteMs), '1h');
  assert.is(split(60 * minuteMs), '24h');
  assert.is(split(24 * hour - minuteMs), '24h');
  assert.is(split(24 * hour), undefined);
});

test('faults of mail that does not count do not count either', () => {
  assert.is(levelAt([mail(noon, 100)], [fault(noon - minuteMs, 50)]), 'ok');
  assert.is(
    levelAt([mail(noon, 100)], [fault(noon, 50, { domain: 'other.example' })]),
    'held',
    'the faults count in the workspace',
  );
  assert.is(levelAt([mail(noon, 1_000)], [fault(noon, 50, { kind: 'complaint', receiver: 'unknown' })]), 'ok');
  assert.is(levelAt([], [fault(noon, 1_000)]), 'ok');
});

test('earlier windows are not checked, because their oldest mail may be missing', () => {
  const bad = [[mail(noon, 50)], [fault(noon, 50)]] as const;
  assert.is(levelAt(...bad, noon), 'held');
  assert.is(levelAt(...bad, noon + minuteMs), 'ok');
});

test('the note of a hold names the highest rate', () => {
  const { worst } = judge(
    [mail(noon, 1_000), mail(noon, 100, { domain: 'offers.example.com' })],
    [fault(noon, 30), fault(noon, 60, { domain: 'offers.example.com' })],
  );
  assert.equal([worst?.domain, worst?.faults, worst?.handedOver], ['offers.example.com', 60, 100]);
});

test('the same reports in any order and grouping lead to the same level', async () => {
  const minute = fc.integer({ min: 0, max: 1_600 }).map((at) => noon + at * minuteMs);
  const domain = fc.constantFrom('example.com', 'offers.example.com');
  const receiver = fc.constantFrom(reporting, 'one', 'two');
  const history = fc
    .array(fc.record({ minute, domain, receiver, mails: fc.integer({ min: 1, max: 400 }) }), {
      minLength: 1,
      maxLength: 12,
    })
    .chain((handedOver) =>
      fc.record({
        handedOver: fc.constant(handedOver),
        faults: fc.array(
          fc.record({
            of: fc.integer({ min: 0, max: handedOver.length - 1 }),
            kind: fc.constantFrom('hard_bounce' as const, 'complaint' as const),
            count: fc.integer({ min: 1, max: 25 }),
            order: fc.integer(),
          }),
          { maxLength: 25 },
        ),
      }),
    );
  const seen = new Set<string>();
  await fc.assert(
    fc.property(history, ({ handedOver, faults }) => {
      const reports = faults.map(({ of, kind, count, order }) => {
        const { minute, domain, receiver } = handedOver[of] as HandedOver;
        return { report: { minute, domain, receiver, kind, count }, order };
      });
      /** The highest level that the guard reaches if it judges after each report in this order, at the hour of the reported mail. */
      const levelAfter = (ordered: typeof reports): string => {
        const earlierFaults: CountedFaults[] = [];
        const levels = new Set<string>();
        for (const { report } of ordered) {
          earlierFaults.push(report);
          levels.add(levelAt(handedOver, earlierFaults, report.minute - (report.minute % hour)));
        }
        return ['held', 'warned'].find((level) => levels.has(level)) ?? 'ok';
      };
      const inOrder = levelAfter(reports);
      seen.add(inOrder);
      assert.is(levelAfter([...reports].reverse()), inOrder);
      assert.is(levelAfter([...reports].sort((one, other) => one.order - other.order)), inOrder);
      const finalLevel = levelAt(
        handedOver,
        reports.map(({ report }) => report),
      );
      assert.is(finalLevel, inOrder);
    }),
    { seed: 20261120, numRuns: 400 },
  );
  assert.equal([...seen].sort(), ['held', 'ok', 'warned'], 'not every level was reached');
});

test('a domain that reports complaints has its own group, and other domains are grouped by digests', () => {
  const receivers = createReceivers([' BigISP.example ']);
  const groupOf = (domain: string, workspaceId = 'ws_1') => receivers.of(workspaceId, `ada@${domain}`);
  for (const domain of [
    'yahoo.com',
    'YAHOO.co.jp',
    'yahoo.com.br',
    'hotmail.de',
    'outlook.com',
    'aol.com',
    'mail.ru',
    'bigisp.example',
  ])
    assert.is(groupOf(domain), reporting, domain);
  for (const domain of [
    'gmail.com',
    'yahoo.example',
    'notyahoo.com',
    'yahoo.com.evil.example',
    'пример.рф',
    'xn--e1afmkfd.xn--p1ai',
  ])
    assert.match(groupOf(domain) ?? '', /^[0-9a-f]{32}$/, domain);
  assert.is(groupOf('пример.рф'), groupOf('xn--e1afmkfd.xn--p1ai'));
  assert.is.not(groupOf('firm.example'), groupOf('firm.example', 'ws_2'));
  assert.is(receivers.of('ws_1', 'erased'), undefined);
});

test('options with impossible limits are refused', () => {
  const faults = (options: unknown) => () => reputationPlugin(options as Parameters<typeof reputationPlugin>[0]);
  assert.throws(faults({ complaint: {} }), /no option complaint/);
  assert.throws(faults({ hardBounces: { week: {} } }), /no option week/);
  assert.throws(faults({ hardBounces: { day: { warning: 1 } } }), /no option warning/);
  assert.throws(faults({ hardBounces: { day: { hold: 5 } } }), /hardBounces\.day\.hold.*share/);
  assert.throws(faults({ complaints: { hour: { warn: 0.5 } } }), /complaints\.hour\.warn.*above/);
  assert.throws(faults({ complaints: { hour: { faults: 0 } } }), /whole number/);
  assert.throws(faults({ complaints: { hour: { handedOver: Number.NaN } } }), /whole number/);
  assert.throws(faults({ reportingDomains: ['no domain'] }), /no domain/);
  const [, day] = rulesOf({ complaints: { day: { hold: 0.004 } } });
  assert.equal([day?.warn, day?.hold, day?.handedOver], [0.0015, 0.004, 1_000]);
});

test.run();
