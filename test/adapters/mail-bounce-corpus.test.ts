// Bounces and complaints of real mail servers and providers (sisimai/set-of-emails, BSD-2-Clause), with the reasons that their
// collectors found. POSTRIDER_TEST_CORPORA names the folder of the corpora. Prints the results.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mailboxReports } from '../../adapters/mail/mailbox.ts';
import { localOutgoing } from '../../hosts/testing/local-outgoing.ts';
import type { BounceDetails, MailReport } from '../../plugins/email/port/index.ts';

const folder = join(process.env['POSTRIDER_TEST_CORPORA'] ?? '', 'bounces');
const test = suite('bounces of a corpus');
const secret = 'a secret for tests only';
const reports = mailboxReports({ secret });

interface Expected {
  readonly reason: string;
  readonly hard: boolean;
}

/** The subtypes that fit a reason of the corpus. */
const subTypes: Readonly<Record<string, readonly BounceDetails['subType'][]>> = {
  userunknown: ['no_mailbox'],
  hasmoved: ['no_mailbox'],
  hostunknown: ['dns_failure'],
  notaccept: ['dns_failure'],
  mailboxfull: ['mailbox_full'],
  mesgtoobig: ['message_too_large'],
  exceedlimit: ['message_too_large'],
  spamdetected: ['content_rejected', 'policy'],
  virusdetected: ['content_rejected', 'attachment_rejected', 'policy'],
  contenterror: ['content_rejected', 'message_too_large', 'policy'],
  notcompliantrfc: ['content_rejected', 'policy'],
  blocked: ['policy'],
  badreputation: ['policy', 'content_rejected'],
  requireptr: ['policy'],
  authfailure: ['policy'],
  policyviolation: ['policy', 'content_rejected'],
  securityerror: ['policy'],
  norelaying: ['policy'],
  rejected: ['policy'],
  toomanyconn: ['general', 'policy'],
  expired: ['general', 'dns_failure'],
  networkerror: ['general', 'dns_failure', 'policy'],
  systemerror: ['general'],
  mailererror: ['general'],
};

/**
 * Reasons that are never hard. `filtered` and `suspend` are not in the list, because the corpus also uses them for mails whose servers
 * say "user unknown".
 */
const neverHard = Object.keys(subTypes).filter(
  (reason) => !['userunknown', 'hasmoved', 'hostunknown', 'notaccept'].includes(reason),
);

async function read(body: Uint8Array): Promise<MailReport | undefined> {
  const headers = { authorization: `Bearer ${secret}` };
  return (await reports.read({ headers, body, now: 0, outgoing: localOutgoing() }))[0];
}

const bounceOf = (report: MailReport | undefined): BounceDetails | undefined =>
  report?.fact.kind === 'bounced' ? report.fact.bounce : undefined;

interface Sample {
  readonly name: string;
  readonly raw: Buffer;
  readonly reasons: readonly string[];
  readonly report: MailReport | undefined;
}

async function readSamples(): Promise<Sample[]> {
  const expectedReasons = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Record<string, Expected[]>;
  const names = readdirSync(folder).filter((name) => name.endsWith('.eml'));
  const samples: Sample[] = [];
  for (const name of names.sort()) {
    const raw = readFileSync(join(folder, name));
    const reasons = [...new Set((expectedReasons[name] ?? []).map(({ reason }) => reason))];
    samples.push({ name, raw, reasons, report: await read(raw) });
  }
  return samples;
}

const namesOf = (samples: readonly Sample[]): string => samples.map(({ name }) => name).join(', ');
const percent = (part: readonly unknown[], whole: readonly unknown[]): number => (100 * part.length) / whole.length;
const say = (label: string, part: readonly unknown[], whole: readonly unknown[]): void =>
  console.log(`# ${label}: ${part.length} of ${whole.length}, ${percent(part, whole).toFixed(1)} %`);

