// time-limit: 300
// Fuzzed template sources, subjects, contracts and variables, from the draft to the mail, on SQLite and a server: each response passes
// the checks in time, and no mail contains code.
// full-run: fuzz
import fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { CapturedMail } from '../../plugins/email/port/index.ts';
import { oneDatabase } from '../support/databases.ts';
import { describeCall, fuzzValues } from './fuzz-run.ts';
import { type FuzzRequest, type FuzzTarget, openTarget } from './fuzz-target.ts';
import { templateBodies, variableValues } from './fuzz-template-sources.ts';
import { jsonText } from './fuzz-values.ts';
import { codeIn } from './html-code.ts';
import type { CheckedResponse } from './response-check.ts';

const runsOf = { sqlite: 500, postgres: 250, mariadb: 120 } as const;

const post = (url: string, body: unknown, headers: Record<string, string> = {}): FuzzRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json', ...headers },
  body: jsonText(body),
});

/** Runs the steps from a draft to a mail one after the other, until a step is refused. */
class Author {
  readonly statuses = new Map<string, number>();
  readonly #target: FuzzTarget;
  #last = 0;

  constructor(target: FuzzTarget) {
    this.#target = target;
  }

  /** Runs the steps. Returns the faults of a response, or undefined. */
  async write(template: object, variables: unknown): Promise<string | undefined> {
    this.#last += 1;
    const key = `fuzz-${this.#last}`;
    const send = post(`/v1/templates/${key}/send`, { to: `${key}@example.org`, variables }, { 'idempotency-key': key });
    const steps: readonly (readonly [string, FuzzRequest])[] = [
      ['create', post('/v1/templates', { ...template, key })],
      ['send the draft', send],
      ['read', { method: 'GET', url: `/v1/templates/${key}` }],
      ['schema', { method: 'GET', url: `/v1/templates/${key}/schema` }],
      ['publish', post(`/v1/templates/${key}/publish`, {})],
      [
        'send',
        { ...send, key: this.#target.test.liveKey, headers: { ...send.headers, 'idempotency-key': `${key}-live` } },
      ],
    ];
    for (const [name, request] of steps) {
      const answer: CheckedResponse = await this.#target.ask(request);
      if (answer.faults.length > 0)
        return `${name}: ${describeCall(request, answer)}\n${JSON.stringify(template).slice(0, 2_000)}`;
      this.statuses.set(`${name} ${answer.status}`, (this.statuses.get(`${name} ${answer.status}`) ?? 0) + 1);
      if ((name === 'create' || name === 'publish') && answer.status >= 400) return undefined;
    }
    return undefined;
  }
}

await oneDatabase('fuzzed templates', (test, database) => {
  let target: FuzzTarget;
  const mails: CapturedMail[] = [];
  test.before(async () => {
    target = await openTarget(database);
    target.test.mail.onMessage((mail) => mails.push(mail));
    // Modules that are loaded at their first use must not count as time of a request.
    const author = new Author(target);
    for (const mode of ['mjml', 'html'])
      await author.write({ mode, subject: 'x', body: '<mjml><mj-body></mj-body></mjml>' }, {});
    target.test.mail.clear();
  });
  test.after(() => target.close());

  test('every step from a draft to an accepted send passes the checks', async () => {
    const author = new Author(target);
    const finding = await fuzzValues(
      fc.tuple(templateBodies, variableValues),
      runsOf[database.name],
      ([template, variables]) => author.write(template, variables),
    );
    assert.is(finding, undefined, finding);
    for (const step of ['create 201', 'create 422', 'publish 200', 'publish 422', 'send 202', 'send 422'])
      assert.ok((author.statuses.get(step) ?? 0) > 0, `no draft reached the step ${step}`);
    console.log(`# ${target.requestCount} fuzzed template requests on ${database.name}`);
  });

  test('accepted sends are rendered without an error of the service, and no mail contains code', async () => {
    await target.test.drain();
    const failures = target.log.filter(({ level }) => level === 'error' || level === 'warn');
    assert.equal(failures.slice(0, 3), []);
    console.log(`# ${mails.length} mails`);
    assert.ok(mails.length > 0);
    for (const { html } of mails) assert.equal(codeIn(html), [], html);
  });

  test('the run finds a fault that is planted in one step', async () => {
    const faultyTarget = await openTarget(database, {
      tamper: ({ url, body }, answer) =>
        url.endsWith('/publish') && answer.status === 200 && String(body) === '{}'
          ? { ...answer, body: 'published' }
          : answer,
    });
    const author = new Author(faultyTarget);
    const values = fc.tuple(templateBodies, variableValues);
    const finding = await fuzzValues(values, 100, ([template, variables]) => author.write(template, variables), false);
    assert.ok(finding?.startsWith('publish: the body is not JSON'), finding);
    await faultyTarget.close();
  });
});
