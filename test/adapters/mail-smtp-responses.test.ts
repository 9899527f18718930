// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mailErrorOfResponse, parseSmtpResponse, type SmtpStage } from '../../adapters/kit/smtp-response.ts';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import { isMailError, type MailError } from '../../plugins/email/port/index.ts';
import { sampleMail, sampleSendOptions } from '../../plugins/email/testing/mail-suite.ts';
import { ScriptedSmtpServer, type SmtpScript } from '../support/smtp-server.ts';

const test = suite('smtp answers');

const timeouts = { connection: 2_000, greeting: 300, socket: 300 };

interface SendResult {
  readonly error: MailError | undefined;
  readonly server: ScriptedSmtpServer;
}

/** Sends one message to a scripted server and returns the outcome. */
async function outcomeOf(
  script: SmtpScript | ((connection: number) => SmtpScript),
  signal = new AbortController().signal,
): Promise<SendResult> {
  const server = await ScriptedSmtpServer.start(script);
  const adapter = smtpMail({ host: server.host, port: server.port, timeouts });
  try {
    await adapter.send(sampleMail({ attachments: [] }), sampleSendOptions({ signal }));
    return { error: undefined, server };
  } catch (error) {
    if (!isMailError(error)) throw error;
    return { error, server };
  } finally {
    await adapter.close();
    await server.stop();
  }
}

/** Fault, class, subType and enhanced code. */
type Expected = readonly [string, string, string, string?];

const AT_RCPT: readonly (readonly [string, Expected])[] = [
  ['451 4.7.1 Greylisted, try again', ['transient', 'soft', 'policy', '4.7.1']],
  ['450 Requested mail action not taken: mailbox unavailable', ['transient', 'soft', 'no_mailbox']],
  ['452 4.2.2 Mailbox full', ['transient', 'soft', 'mailbox_full', '4.2.2']],
  ['452 Insufficient system storage', ['transient', 'soft', 'general']],
  ['421 4.3.2 Shutting down', ['transient', 'soft', 'general', '4.3.2']],
  ['550 5.1.1 <ada@example.net>: Recipient address rejected: User unknown', ['bounced', 'hard', 'no_mailbox', '5.1.1']],
  [
    '550-5.1.1 The account that you tried to reach\r\n550 5.1.1 does not exist.',
    ['bounced', 'hard', 'no_mailbox', '5.1.1'],
  ],
  ['550 5.1.10 Recipient address has null MX', ['bounced', 'hard', 'dns_failure', '5.1.10']],
  ['550 5.1.2 Bad destination system', ['bounced', 'hard', 'dns_failure', '5.1.2']],
  ['553 5.1.3 Bad address syntax', ['bounced', 'hard', 'no_mailbox', '5.1.3']],
  ['551 5.1.6 Moved', ['bounced', 'hard', 'no_mailbox', '5.1.6']],
  ['550 No such user here', ['bounced', 'hard', 'no_mailbox']],
  ['550 Requested action not taken: mailbox unavailable', ['bounced', 'hard', 'no_mailbox']],
  ['550 sorry, no mailbox here by that name. (#5.1.1)', ['bounced', 'hard', 'no_mailbox', '5.1.1']],
  ['550 #5.1.0 Address rejected.', ['bounced', 'hard', 'general', '5.1.0']],
  ['551 User not local; please try <ada@example.org>', ['bounced', 'hard', 'no_mailbox']],
  ['550 5.1.8 <shop@example.com>: Sender address rejected', ['bounced', 'undetermined', 'policy', '5.1.8']],
  ['550 5.1.0 Sender denied', ['bounced', 'undetermined', 'policy', '5.1.0']],
  ['550 Unknown user, or sender blocked', ['bounced', 'undetermined', 'policy']],
  ['550 5.7.1 Relaying denied', ['bounced', 'undetermined', 'policy', '5.7.1']],
  ['554 5.7.1 Service unavailable; client host blocked', ['bounced', 'undetermined', 'policy', '5.7.1']],
  ['550 5.7.1 User unknown to the policy', ['bounced', 'undetermined', 'policy', '5.7.1']],
  ['550 5.2.1 Mailbox disabled', ['bounced', 'undetermined', 'general', '5.2.1']],
  ['552 5.2.2 Over quota', ['bounced', 'undetermined', 'mailbox_full', '5.2.2']],
  ['552 Requested mail action aborted: exceeded storage allocation', ['bounced', 'undetermined', 'mailbox_full']],
  ['550 5.4.4 Unable to route: host not found', ['bounced', 'undetermined', 'dns_failure', '5.4.4']],
  ['553 Relaying is not allowed', ['bounced', 'undetermined', 'policy']],
  ['550 Go away', ['bounced', 'undetermined', 'general']],
  ['554 Transaction failed', ['bounced', 'undetermined', 'general']],
];

