// The keyboard shortcuts of the page. They work everywhere except in fields, and never together with Ctrl, Alt or Meta.
import type { InboxController } from './controller.ts';
import { type Store, type View, views } from './state.ts';

const fields = 'input, textarea, select, [contenteditable]';

/** The actions of the keys. `openKeys` shows their list. */
export function createKeys(
  store: Store,
  controller: InboxController,
  openKeys: () => void,
): (event: KeyboardEvent) => void {
  const searchField = (): HTMLInputElement | null => document.querySelector<HTMLInputElement>('#search');

  const leave = (): void => {
    const { query, open } = store.state;
    const field = searchField();
    if (query !== '') {
      controller.search('');
    } else if (document.activeElement === field) {
      document.querySelector<HTMLElement>('.row:not([tabindex])')?.focus();
    } else if (open !== undefined) controller.close();
  };

  const actions: Readonly<Record<string, () => void>> = {
    j: () => controller.step(1),
    ArrowDown: () => controller.step(1),
    k: () => controller.step(-1),
    ArrowUp: () => controller.step(-1),
    '/': () => searchField()?.focus(),
    m: () => controller.set({ width: store.state.width === 'mobile' ? 'desktop' : 'mobile' }),
    d: () => controller.set({ scheme: store.state.scheme === 'dark' ? 'light' : 'dark' }),
    '?': openKeys,
  };

  /**
   * Deletes the open message if `sure` is true; otherwise names the shortcut that deletes it. A deleted message cannot be restored, so
   * one key that is pressed by accident must not delete it.
   */
  const remove = (sure: boolean): void => {
    const { detail, sendWithoutMessage } = store.state;
    const shown = detail ?? (sendWithoutMessage?.listed ? sendWithoutMessage : undefined);
    if (shown === undefined || !controller.mayChange(shown.workspace)) return;
    if (sure) controller.remove(shown.id);
    else controller.notify('Shift+Del deletes the message.');
  };

  /** The views with a visible tab, which the number keys select. In a wide window, the activity is next to the message, without a tab. */
  const shownViews = (): View[] => views.filter((view) => document.getElementById(`tab-${view}`)?.offsetParent);

  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (document.querySelector('dialog[open]') !== null) return;
    if (event.key === 'Escape') {
      leave();
      return;
    }
    // In a frame the target is a node of another document: `instanceof Element` of this document would be false for it.
    const { target } = event;
    if (target !== null && 'matches' in target && (target as Element).matches(fields)) return;
    // Arrow keys choose a message only if the list has the focus. Elsewhere they scroll.
    const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp';
    if (isArrow && !(target instanceof Element && target.closest('.list') !== null)) return;
    const view = shownViews()[Number(event.key) - 1];
    let action = view === undefined ? actions[event.key] : () => controller.turnTo(view);
    if (event.key === 'Delete') action = () => remove(event.shiftKey);
    if (action === undefined) return;
    event.preventDefault();
    action();
  };
}
