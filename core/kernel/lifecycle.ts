// Starts, flushes and stops the plugins that keep something in memory. Called by compose.ts. A plugin keeps its state in its
// service, which is made at its first use and needs no start.
import type { ServiceContext } from '../contract/context/context.ts';
import type { Plugin, PluginStep } from '../contract/declaration/plugin.ts';

/** The steps of all composed plugins. */
export interface Lifecycle {
  /**
   * Starts each plugin that is not started, after its required plugins. If a plugin fails, the plugins that this call started
   * are stopped again.
   * @throws the plugin's error, or AggregateError if stopping failed as well
   */
  start(): Promise<void>;
  /** Flushes every plugin, started or not. @throws the error of a plugin, AggregateError for the errors of several plugins */
  flush(): Promise<void>;
  /**
   * Flushes each plugin in reverse order, and stops it if it was started or has no start. Continues after an error.
   * @throws as `flush`
   */
  stop(): Promise<void>;
}

type StepName = 'start' | 'stop' | 'flush';

/** The plugins, each after its required plugins, otherwise in the given order. `cycles` names plugins that require each other. */
export function byRequirement(plugins: readonly Plugin[]): {
  readonly ordered: readonly Plugin[];
  readonly cycles: readonly string[];
} {
  const byId = new Map(plugins.map((plugin) => [plugin.id, plugin]));
  const ordered = new Set<Plugin>();
  const cycles: string[] = [];
  const visit = (plugin: Plugin, path: readonly string[]): void => {
    if (ordered.has(plugin)) return;
    if (path.includes(plugin.id)) {
      cycles.push([...path.slice(path.indexOf(plugin.id)), plugin.id].join(' → '));
      return;
    }
    for (const needed of plugin.requires) {
      const required = byId.get(needed);
      if (required !== undefined) visit(required, [...path, plugin.id]);
    }
    ordered.add(plugin);
  };
  for (const plugin of plugins) visit(plugin, []);
  return { ordered: [...ordered], cycles };
}

/** Throws the collected errors. */
export function throwCollected(faults: readonly unknown[], message: string): void {
  if (faults.length === 1) throw faults[0];
  if (faults.length > 1) throw new AggregateError(faults, message);
}

/** Runs steps one after another. After an error, the remaining steps still run. Returns the errors. */
export async function runAll(steps: readonly (() => Promise<void>)[]): Promise<unknown[]> {
  const faults: unknown[] = [];
  for (const step of steps) await step().catch((cause: unknown) => faults.push(cause));
  return faults;
}

/** The steps of these plugins; `limitMs` is the time limit of each step. */
export function createLifecycle(plugins: readonly Plugin[], context: () => ServiceContext, limitMs: number): Lifecycle {
  const { ordered } = byRequirement(plugins);
  const started = new Set<Plugin>();
  let lastStep: Promise<unknown> = Promise.resolve();

  /** Runs `work` after the earlier work, so that only one start, flush or stop runs at a time. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = lastStep.then(work);
    lastStep = done.catch(() => undefined);
    return done;
  };

  const run = async ({ id }: Plugin, name: StepName, work: PluginStep): Promise<void> => {
    const abort = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const fault = new Error(`The ${name} of the plugin ${id} took longer than ${limitMs} ms.`);
        abort.abort(fault);
        reject(fault);
      }, limitMs);
    });
    try {
      await Promise.race([(async () => work(context(), abort.signal))(), timeout]);
    } catch (cause) {
      if (cause === abort.signal.reason) throw cause;
      throw new Error(`The ${name} of the plugin ${id} failed: ${String(cause)}`, { cause });
    } finally {
      clearTimeout(timer);
    }
  };

  const stepsOf = (plugin: Plugin, name: StepName): (() => Promise<void>)[] => {
    const work = plugin[name];
    return work === undefined ? [] : [() => run(plugin, name, work)];
  };

  /** In reverse order, so that a plugin's last writes reach its required plugins before these stop. */
  const stopInReverse = (plugins: readonly Plugin[]): Promise<unknown[]> =>
    runAll(
      [...plugins].reverse().flatMap((plugin) => {
        const stops = started.delete(plugin) || plugin.start === undefined;
        return [...stepsOf(plugin, 'flush'), ...(stops ? stepsOf(plugin, 'stop') : [])];
      }),
    );

  const startAll = async (): Promise<void> => {
    const startedBefore = new Set(started);
    for (const plugin of ordered) {
      if (startedBefore.has(plugin)) continue;
      const faults = await runAll(stepsOf(plugin, 'start'));
      if (faults.length > 0) {
        const stopFaults = await stopInReverse(
          ordered.filter((plugin) => started.has(plugin) && !startedBefore.has(plugin)),
        );
        return throwCollected(
          [...faults, ...stopFaults],
          'A plugin could not be started, and other plugins could not be stopped again.',
        );
      }
      started.add(plugin);
    }
  };

  return {
    start: () => inTurn(startAll),
    flush: () =>
      inTurn(async () => {
        const faults = await runAll(ordered.flatMap((plugin) => stepsOf(plugin, 'flush')));
        throwCollected(faults, 'Several plugins could not be flushed.');
      }),
    stop: () =>
      inTurn(async () => throwCollected(await stopInReverse(ordered), 'Several plugins could not be stopped.')),
  };
}
