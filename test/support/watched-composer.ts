// For tests of jobs that compose content: a composer that records its tasks, and crashes at named phases.
import type { ComposerAdapter, ComposeTask } from '../../plugins/templates/port/index.ts';

/** Returns what the embedded composer would, unless the test replaces the answer. */
export class WatchedComposer implements ComposerAdapter {
  readonly id = 'watched';
  readonly tasks: ComposeTask[] = [];
  /** Called for each task. Its result is the composer's answer. */
  answer: (task: ComposeTask) => unknown = (task) => task.embedded();
  async compose(task: ComposeTask): Promise<unknown> {
    this.tasks.push(task);
    return this.answer(task);
  }
}

/** For `onPhase`: throws at these phases, once at each, in this order. */
export const crashesAt = (crashes: string[]) => (phase: string) => {
  if (crashes[0] !== phase) return;
  crashes.shift();
  throw new Error(`crash at ${phase}`);
};
