// The payloads that docs/providers.md shows, as the adapters read them: one of each provider, in the order of the page.
import { readFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { MailReport } from '../../plugins/email/port/index.ts';
import { mailbox, mailgun, postmark, resend, sendgrid, ses, type TestProvider } from '../support/provider-reports.ts';

const test = suite('payloads in the documentation');
const now = Date.UTC(2026, 0, 1, 1);
const id = 'msg_01JD3Q5S8ZK2M4N6P8R0T2V4W6';
const text = await readFile('docs/providers.md', 'utf8');

/** The payload under a heading of the page, without its fence. */
function payloadUnder(heading: string): string {
  const [, part = ''] = text.split(`\n## ${heading}\n`);
  const [, payload] = /^```(?:json|eml)\n(.*?)^```$/ms.exec(part.split('\n## ')[0] ?? '') ?? [];
  assert.ok(payload, `${heading} has a payload`);
  return payload;
}

const read = (provider: TestProvider, payload: unknown): Promise<readonly MailReport[]> => {
  const { headers, body } = provider.sign(payload, now);
  return provider.adapter.read({ headers, body, now, outgoing: ses().outgoing });
};

const at = (second: number, ms = 0): number => Date.UTC(2026, 0, 1, 0, 41, second, ms);

const check = (
  heading: string,
  make: () => TestProvider,
  bouncedAt: number,
  wrap = (payload: string): unknown => JSON.parse(payload),
) =>
  test(`${heading}: a hard bounce of our message, with its time`, async () => {
    const [report] = await read(make(), wrap(payloadUnder(heading)));
    assert.ok(report?.fact.kind === 'bounced');
    const { class: kind, subType, enhancedCode } = report.fact.bounce;
    assert.equal([kind, subType, enhancedCode], ['hard', 'no_mailbox', '5.1.1']);
    assert.ok(report.messageIds.some((name) => name.includes(id)));
    assert.is(report.at, bouncedAt);
  });

check('Amazon SES', ses, at(2, 669), (payload) => ({
  ...(ses().report('hard', id) as object),
  Message: payload,
}));
check('Postmark', postmark, at(2));
check('SendGrid', sendgrid, at(2));
check('Resend', resend, at(2, 126));
check('Mailgun', mailgun, at(2, 375));
check('Your own mail server', mailbox, at(2), (payload) => payload);

test("SendGrid: the open is a program's", async () => {
  const [, open] = await read(sendgrid(), JSON.parse(payloadUnder('SendGrid')));
  assert.ok(open?.fact.kind === 'opened');
  assert.is(open.fact.client.isBot, true);
  assert.is(open.at, at(5));
});

test('the page has a payload for each provider', () => {
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
  const providers = headings.slice(headings.indexOf('Effects of reports') + 1, headings.indexOf('Another provider'));
  assert.is(providers.length, 6);
  for (const heading of providers) assert.ok(payloadUnder(heading));
});

test('a value is not read if it has no time zone or is not a time', async () => {
  const payload = JSON.parse(payloadUnder('Postmark')) as object;
  for (const BouncedAt of ['2026-01-01T00:41:02', 'yesterday', '', null, {}, 1_767_228_062, 'Z'.repeat(200)])
    assert.is((await read(postmark(), { ...payload, BouncedAt }))[0]?.at, undefined, String(BouncedAt));
  const [event] = JSON.parse(payloadUnder('SendGrid')) as object[];
  for (const timestamp of ['soon', -1, '1e9', Number.MAX_VALUE, [], true])
    assert.is((await read(sendgrid(), [{ ...event, timestamp }]))[0]?.at, undefined, String(timestamp));
});

test('in a report by mail, the last try of its server counts, or else the date of the report, and never the arrival', async () => {
  const mail = payloadUnder('Your own mail server');
  const lastAttempt = 'Last-Attempt-Date: Thu, 1 Jan 2026 01:30:00 +0100';
  const withTry = mail.replace('Action: failed', `Action: failed\n${lastAttempt}`);
  assert.is((await read(mailbox(), withTry))[0]?.at, Date.UTC(2026, 0, 1, 0, 30));
  const mailWithoutDate = mail.replace(/^Date:.*\n/m, '');
  assert.ok(mailWithoutDate.includes('Arrival-Date'));
  assert.is((await read(mailbox(), mailWithoutDate))[0]?.at, undefined);
});

test.run();
