// The side of the page: the title, the workspace, the search, the list, and the shortcuts.
import { useEffect, useRef, useState } from 'preact/hooks';
import { urlOf } from '../../../core/pages/browser/api.ts';
import { html, type Markup } from '../../../core/pages/browser/markup.ts';
import type { InboxController } from './controller.ts';
import { counted } from './format.ts';
import { Icon } from './icons.ts';
import { MessageList } from './list.ts';
import { IconButton } from './shared-parts.ts';
import type { InboxState } from './state.ts';

interface SideProps {
  readonly state: InboxState;
  readonly controller: InboxController;
  readonly onKeys: () => void;
  readonly onClear: () => void;
}

function WorkspacePicker({ state, controller }: Pick<SideProps, 'state' | 'controller'>): Markup {
  const { workspaces, workspace } = state;
  if (workspaces === undefined || (workspaces.data.length < 2 && workspace === '')) return null;
  const isListed = workspace === '' || workspaces.data.some(({ id }) => id === workspace);
  return html`
    <label class="picker">
      <span class="unseen">Workspace</span>
      <select value=${workspace} onChange=${(event: Event) => controller.choose((event.currentTarget as HTMLSelectElement).value)}>
        ${workspaces.together ? html`<option value="">All workspaces</option>` : null}
        ${workspaces.data.map(({ id, name }) => html`<option key=${id} value=${id}>${name}</option>`)}
        ${isListed ? null : html`<option value=${workspace}>${workspace}</option>`}
      </select>
    </label>
  `;
}

/** The number of results in words, for screen readers. */
function foundWords({ query, items, matching }: InboxState): string {
  if (query === '' || items === undefined) return '';
  return matching === 0 ? 'No messages found.' : `${counted(matching, 'message')} found.`;
}

/** The number of messages in words. During a search, the number of results follows. */
function totalWords({ query, total, matching, unread }: InboxState): string {
  const found = query === '' ? '' : `${matching.toLocaleString()} of `;
  return `${found}${counted(total, 'message')}${unread === 0 ? '' : `, ${unread.toLocaleString()} unread`}`;
}

/** Time between the last key stroke and the search, in milliseconds. */
const pause = 160;

function Search({ state, controller }: Pick<SideProps, 'state' | 'controller'>): Markup {
  const [text, setText] = useState(state.query);
  const timer = useRef<number>(undefined);
  useEffect(() => {
    // If the search came from this field, the field keeps text that was typed since then, and a space at its end.
    if (state.query === text.trim()) return;
    window.clearTimeout(timer.current);
    setText(state.query);
  }, [state.query]);

  const type = (event: Event): void => {
    const { value } = event.currentTarget as HTMLInputElement;
    setText(value);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => controller.search(value.trim()), pause);
  };
  /** Enter opens the first message that is found; an arrow key moves the focus into the list. */
  const press = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === 'Enter') {
      window.clearTimeout(timer.current);
      controller.search(text.trim(), true);
    } else if (event.key === 'ArrowDown') {
      event.preventDefault();
      document.querySelector<HTMLElement>('.row:not([tabindex])')?.focus();
    }
  };
  return html`
    <search class="search">
      <${Icon} name="search" />
      <input id="search" type="search" aria-label="Search messages" placeholder="Address, subject, template, id" autocomplete="off" spellcheck=${false} dir="auto" value=${text} onInput=${type} onKeyDown=${press} />
      ${text === '' ? html`<kbd aria-hidden="true">/</kbd>` : html`<${IconButton} icon="close" label="Clear the search" onClick=${() => controller.search('')} />`}
    </search>
    <p class="unseen" role="status">${foundWords(state)}</p>
  `;
}

/** Everything beside the open message. */
export function Side({ state, controller, onKeys, onClear }: SideProps): Markup {
  const { total, unread, online, workspaces } = state;
  return html`
    <div class="side">
      <header class="side-head">
        <svg class="brand" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" /><path d="M8 11h16v11H8z M8 11l8 7 8-7" /></svg>
        <p class="side-title" tabindex="-1">${workspaces?.service.name ?? ''} <span>Inbox</span></p>
        <span class="side-actions">
          <${IconButton} icon="read" label="Mark all as read" disabled=${unread === 0} onClick=${controller.markAllSeen} />
          <${IconButton} icon="trash" label="Delete all messages" disabled=${total === 0 || !controller.mayChange(state.workspace)} onClick=${onClear} />
          <${IconButton} icon="keyboard" label="Keyboard shortcuts" onClick=${onKeys} />
        </span>
      </header>
      <div class="side-tools">
        <${WorkspacePicker} state=${state} controller=${controller} />
        <${Search} state=${state} controller=${controller} />
      </div>
      <${MessageList} state=${state} controller=${controller} />
      <footer class="side-foot">
        <span aria-live="polite">${totalWords(state)}</span>
        <a href=${urlOf('phone', { workspace: state.workspace })}>Texts to phones</a>
        <span class=${`pulse${online ? '' : ' off'}`} role="status">${online ? 'Connected' : 'Not connected, trying again'}</span>
      </footer>
    </div>
  `;
}
