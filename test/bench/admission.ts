/* Checks a contestant of the send workload before it is measured: the answer, the replay, the refusals and the suppression,
 * in sequence and concurrently. A fast contestant that skips one of them is refused here.
 */
import assert from 'node:assert/strict';
import type { Announcement } from './contestant.ts';
import { receiptVariables, suppressedAddress, templateKey } from './mail-fixture.ts';

/** Checks one contestant. Throws at its first fault. Returns the number of sends that the checks made. */
export async function admitSender(announcement: Announcement): Promise<{ accepted: number; suppressed: number }> {
  const [secret] = announcement.keys;
  assert.ok(secret, 'keys are announced');
  const url = `http://127.0.0.1:${announcement.port}/v1/templates/${templateKey}/send`;
  const post = async (body: unknown, idempotencyKey?: string, bearer = secret) => {
    const headers: Record<string, string> = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, json: JSON.parse(text) as Record<string, unknown> };
  };
  const variables = receiptVariables('admission');
  const body = { to: 'admission@example.com', variables, metadata: { order: 'admission' }, tags: ['receipt'] };

  const first = await post(body, 'admission-1');
  assert.equal(first.status, 202, first.text);
  assert.match(String(first.json.id), /^snd_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.match(String(first.json.messageId), /^msg_/);
  assert.equal(first.json.status, 'sent');
  assert.equal(first.json.templateKey, templateKey);
  assert.equal(first.json.to, body.to);
  assert.equal(first.json.subject, 'Your receipt HS-admission from Harbour Supplies');
  assert.deepEqual(first.json.metadata, body.metadata);
  assert.equal((first.json.events as unknown[]).length, 1);
  for (const header of ['limit', 'remaining', 'reset', 'scope']) {
    assert.ok(first.headers.get(`x-ratelimit-${header}`), `X-RateLimit-${header} is there`);
  }
  assert.match(first.headers.get('x-request-id') ?? '', /^req_/);

  const { to, ...others } = body;
  const replayAnswer = await post({ ...others, to }, 'admission-1');
  assert.equal(replayAnswer.status, 202, 'a replay has the same status, whatever the order of the keys');
  assert.equal(replayAnswer.text, first.text, 'a replay has the same body');
  assert.equal(replayAnswer.headers.get('idempotent-replay'), 'true');
  assert.notEqual(replayAnswer.headers.get('x-request-id'), first.headers.get('x-request-id'));
  assert.equal((await post({ ...body, to: 'other@example.com' }, 'admission-1')).status, 409, 'the key is used up');

  assert.equal((await post(body, 'admission-2', `${secret.slice(0, -1)}!`)).status, 401, 'an unknown key is refused');
  assert.equal((await post(body)).status, 422, 'the Idempotency-Key is required');
  assert.equal((await post({ ...body, unknown: 1 }, 'admission-2')).status, 422, 'an unknown field is refused');
  const { total, ...incomplete } = variables;
  const missing = await post({ ...body, variables: incomplete }, 'admission-2');
  assert.equal(missing.status, 422, `the contract requires total (${total})`);
  const unknown = await post({ ...body, variables: { ...variables, unknown: 1 } }, 'admission-2');
  assert.equal(unknown.status, 422, 'the contract refuses an unknown variable');

  const suppressedAnswer = await post({ ...body, to: suppressedAddress }, 'admission-3');
  assert.equal(suppressedAnswer.status, 202, suppressedAnswer.text);
  assert.equal(suppressedAnswer.json.status, 'suppressed');

  const atOnce = await Promise.all(Array.from({ length: 16 }, () => post(body, 'admission-4')));
  const acceptedAnswers = atOnce.filter((answer) => answer.status === 202);
  assert.ok(acceptedAnswers.length > 0, 'of concurrent calls with one key, one is accepted');
  assert.equal(
    new Set(acceptedAnswers.map((answer) => answer.json.id)).size,
    1,
    'all accepted calls with one key have the id of one send',
  );
  assert.ok(atOnce.every((answer) => answer.status === 202 || answer.status === 409));
  return { accepted: 3, suppressed: 1 };
}