const ELSEWHERE: readonly (readonly [SmtpStage, string, Expected])[] = [
  ['session', '421 Too many connections', ['transient', 'soft', 'policy']],
  ['session', '554 5.7.1 No SMTP service for you', ['transient', 'soft', 'policy', '5.7.1']],
  ['session', '535 5.7.8 Wrong password', ['transient', 'soft', 'policy', '5.7.8']],
  ['sender', '550 5.7.1 Account suspended', ['transient', 'soft', 'policy', '5.7.1']],
  ['sender', '530 5.7.0 Authentication required', ['transient', 'soft', 'policy', '5.7.0']],
  ['sender', '553 5.7.1 Sender address rejected: not owned by user', ['rejected', 'undetermined', 'policy', '5.7.1']],
  ['sender', '552 5.3.4 Message size exceeds the limit', ['rejected', 'undetermined', 'message_too_large', '5.3.4']],
  ['sender', '550 5.1.1 No such user', ['rejected', 'undetermined', 'no_mailbox', '5.1.1']],
  ['sender', '451 4.3.0 Try later', ['transient', 'soft', 'general', '4.3.0']],
  ['data', '554 No valid recipients', ['rejected', 'undetermined', 'general']],
  ['content', '552 Message too large', ['rejected', 'undetermined', 'message_too_large']],
  ['content', '552 5.2.2 Mailbox full', ['rejected', 'undetermined', 'mailbox_full', '5.2.2']],
  ['content', '550 5.7.1 Rejected by policy', ['rejected', 'undetermined', 'policy', '5.7.1']],
  ['content', '554 Looks like spam', ['rejected', 'undetermined', 'content_rejected']],
  ['content', '552 5.7.0 Attachment type refused', ['rejected', 'undetermined', 'attachment_rejected', '5.7.0']],
  ['content', '554 5.6.0 Malformed MIME', ['rejected', 'undetermined', 'content_rejected', '5.6.0']],
  ['content', '451 4.7.1 Try later', ['transient', 'soft', 'policy', '4.7.1']],
];

function assertClassified(error: MailError, [fault, bounceClass, subType, enhanced]: Expected): void {
  assert.equal(
    [error.fault, error.bounce?.class, error.bounce?.subType, error.bounce?.enhancedCode],
    [fault, bounceClass, subType, enhanced],
    error.message,
  );
}

const STAGES: readonly (readonly [SmtpStage, string, Expected])[] = [
  ...AT_RCPT.map(([line, expected]) => ['recipient', line, expected] as const),
  ...ELSEWHERE,
];

for (const [stage, line, expected] of STAGES) {
  test(`the adapter reads ${JSON.stringify(line)} to the ${stage} as ${expected.slice(0, 3).join(', ')}`, () => {
    const answer = parseSmtpResponse(line);
    assert.ok(answer);
    const error = mailErrorOfResponse(answer, stage);
    assertClassified(error, expected);
    assert.is(error.smtpCode, Number(line.slice(0, 3)));
    assert.is(error.bounce?.smtpCode, error.smtpCode);
    assert.is(error.enhancedCode, error.bounce?.enhancedCode);
  });
}

test('the adapter keeps the server’s words in one line of at most 500 characters', () => {
  const answer = parseSmtpResponse(`550-5.1.1 one\r\n550 5.1.1 two\u0007${' x'.repeat(2_000)}`);
  assert.ok(answer?.diagnostic.startsWith('550-5.1.1 one 550 5.1.1 two x'));
  assert.is(answer?.diagnostic.length, 500);
});

test('the adapter regards text as an answer only if it starts with a code', () => {
  for (const text of ['', 'hello', '55', '5501', '<html>', ' 550 x'])
    assert.is(parseSmtpResponse(text), undefined, text);
  assert.equal(parseSmtpResponse('550'), { code: 550, diagnostic: '550' });
  assert.equal(parseSmtpResponse('550 10.1.1.1 blocked'), { code: 550, diagnostic: '550 10.1.1.1 blocked' });
});

test('the adapter classifies answers that are designed to make regular expressions backtrack without slowing down', () => {
  for (const part of ['user ', 'mailbox exceed ', 'a@', '<', '(#5.', '\t']) {
    const answer = parseSmtpResponse(`550 ${part.repeat(50_000)}`);
    assert.ok(answer);
    assert.is(mailErrorOfResponse(answer, 'recipient').fault, 'bounced');
  }
});

const WITHOUT_PIPELINING = '250-scripted.example\r\n250 8BITMIME';

