// Helpers for tests of planned weeks: a service with networks and an observed composer, and the calls of a run
import * as assert from 'uvu/assert';
import type { TestDatabase } from './databases.ts';
import { noRateLimits } from './mail-bench.ts';
import { openPostsBench } from './social-posts-bench.ts';
import { crashesAt, WatchedComposer } from './watched-composer.ts';

const day = 86_400_000;

interface Gate {
  readonly status: string;
  readonly comment: string | null;
  readonly proposal: readonly {
    readonly id: string;
    readonly title: string;
    readonly channel: string;
    readonly at: string;
    readonly idea: string;
    readonly caption: string;
  }[];
}

export type ContentPlanBench = Awaited<ReturnType<typeof openContentPlanBench>>;

/** Opens the bench on empty tables, with a brand. */
export async function openContentPlanBench(database: TestDatabase) {
  const composer = new WatchedComposer();
  const crashes: string[] = [];
  const bench = await openPostsBench(database, {
    composer,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    plans: { pro: { ...noRateLimits, monthlyCredits: 0 } },
    onPhase: crashesAt(crashes),
  });
  await bench.service.as(bench.workspaceId).brand.create({ name: 'Northwind' });

  const plan = (path: string, body?: object, key?: string) =>
    bench.request(`/v1/content-plan${path}`, {
      ...(body === undefined ? {} : { body }),
      ...(key === undefined ? {} : { key }),
    });
  /** The Monday that is `weeks` weeks from now, and the start of this day in UTC */
  const monday = (weeks: number): { weekOf: string; from: number } => {
    const today = Math.floor(bench.now() / day) * day;
    const from = today + (7 * weeks - ((new Date(today).getUTCDay() + 6) % 7)) * day;
    return { weekOf: new Date(from).toISOString().slice(0, 10), from };
  };
  const readRun = async (id: string) => (await plan(`/runs/${id}`)).body;
  const start = async (body: object = {}, key?: string): Promise<string> => {
    const brief = 'The rye course opens. Six evenings.';
    const { status, body: run } = await plan(
      '/runs',
      { weekOf: monday(1).weekOf, channels: ['x'], brief, ...body },
      key,
    );
    assert.is(status, 202, JSON.stringify(run));
    return run.runId;
  };
  const decide = (id: string, body: object, key?: string) => plan(`/runs/${id}/decide`, body, key);
  return {
    ...bench,
    composer,
    /** Phases in which the service crashes, once each */
    crashes,
    plan,
    monday,
    start,
    decide,
    readRun,
    /** Starts a run and lets it propose its themes. Returns its id. */
    async planned(body: object = {}): Promise<string> {
      const id = await start(body);
      await bench.drain();
      return id;
    },
    /** Approves the gate, lets the run continue, and returns the run. */
    async approve(id: string, gate: string, edits?: readonly object[]) {
      const input = { gate, decision: 'approve', ...(edits === undefined ? {} : { edits }) };
      const { status, body } = await decide(id, input);
      assert.is(status, 200, JSON.stringify(body));
      await bench.drain();
      return readRun(id);
    },
    gateOf(run: { gates: { gate: string }[] }, name: string): Gate {
      const foundGate = run.gates.find(({ gate }) => gate === name);
      if (foundGate === undefined) throw new Error(`The run has no gate ${name}.`);
      return foundGate as unknown as Gate;
    },
  };
}
