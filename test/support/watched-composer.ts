// For tests of what is composed in jobs: a composer that keeps what it was asked, and crashes at named boundaries.
import type { ComposerAdapter, ComposeTask } from '../../plugins/templates/port/index.ts';

/** Answers what the embedded composer would, unless the test says otherwise. */
export class WatchedComposer implements ComposerAdapter {
  readonly id = 'watched';
  readonly asked: ComposeTask[] = [];
  /** Called for each task; what it returns is the answer. */
  answer: (task: ComposeTask) => unknown = (task) => task.embedded();
  async compose(task: ComposeTask): Promise<unknown> {
    this.asked.push(task);
    return this.answer(task);
  }
}

/** For `onPhase`: throws at these boundaries, once each, in their order. */
export const crashesAt = (crashes: string[]) => (phase: string) => {
  if (crashes[0] !== phase) return;
  crashes.shift();
  throw new Error(`crash at ${phase}`);
};
