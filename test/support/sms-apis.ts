// Local servers that accept requests as Twilio and Vonage document them, and refuse any other request. Used by the tests of SMS
// adapters.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { twilioSms } from '../../adapters/sms/twilio.ts';
import { vonageSms } from '../../adapters/sms/vonage.ts';
import { createOutgoing } from '../../core/outgoing/index.ts';
import type { SmsAdapter } from '../../plugins/sms/port/index.ts';
import type { ReceivedSms } from '../../plugins/sms/testing/index.ts';

export interface SmsApiResponse {
  readonly status?: number;
  readonly body?: object | string;
  /** Closes the connection after the request was read. */
  readonly breaksOff?: true;
}

export interface SmsApi {
  readonly id: string;
  /** The key with which the provider signs its reports. */
  readonly secret: string;
  make(url: string): SmsAdapter;
  /** Checks a request. @throws AssertionError */
  read(request: IncomingMessage, body: string): ReceivedSms;
  readonly accepted: { readonly status: number; readonly body: object };
}

const account = `AC${'0'.repeat(32)}`;
const authorization = (user: string, secret: string) => `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;

/** The parameters of CreateMessage in twilio-oai (spec/json/twilio_api_v2010.json) that the adapter uses. */
const twilioFields = new Set(['To', 'From', 'MessagingServiceSid', 'Body', 'StatusCallback', 'ValidityPeriod']);

export const twilioApi: SmsApi = {
  id: 'twilio',
  secret: 'twilio-auth-token',
  make: (url) => twilioSms({ accountSid: account, authToken: 'twilio-auth-token', from: '+12025550100', url }),
  read(request, body) {
    assert.equal(request.method, 'POST');
    assert.equal(request.url, `/2010-04-01/Accounts/${account}/Messages.json`);
    assert.equal(request.headers['content-type'], 'application/x-www-form-urlencoded');
    assert.equal(request.headers.authorization, authorization(account, 'twilio-auth-token'));
    const form = new URLSearchParams(body);
    for (const name of form.keys()) assert.ok(twilioFields.has(name), `an unknown parameter ${name}`);
    assert.ok(form.has('From') !== form.has('MessagingServiceSid'));
    const period = form.get('ValidityPeriod');
    if (period !== null) assert.ok(Number(period) >= 1 && Number(period) <= 36_000);
    return { to: form.get('To') ?? '', body: form.get('Body') ?? '' };
  },
  accepted: { status: 201, body: { sid: `SM${'1'.repeat(32)}`, status: 'queued', error_code: null } },
};

const vonageFields = new Set([
  ...['channel', 'message_type', 'to', 'from', 'text', 'client_ref', 'ttl', 'webhook_url', 'webhook_version'],
]);

export const vonageApi: SmsApi = {
  id: 'vonage',
  secret: 'vonage-signature-secret',
  make: (url) =>
    vonageSms({
      apiKey: 'key',
      apiSecret: 'secret',
      signatureSecret: 'vonage-signature-secret',
      from: '+12025550100',
      url,
    }),
  read(request, body) {
    assert.equal(request.method, 'POST');
    assert.equal(request.url, '/v1/messages');
    assert.equal(request.headers['content-type'], 'application/json');
    assert.equal(request.headers.authorization, authorization('key', 'secret'));
    const fields = JSON.parse(body) as Record<string, string>;
    for (const name of Object.keys(fields)) assert.ok(vonageFields.has(name), `an unknown field ${name}`);
    assert.deepEqual([fields['channel'], fields['message_type']], ['sms', 'text']);
    assert.match(fields['to'] ?? '', /^[1-9]\d{6,14}$/);
    assert.ok((fields['client_ref'] ?? '').length <= 100);
    return { to: `+${fields['to']}`, body: fields['text'] ?? '' };
  },
  accepted: { status: 202, body: { message_uuid: 'aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab' } },
};

/** Starts a server that gives these answers, and then accepts every request. */
export async function startSmsApi(api: SmsApi, answers: readonly SmsApiResponse[] = []) {
  const receivedSms: ReceivedSms[] = [];
  const faults: unknown[] = [];
  const waiting = [...answers];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { status, body, breaksOff } = waiting.shift() ?? (api.accepted as SmsApiResponse);
      if (breaksOff) return request.socket.destroy();
      try {
        const sms = api.read(request, Buffer.concat(chunks).toString('utf8'));
        if ((status ?? 200) < 300) receivedSms.push(sms);
      } catch (error) {
        faults.push(error);
      }
      response.writeHead(status ?? 200, { 'content-type': 'application/json' });
      return response.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const outgoing = createOutgoing({ environment: 'development' });
  const adapter = api.make(url);
  return {
    adapter,
    outgoing,
    url,
    received: async () => {
      if (faults.length > 0) throw faults[0];
      return receivedSms;
    },
    async dispose() {
      await adapter.close();
      await outgoing.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
