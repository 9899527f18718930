// The page: connects state, controller and components. Runs once, when the page is loaded.
import { useEffect, useState } from 'preact/hooks';
import { pageBase } from '../../../core/pages/browser/api.ts';
import { showPage } from '../../../core/pages/browser/console.ts';
import { html, type Markup } from '../../../core/pages/browser/markup.ts';
import { Notice } from '../../../core/pages/browser/notice.ts';
import { createController, type InboxController } from './controller.ts';
import { ClearDialog, KeysDialog, RemoveDialog } from './dialogs.ts';
import { createKeys } from './keys.ts';
import { Reader } from './reader.ts';
import { Side } from './side.ts';
import { emptyState, type InboxState, Store } from './state.ts';
import { Welcome } from './welcome.ts';

const Refused = ({ reason }: { readonly reason: string }): Markup => html`
  <main class="refusal">
    <h1>The inbox cannot be shown</h1>
    <p>${reason}</p>
    <p><a class="button" href=${pageBase.href}>Start again</a></p>
  </main>
`;

function titleOf({ unread, open, detail, sendWithoutMessage, workspaces }: InboxState): string {
  const count = unread > 0 ? `(${unread}) ` : '';
  const mail = detail ?? sendWithoutMessage?.send;
  const to = detail?.to.email ?? sendWithoutMessage?.send.to;
  const about = open === undefined || mail === undefined ? [] : [mail.subject || '(no subject)', to];
  return count + [...about, 'Inbox', workspaces?.service.name ?? ''].join(' · ');
}

type DialogName = 'keys' | 'clear' | 'remove';

function ChosenDialog(props: {
  readonly dialog: DialogName;
  readonly state: InboxState;
  readonly controller: InboxController;
  readonly onClose: () => void;
}): Markup {
  const { dialog, state, controller, onClose } = props;
  const { open, detail, sendWithoutMessage, total, workspace } = state;
  if (dialog === 'keys') return html`<${KeysDialog} onClose=${onClose} />`;
  const sure = (work: () => void) => () => {
    onClose();
    work();
  };
  if (dialog === 'remove') {
    if (open === undefined) return null;
    return html`<${RemoveDialog} subject=${detail?.subject ?? sendWithoutMessage?.send.subject ?? ''} onClose=${onClose} onDelete=${sure(() => controller.remove(open.id))} />`;
  }
  const where = state.workspaces?.data.find(({ id }) => id === workspace)?.name ?? 'all workspaces';
  return html`<${ClearDialog} total=${total} where=${where} onClose=${onClose} onDelete=${sure(() => {
    // The button that opened the dialog is disabled once nothing is left.
    document.querySelector<HTMLElement>('.side-title')?.focus();
    controller.clear();
  })} />`;
}

function Page({ store, controller }: { readonly store: Store; readonly controller: InboxController }): Markup {
  const [state, setState] = useState(store.state);
  const [dialog, setDialog] = useState<DialogName | undefined>(undefined);
  const [onKey] = useState(() => createKeys(store, controller, () => setDialog('keys')));
  useEffect(() => {
    setState(store.state);
    return store.listen(setState);
  }, []);
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  useEffect(() => {
    if (state.workspaces !== undefined) document.title = titleOf(state);
  });
  if (state.refusal !== undefined) return html`<${Refused} reason=${state.refusal} />`;
  const isEmpty = state.open === undefined && state.total === 0 && state.items !== undefined && state.query === '';
  return html`
    <main class=${`inbox${state.open === undefined ? '' : ' opened'}${isEmpty ? ' empty' : ''}`}>
      <h1 class="unseen">${state.workspaces?.service.name ?? ''} Inbox</h1>
      <${Side} state=${state} controller=${controller} onKeys=${() => setDialog('keys')} onClear=${() => setDialog('clear')} />
      ${state.open === undefined ? html`<${Welcome} state=${state} />` : html`<${Reader} state=${state} controller=${controller} onKey=${onKey} onRemove=${() => setDialog('remove')} />`}
      <${Notice} notice=${state.notice} />
      ${dialog === undefined ? null : html`<${ChosenDialog} dialog=${dialog} state=${state} controller=${controller} onClose=${() => setDialog(undefined)} />`}
    </main>
  `;
}

const store = new Store(emptyState);
const controller = createController(store);
showPage('inbox', () => html`<${Page} store=${store} controller=${controller} />`);
controller.start();
