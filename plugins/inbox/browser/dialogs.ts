// The dialogs: the keyboard shortcuts, and the confirmations before one or all messages are deleted.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { html, type Markup } from '../../../core/pages/browser/markup.ts';
import { counted } from './format.ts';

function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}): Markup {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    // The browser restores the focus when a dialog is closed, but not when the dialog is removed.
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  const click = ({ target }: MouseEvent): void => {
    if (target === dialog.current) onClose();
  };
  return html`
    <dialog ref=${dialog} aria-labelledby="dialog-title" onClose=${onClose} onClick=${click}>
      <div class="dialog">
        <h2 id="dialog-title">${title}</h2>
        ${children}
      </div>
    </dialog>
  `;
}

const keys: readonly (readonly [readonly string[], string])[] = [
  [['j', '↓'], 'Next message'],
  [['k', '↑'], 'Previous message'],
  [['/'], 'Search'],
  [['1', '7'], 'Views of the message, in the order of their tabs'],
  [['m'], 'Mobile or desktop'],
  [['d'], 'Dark or light'],
  [['Shift+Del'], 'Delete the message'],
  [['Esc'], 'Clear the search, close the message'],
];

export const KeysDialog = ({ onClose }: { readonly onClose: () => void }): Markup => html`
  <${Dialog} title="Keys" onClose=${onClose}>
    <dl class="keys">
      ${keys.map(
        ([names, does]) => html`
          <div key=${does}><dt>${names.map((name, index) => html`${index > 0 ? (does.startsWith('Views') ? ' to ' : ' or ') : ''}<kbd>${name}</kbd>`)}</dt><dd>${does}</dd></div>
        `,
      )}
    </dl>
    <p class="dialog-actions"><button type="button" class="button" onClick=${onClose}>Close</button></p>
  <//>
`;

/** Asks before something is deleted for good. */
const DeleteDialog = (props: {
  readonly title: string;
  readonly text: Markup;
  readonly keep: string;
  readonly remove: string;
  readonly onClose: () => void;
  readonly onDelete: () => void;
}): Markup => html`
  <${Dialog} title=${props.title} onClose=${props.onClose}>
    ${props.text}
    <p class="dialog-actions">
      <button type="button" class="button" onClick=${props.onClose}>${props.keep}</button>
      <button type="button" class="button strong bad" onClick=${props.onDelete}>${props.remove}</button>
    </p>
  <//>
`;

export const ClearDialog = (props: {
  readonly total: number;
  readonly where: string;
  readonly onClose: () => void;
  readonly onDelete: () => void;
}): Markup => html`
  <${DeleteDialog}
    title=${`Delete ${counted(props.total, 'message')}?`}
    text=${html`<p>This deletes all messages of ${props.where} from the inbox. The sends and their timelines stay.</p>`}
    keep="Keep them"
    remove="Delete all"
    onClose=${props.onClose}
    onDelete=${props.onDelete}
  />
`;

export const RemoveDialog = (props: {
  readonly subject: string;
  readonly onClose: () => void;
  readonly onDelete: () => void;
}): Markup => html`
  <${DeleteDialog}
    title="Delete this message?"
    text=${html`<p><b dir="auto">${props.subject || '(no subject)'}</b></p><p>The inbox forgets it. The send and its timeline stay.</p>`}
    keep="Keep it"
    remove="Delete"
    onClose=${props.onClose}
    onDelete=${props.onDelete}
  />
`;