for (const ehlo of [undefined, WITHOUT_PIPELINING]) {
  const mode = ehlo === undefined ? 'pipelined' : 'one command at a time';
  const base: SmtpScript = ehlo === undefined ? {} : { ehlo };

  for (const [line, expected] of AT_RCPT) {
    test(`a server that answers ${JSON.stringify(line)} at RCPT TO, ${mode}: ${expected[0]}`, async () => {
      const { error, server } = await outcomeOf({ ...base, rcpt: line, data: '503 5.5.1 No valid recipients' });
      assert.ok(error);
      assertClassified(error, expected);
      assert.is(server.contents.length, 0);
    });
  }

  for (const code of [421, 451, 452, 550, 551, 552, 553, 554]) {
    const fault = code < 500 ? 'transient' : 'rejected';
    for (const step of ['mail', 'data', 'content'] as const) {
      test(`the adapter reads ${code} at ${step}, ${mode}, as ${fault}`, async () => {
        const { error } = await outcomeOf({ ...base, [step]: `${code} No` });
        assert.is(error?.fault, fault);
        assert.is(error?.smtpCode, code);
        assert.is.not(error?.bounce?.class, 'hard');
      });
    }
  }

  test(`if an answer and a drop come together, ${mode}, the answer counts`, async () => {
    const refusal = await outcomeOf({ ...base, content: { say: '554 5.6.0 No', next: 'drop' } });
    assert.is(refusal.error?.fault, 'rejected');
    const closing = await outcomeOf({ ...base, mail: { say: '421 4.3.2 Closing', next: 'drop' } });
    assert.is(closing.error?.fault, 'transient');
  });

  for (const step of ['greeting', 'ehlo', 'mail', 'rcpt', 'data', 'body', 'content'] as const) {
    for (const fault of ['drop', 'hang'] as const) {
      test(`a ${fault} at ${step}, ${mode}, is a transient fault without a bounce`, async () => {
        const { error, server } = await outcomeOf({ ...base, [step]: fault });
        assert.is(error?.fault, 'transient', error?.message);
        assert.is(error?.unavailable, step !== 'body' && step !== 'content', 'nothing was sent');
        assert.is(error?.bounce, undefined);
        assert.is(server.contents.length, step === 'content' ? 1 : 0);
        assert.ok(server.connections <= (step === 'greeting' && fault === 'drop' ? 4 : 1), `${server.connections}`);
      });
    }
  }

  test(`if the connection drops after 250, ${mode}, the message is accepted once`, async () => {
    const { error, server } = await outcomeOf({ ...base, content: { say: '250 2.0.0 Ok', next: 'drop' } });
    assert.is(error, undefined);
    assert.is(server.contents.length, 1);
    assert.is(server.connections, 1);
  });
}

test('if the server accepts DATA after it refused the recipient, the refusal counts and nothing is sent', async () => {
  const { error, server } = await outcomeOf({ rcpt: '550 5.1.1 No such user' });
  assert.is(error?.bounce?.class, 'hard');
  assert.is(server.contents.length, 0);
});

test('a greeting that refuses service is never final', async () => {
  assert.is((await outcomeOf({ greeting: '554 5.7.1 Not you' })).error?.fault, 'transient');
  assert.is((await outcomeOf({ greeting: '421 4.3.2 Busy' })).error?.fault, 'transient');
  assert.is((await outcomeOf({ greeting: 'SSH-2.0-OpenSSH_9.7' })).error?.fault, 'transient');
});

test('if no server listens on the port, the fault is transient', async () => {
  const server = await ScriptedSmtpServer.start({});
  const { host, port } = server;
  await server.stop();
  const adapter = smtpMail({ host, port, timeouts });
  try {
    await adapter.send(sampleMail(), sampleSendOptions());
    assert.unreachable();
  } catch (error) {
    assert.ok(isMailError(error));
    assert.is(error.fault, 'transient');
  }
  await adapter.close();
});

test('if the server closed an idle connection, the next message is not affected', async () => {
  const server = await ScriptedSmtpServer.start((connection) =>
    connection === 1 ? { content: { say: '250 2.0.0 Ok', next: 'drop' } } : {},
  );
  const adapter = smtpMail({ host: server.host, port: server.port, timeouts, poolSize: 1 });
  await adapter.send(sampleMail({ messageId: '<a@example.com>' }), sampleSendOptions());
  await adapter.send(sampleMail({ messageId: '<b@example.com>' }), sampleSendOptions());
  assert.is(server.contents.length, 2);
  await adapter.close();
  await server.stop();
});

for (const step of ['greeting', 'mail', 'data', 'body', 'content'] as const) {
  test(`an aborted attempt at ${step} ends at once, is transient, and closes its connection`, async () => {
    const controller = new AbortController();
    const server = await ScriptedSmtpServer.start((connection) => (connection === 1 ? { [step]: 'hang' } : {}));
    const adapter = smtpMail({ host: server.host, port: server.port, poolSize: 1 });
    const sending = adapter.send(sampleMail(), sampleSendOptions({ signal: controller.signal }));
    await server.until((state) => (step === 'greeting' ? state.connections > 0 : state.hanging > 0));
    controller.abort(new Error('the lease ran out'));
    try {
      await sending;
      assert.unreachable();
    } catch (error) {
      assert.ok(isMailError(error));
      assert.is(error.fault, 'transient');
    }
    await adapter.send(sampleMail({ messageId: '<next@example.com>' }), sampleSendOptions());
    assert.match(server.contents.at(-1) ?? '', /^Message-ID: <next@example\.com>\r$/m);
    await adapter.close();
    await server.stop();
  });
}

test.run();
