// The shared tests of SMS adapters. Each adapter's own test file registers them, with a fake server of its provider.
import assert from 'node:assert/strict';
import type { Outgoing } from '../../../core/index.ts';
import { isSmsError, type OutgoingSms, type SmsAdapter, type SmsSendOptions } from '../port/index.ts';

/** A message that the provider has accepted. */
export interface ReceivedSms {
  readonly to: string;
  readonly body: string;
}

/** An adapter under test. */
export interface SmsSuiteTarget {
  readonly adapter: SmsAdapter;
  /** The messages that the provider accepted, oldest first, with exactly these two fields. */
  received(): Promise<readonly ReceivedSms[]>;
  /** Sends requests to the provider's server. Not needed by an adapter without a server. */
  readonly outgoing?: Outgoing;
  dispose(): Promise<void>;
}

/** A message with every field that does not have a default. */
export const sampleSms = (overrides: Partial<OutgoingSms> = {}): OutgoingSms => ({
  to: '+14155550123',
  body: '482913 is your Acme code.',
  ...overrides,
});

/** Throws, so that no test reaches a network by mistake. */
const refuseConnection = async (): Promise<never> => {
  throw new Error('This test may not open connections to other hosts.');
};
const noOutgoing: Outgoing = {
  check: async () => undefined,
  request: refuseConnection,
  connect: refuseConnection,
  close: async () => undefined,
};

/** Options of a hand-over. */
export const sampleSmsOptions = (overrides: Partial<SmsSendOptions> = {}): SmsSendOptions => ({
  signal: new AbortController().signal,
  idempotencyKey: 'sms_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
  workspaceId: 'ws_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
  outgoing: noOutgoing,
  ...overrides,
});

async function faultOf(sending: Promise<unknown>): Promise<string> {
  try {
    await sending;
  } catch (error) {
    assert.ok(isSmsError(error), `an SmsError, not ${String(error)}`);
    return error.fault;
  }
  return 'taken';
}

/** Registers the shared tests, with names that start with `name`. */
export function smsAdapterSuite(
  name: string,
  harness: () => Promise<SmsSuiteTarget>,
  register: (name: string, run: () => Promise<void>) => void,
): void {
  type Run = (subject: SmsSuiteTarget & { readonly options: typeof sampleSmsOptions }) => Promise<void>;
  const check = (title: string, run: Run): void =>
    register(`${name}: ${title}`, async () => {
      const subject = await harness();
      const { outgoing } = subject;
      const outgoingOption = outgoing === undefined ? {} : { outgoing };
      try {
        await run({ ...subject, options: (overrides = {}) => sampleSmsOptions({ ...outgoingOption, ...overrides }) });
      } finally {
        await subject.adapter.close();
        await subject.dispose();
      }
    });

  check('has a valid id, and sends nothing before it is called', async ({ adapter, received }) => {
    assert.match(adapter.id, /^[a-z][a-z0-9-]*$/);
    assert.deepEqual(await received(), []);
  });

  check('sends the number and the text unchanged', async ({ adapter, received, options }) => {
    const texts = ['482913 is your code.', 'Ünïcödé & = + % 🙂\nsecond line', '<b>&amp;</b>'];
    for (const body of texts) {
      const receipt = await adapter.send(sampleSms({ body, validForSeconds: 600 }), options());
      assert.ok((receipt.providerMessageId ?? '') !== '' && (receipt.sender ?? '') !== '');
    }
    assert.deepEqual(
      await received(),
      texts.map((body) => ({ to: '+14155550123', body })),
    );
  });

  check('refuses invalid numbers, texts and senders', async ({ adapter, received, options }) => {
    const bad = [
      { to: '14155550123' },
      { to: '+14155550123&Body=x' },
      { body: '' },
      { body: 'a\0b' },
      { from: 'a\r\nb' },
    ];
    for (const fields of bad)
      assert.equal(
        await faultOf(adapter.send(sampleSms(fields), options())),
        'refused',
        `${JSON.stringify(fields)} must be refused: call checkSms of postrider/adapters/kit/sms-fields before the provider`,
      );
    assert.deepEqual(await received(), []);
  });

  check('sends nothing after its signal was aborted or after it was closed', async ({ adapter, received, options }) => {
    const signal = AbortSignal.abort(new Error('the attempt is over'));
    assert.equal(await faultOf(adapter.send(sampleSms(), options({ signal }))), 'busy');
    await adapter.close();
    assert.equal(await faultOf(adapter.send(sampleSms(), options())), 'busy');
    assert.deepEqual(await received(), []);
  });
}
