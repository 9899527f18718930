// The two dialogs: the keyboard shortcuts, and the confirmation before all messages are deleted.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Markup } from '../../../core/pages/browser/markup.ts';
import { html } from '../../../core/pages/browser/markup.ts';
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
  useEffect(() => dialog.current?.showModal(), []);
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
  [['k', '↑'], 'Message before'],
  [['/'], 'Search'],
  [['1', '6'], 'Views of the message, in their order'],
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

export const ClearDialog = (given: {
  readonly total: number;
  readonly where: string;
  readonly onClose: () => void;
  readonly onClear: () => void;
}): Markup => html`
  <${Dialog} title=${`Delete ${counted(given.total, 'message')}?`} onClose=${given.onClose}>
    <p>The inbox forgets all that it holds of ${given.where}. The sends and their timelines stay.</p>
    <p class="dialog-actions">
      <button type="button" class="button" onClick=${given.onClose}>Keep them</button>
      <button type="button" class="button strong bad" onClick=${given.onClear}>Delete all</button>
    </p>
  <//>
`;
