// The shared tests of interrupted publications. For each moment of a publication, a test ends the process or closes the connection at
// that moment. Then a new process continues from the recorded steps, and people see the post exactly once.
import assert from 'node:assert/strict';
import { isSocialError, type SocialTarget } from '../port/index.ts';
import { createBench, StaysUnclear, type SuiteBench } from './bench.ts';
import { hasOpenStep, Killed, type RecordedStepMap, type RecordedSteps, recordedSteps } from './recorded-steps.ts';
import { plainForm, type SampleForm, sampleForms } from './samples.ts';
import type { RegisterSocialTest, SocialSuiteHarness } from './suite-target.ts';

/** The forms of posts whose publication the tests interrupt: the plain form, the largest set of images, a video, and a thread. */
function interruptedForms(bench: SuiteBench): SampleForm[] {
  const { rules } = bench.network;
  const forms = sampleForms(rules);
  const video = forms.find(({ name }) => name === '1 video');
  const images = forms.findLast(({ target }) => target.media.length > 1 && target.media[0]?.kind === 'image');
  const thread = forms.find(({ target }) => target.texts.length > 1);
  return [plainForm(rules), images, video, thread].flatMap((form) => (form === undefined ? [] : [form]));
}

/** Publishes until the post is published, the process ends, or the network fails. */
async function publishUntilEnd(bench: SuiteBench, target: SocialTarget, steps: RecordedSteps): Promise<void> {
  try {
    await bench.publish(target, steps);
  } catch (error) {
    if (steps.signal.aborted) return;
    assert.ok(isSocialError(error), `a SocialError, not ${String(error)}`);
    assert.ok(error.fault === 'uncertain' || error.fault === 'transient', `${error.fault}: ${error.message}`);
    bench.assertNoSecret(error);
  }
}

/** Asserts that people see each text of the post exactly once. */
async function assertOnce(
  bench: SuiteBench,
  target: SocialTarget,
  record: RecordedStepMap,
  when: string,
): Promise<void> {
  bench.simulateFault(null);
  const post = await bench.finish(target, record).catch((error: unknown) => {
    if (error instanceof StaysUnclear) return undefined;
    throw error;
  });
  const shown = await bench.visible();
  if (post === undefined) {
    assert.ok(shown.length <= 1, `${when}: ${shown.length} visible posts`);
    return;
  }
  assert.equal(shown.length, target.texts.length, `${when}: ${shown.length} visible posts`);
  assert.equal(new Set(post.parts ?? [post.externalId]).size, target.texts.length, `${when}: all parts are known`);
  if (target.media.length === 0)
    assert.deepEqual(
      shown.map(({ text }) => text),
      target.texts,
      when,
    );
  bench.assertNoSecret([...record.values()]);
}

/** Registers the tests of interrupted publications. */
export function registerKillTests(name: string, harness: SocialSuiteHarness, register: RegisterSocialTest): void {
  const withBench = async <T>(run: (bench: SuiteBench) => Promise<T>): Promise<T> => {
    const bench = createBench(await harness());
    try {
      return await run(bench);
    } finally {
      await bench.dispose();
    }
  };
  const forms = (): Promise<SampleForm[]> => withBench(async (bench) => interruptedForms(bench));
  /** The moments of an undisturbed publication. */
  const momentsOf = (form: SampleForm) =>
    withBench(async (bench) => {
      const steps = recordedSteps(new Map());
      await bench.publish(await bench.target(form.target), steps);
      return steps.moments;
    });

  register(`${name}: a process that ends between any two steps leaves one visible post`, async () => {
    for (const form of await forms()) {
      const moments = await momentsOf(form);
      assert.ok(moments.length >= 4, 'A publication records a step.');
      for (const [end, { step, point }] of moments.entries())
        await withBench(async (bench) => {
          const target = await bench.target(form.target);
          const record: RecordedStepMap = new Map();
          await publishUntilEnd(bench, target, recordedSteps(record, { end }));
          await assertOnce(bench, target, record, `${form.name}, ended at "${step}" ${point}`);
        });
    }
  });

  register(
    `${name}: a second process that ends while it continues the publication leaves one visible post`,
    async () => {
      const form = (await forms()).at(-1);
      if (form === undefined) return;
      const { length } = await momentsOf(form);
      for (let end = 0; end < length; end += 1)
        await withBench(async (bench) => {
          const target = await bench.target(form.target);
          const record: RecordedStepMap = new Map();
          await publishUntilEnd(bench, target, recordedSteps(record, { end }));
          const steps = recordedSteps(record, { end: 1 });
          const adapter = bench.connect();
          const options = { signal: steps.signal, now: Date.now() };
          try {
            const answer = hasOpenStep(record) ? await adapter.probe(target, steps, options) : { outcome: 'absent' };
            if (answer.outcome === 'absent') await adapter.publish(target, steps, options);
          } catch (error) {
            assert.ok(steps.signal.aborted || isSocialError(error) || error instanceof Killed, String(error));
          }
          await adapter.close();
          await assertOnce(bench, target, record, `${form.name}, ended at ${end} and again`);
        });
    },
  );

  for (const fault of ['breaks before', 'breaks after'] as const)
    register(`${name}: a connection that ${fault} the effect of any request leaves one visible post`, async () => {
      for (const form of await forms()) {
        const requests = (await momentsOf(form)).filter(({ point }) => point === 'before its request').length;
        for (let broken = 0; broken < requests; broken += 1)
          await withBench(async (bench) => {
            const target = await bench.target(form.target);
            const record: RecordedStepMap = new Map();
            const onRequest = (index: number): void => {
              if (index === broken) bench.simulateFault(fault);
            };
            await publishUntilEnd(bench, target, recordedSteps(record, { onRequest }));
            await assertOnce(bench, target, record, `${form.name}, ${fault} from request ${broken + 1}`);
          });
      }
    });

  register(`${name}: a probe answers absent or landed, and unclear while the network does not answer`, async () => {
    for (const fault of ['breaks before', 'breaks after'] as const)
      await withBench(async (bench) => {
        const target = await bench.target(plainForm(bench.network.rules).target);
        const record: RecordedStepMap = new Map();
        bench.simulateFault(fault);
        const error = await bench.faultOf(bench.publish(target, recordedSteps(record)));
        assert.equal(error.fault, 'uncertain', `${fault}: ${error.message}`);
        assert.ok(hasOpenStep(record), 'A step without a response is open.');
        const adapter = bench.connect();
        const ask = (now: number) =>
          adapter.probe(target, recordedSteps(record), { signal: AbortSignal.timeout(60_000), now });
        bench.simulateFault('blind');
        const blind = await ask(Date.now()).catch((thrown: unknown) => {
          assert.ok(isSocialError(thrown), String(thrown));
          assert.ok(thrown.fault !== 'rejected' && thrown.fault !== 'disconnected', thrown.message);
          return { outcome: 'unclear' as const };
        });
        assert.equal(blind.outcome, 'unclear', fault);
        bench.simulateFault(null);
        const expectedOutcome = fault === 'breaks before' ? 'absent' : 'landed';
        let { outcome } = await ask(Date.now());
        for (const ms of [60_000, 360_000, 2_160_000]) {
          if (outcome !== 'unclear') break;
          ({ outcome } = await ask(Date.now() + ms));
        }
        assert.equal(outcome, expectedOutcome, fault);
        await adapter.close();
      });
  });
}
