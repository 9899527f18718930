// time-limit: 240
// Edits, submissions, proposals, decisions, policies and publishing calls run in random orders. In every order, nothing becomes public
// without an approval under the rule in force, and each approval serves one call.
// full-run: slow

import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { type ApprovalsBench, openApprovalsBench } from '../support/approvals-bench.ts';
import { twoDatabases } from '../support/databases.ts';

const people = ['bea', 'cal', 'dan'] as const;

const approve = fc.record({
  do: fc.constant('approve' as const),
  who: fc.constantFrom(...people),
  stale: fc.constantFrom(false, false, false, true),
});

const step = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ do: 'edit' as const }) },
  { weight: 4, arbitrary: fc.constant({ do: 'publish' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'submit' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'propose' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('rollback' as const), version: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 9, arbitrary: approve },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('turn down' as const), who: fc.constantFrom(...people) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('policy' as const), minApprovals: fc.integer({ min: 1, max: 2 }) }),
  },
  { weight: 4, arbitrary: fc.constant({ do: 'work' as const }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** The request for one subject of the template, with the members who have approved it. */
interface Request {
  readonly subject: string;
  needs: number;
  readonly hash: string;
  readonly approvers: Set<string>;
  approved: boolean;
}

class Model {
  readonly requests = new Map<string, Request>();
  /** The policy in force. */
  minApprovals = 1;
  /** The subject of the working copy. */
  subject = 'First';
  edits = 0;
  readonly #bench: ApprovalsBench;
  readonly key: string;
  readonly id: string;

  constructor(bench: ApprovalsBench, key: string, id: string) {
    this.#bench = bench;
    this.key = key;
    this.id = id;
  }

  async #ask(requestId: string | undefined, subject: string): Promise<void> {
    if (requestId === undefined) return;
    const { contentHash: hash } = await this.#bench.read(requestId);
    this.requests.set(requestId, { subject, hash, needs: this.minApprovals, approvers: new Set(), approved: false });
  }

  async run(step: Step): Promise<void> {
    const bench = this.#bench;
    const { key } = this;
    if (step.do === 'edit') {
      this.edits += 1;
      this.subject = `Edit ${this.edits}`;
      await bench.edit(key, { subject: this.subject });
    } else if (step.do === 'publish') {
      this.subject = (await bench.template(key)).subject;
      await this.#ask((await bench.publish(key)).body.approval?.requestId, this.subject);
    } else if (step.do === 'submit') {
      this.subject = (await bench.template(key)).subject;
      await this.#ask((await bench.submit(this.id)).body.requestId, this.subject);
    } else if (step.do === 'propose') {
      this.edits += 1;
      const subject = `Proposal ${this.edits}`;
      const { body } = await bench.by('ada', `/v1/templates/${key}/proposals`, { subject });
      await this.#ask(body.requestId, subject);
    } else if (step.do === 'rollback') {
      const versions = await this.versions();
      const { body } = await bench.by('ada', `/v1/templates/${key}/rollback`, { version: step.version });
      await this.#ask(body.approval?.requestId, versions.at(-step.version) ?? '');
    } else if (step.do === 'policy') {
      const { status } = await bench.policy({ required: true, minApprovals: step.minApprovals });
      assert.is(status, 200);
      this.minApprovals = step.minApprovals;
      for (const asked of this.requests.values())
        if (!asked.approved) asked.needs = Math.max(asked.needs, step.minApprovals);
    } else if (step.do === 'work') await bench.drain();
    else await this.#decide(step);
  }

  async #decide(step: Extract<Step, { do: 'approve' | 'turn down' }>): Promise<void> {
    const last = [...this.requests].at(-1);
    if (last === undefined) return;
    const [requestId, asked] = last;
    if (step.do === 'turn down') {
      await this.#bench.decide(requestId, { decision: 'reject' }, step.who);
      return;
    }
    const contentHash = step.stale ? 'of something else' : asked.hash;
    const answer = await this.#bench.decide(requestId, { decision: 'approve', contentHash }, step.who);
    if (answer.status !== 200) return;
    assert.not(step.stale, 'an approval of another subject counted');
    asked.approvers.add(step.who);
    asked.approved = asked.approvers.size >= asked.needs;
    assert.is(
      answer.body.status === 'approved',
      asked.approved,
      'a request is approved exactly if it has the approvals that the rule requires',
    );
  }

  /** The subjects of all versions, the newest first. */
  async versions(): Promise<string[]> {
    const { body } = await this.#bench.request(`/v1/templates/${this.key}/versions`);
    return body.data.map(({ subject }: { subject: string }) => subject);
  }

  async check(): Promise<void> {
    const versions = await this.versions();
    const approved = [...this.requests.values()].filter((asked) => asked.approved).map(({ subject }) => subject);
    // The first version was published before there was a policy. Each approval allows one more version.
    for (const subject of versions.slice(0, -1)) {
      const at = approved.indexOf(subject);
      assert.ok(at >= 0, `${subject} is public without an approval`);
      approved.splice(at, 1);
    }
  }
}

await twoDatabases('approvals in random order', (test, database) => {
  let bench: ApprovalsBench;
  let versionCount = 0;
  test.before(async () => {
    bench = await openApprovalsBench(database);
  });
  test.after(() => bench.close());

  test('nothing becomes public without an approval under the rule in force', async () => {
    let published = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
        versionCount += 1;
        await bench.policy({ required: false });
        const id = await bench.edited(`p-${versionCount}`, 'Unpublished');
        await bench.policy({ required: true });
        const model = new Model(bench, `p-${versionCount}`, id);
        for (const step of steps) {
          await model.run(step);
          await model.check();
        }
        await bench.drain();
        await model.check();
        published += (await model.versions()).length - 1;
      }),
      { numRuns: 30, seed: 17 },
    );
    assert.ok(published > 15, `only ${published} publications: too few for a conclusion`);
  });
});