if (!existsSync(join(folder, 'expected.json'))) {
  console.log('# left out: the corpus of bounces (POSTRIDER_TEST_CORPORA names no folder with it)');
} else {
  const samples = await readSamples();
  const having = (...reasons: string[]) =>
    samples.filter((one) => one.reasons.length > 0 && one.reasons.every((reason) => reasons.includes(reason)));

  test('almost every report gives a fact, and no out-of-office reply gives a fact', () => {
    const replies = having('vacation');
    assert.equal(
      replies.filter(({ report }) => report !== undefined).map(({ name }) => name),
      [],
    );
    const otherSamples = samples.filter((one) => !replies.includes(one));
    const understoodSamples = otherSamples.filter(({ report }) => report !== undefined);
    say('reports that give a fact', understoodSamples, otherSamples);
    assert.ok(
      percent(understoodSamples, otherSamples) >= 98,
      namesOf(otherSamples.filter(({ report }) => report === undefined)),
    );
  });

  test('at least 95 % of unknown users are hard', () => {
    const unknown = having('userunknown');
    const hard = unknown.filter(({ report }) => bounceOf(report)?.class === 'hard');
    say('unknown users that are hard', hard, unknown);
    assert.ok(percent(hard, unknown) >= 95, namesOf(unknown.filter((one) => !hard.includes(one))));
  });

  test('a bounce because of a block, a full mailbox, the size, a delay or the content is never hard', () => {
    const good = samples.filter(({ reasons }) => reasons.some((reason) => neverHard.includes(reason)));
    const wrong = good.filter(({ report }) => bounceOf(report)?.class === 'hard');
    say('good addresses that count as missing', wrong, good);
    assert.is(namesOf(wrong), '');
  });

  test('the subtype fits the reason in at least nine of ten bounces', () => {
    const bounces = samples.filter(
      ({ reasons, report }) =>
        bounceOf(report) !== undefined &&
        reasons.length === 1 &&
        reasons[0] !== undefined &&
        Object.hasOwn(subTypes, reasons[0]),
    );
    const fitting = bounces.filter(({ reasons, report }) => {
      const subType = bounceOf(report)?.subType;
      return subType !== undefined && subTypes[reasons[0] ?? '']?.includes(subType);
    });
    say('subtypes that fit the reason', fitting, bounces);
    for (const { name, reasons, report } of bounces.filter((one) => !fitting.includes(one)))
      console.log(
        `#   ${name} ${reasons.join()}: ${bounceOf(report)?.subType}, ${bounceOf(report)?.diagnostic.slice(0, 100)}`,
      );
    assert.ok(percent(fitting, bounces) >= 90);
  });

  test('every complaint of the corpus is read as a complaint', () => {
    const complaints = having('feedback').filter(({ report }) => report !== undefined);
    const kinds = new Set(complaints.map(({ report }) => report?.fact.kind));
    assert.equal([...kinds].sort(), ['complained', 'unsubscribed']);
  });

  test('at least 98 % of the reports name their message by its Message-ID, and all by their return path', async () => {
    const id = '<msg_01JD3Q5S8ZK2M4N6P8R0T2V4W6@example.com>';
    const path = `bounce+01jd3q5s8zk2m4n6p8r0t2v4w6${'0'.repeat(26)}@bounces.example.com`;
    const withFact = samples.filter(({ report }) => report !== undefined);
    const field = /^([> \t]*Message-ID[ \t]*:[ \t]*(?:\r?\n[> \t]+)?)<[^<>\r\n]*>/gim;
    const [named, byId, byPath]: [Sample[], Sample[], Sample[]] = [[], [], []];
    for (const sample of withFact) {
      const text = sample.raw.toString('latin1');
      // The last Message-ID is that of the returned message.
      const last = [...text.matchAll(field)].at(-1);
      const header = /\r?\n\r?\n/.exec(text)?.index ?? 0;
      if (last !== undefined && last.index > header) {
        named.push(sample);
        const changedText =
          text.slice(0, last.index) + last[0].replace(/<[^<>]*>/, id) + text.slice(last.index + last[0].length);
        const report = await read(Buffer.from(changedText, 'latin1'));
        if (report?.messageIds.includes(id)) byId.push(sample);
      }
      const reportByPath = await read(Buffer.from(`Delivered-To: <${path.toUpperCase()}>\r\n${text}`, 'latin1'));
      if (reportByPath?.returnPaths?.some((one) => one.toLowerCase() === path)) byPath.push(sample);
    }
    say('reports with a Message-ID that are matched by it', byId, named);
    say('reports matched by their return path', byPath, withFact);
    assert.ok(percent(byId, named) >= 98, namesOf(named.filter((one) => !byId.includes(one))));
    assert.is(namesOf(withFact.filter((one) => !byPath.includes(one))), '');
  });
}

test.run();
