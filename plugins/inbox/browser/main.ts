// The page: connects state, controller and components. Runs once, when the page is loaded.
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { pageBase } from '../../../core/pages/browser/api.ts';
import type { Markup } from '../../../core/pages/browser/markup.ts';
import { html } from '../../../core/pages/browser/markup.ts';
import type { Controller } from './controller.ts';
import { createController } from './controller.ts';
import { ClearDialog, KeysDialog } from './dialogs.ts';
import { createKeys } from './keys.ts';
import { Reader } from './reader.ts';
import { Side } from './side.ts';
import type { State } from './state.ts';
import { emptyState, Store } from './state.ts';
import { Welcome } from './welcome.ts';

/** How long a notice stays, in milliseconds. */
const noticeTime = 4_500;

function Notice({ notice }: Pick<State, 'notice'>): Markup {
  const [shown, setShown] = useState(notice);
  useEffect(() => {
    setShown(notice);
    const timer = window.setTimeout(() => setShown(undefined), noticeTime);
    return () => window.clearTimeout(timer);
  }, [notice]);
  return html`
    <div class="notices" role="status">
      ${shown === undefined ? null : html`<p key=${shown.at} class=${`notice ${shown.tone}`}>${shown.text}</p>`}
    </div>
  `;
}

const Refused = ({ reason }: { readonly reason: string }): Markup => html`
  <main class="refusal">
    <h1>The inbox cannot be shown</h1>
    <p>${reason}</p>
    <p><a class="button" href=${pageBase.href}>Start again</a></p>
  </main>
`;

function titleOf({ unread, open, detail, workspaces }: State): string {
  const count = unread > 0 ? `(${unread}) ` : '';
  const place = open !== undefined && detail !== undefined ? detail.subject : 'Inbox';
  return `${count}${place} · ${workspaces?.service.name ?? ''}`;
}

function Page({ store, controller }: { readonly store: Store; readonly controller: Controller }): Markup {
  const [state, setState] = useState(store.state);
  const [dialog, setDialog] = useState<'keys' | 'clear' | undefined>(undefined);
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
  const close = (): void => setDialog(undefined);
  const workspace = state.workspaces?.data.find(({ id }) => id === state.workspace)?.name;
  return html`
    <div class=${`inbox${state.open === undefined ? '' : ' opened'}${isEmpty ? ' empty' : ''}`}>
      <${Side} state=${state} controller=${controller} onKeys=${() => setDialog('keys')} onClear=${() => setDialog('clear')} />
      ${state.open === undefined ? html`<${Welcome} state=${state} />` : html`<${Reader} state=${state} controller=${controller} onKey=${onKey} />`}
      <${Notice} notice=${state.notice} />
      ${dialog === 'keys' ? html`<${KeysDialog} onClose=${close} />` : null}
      ${
        dialog === 'clear'
          ? html`<${ClearDialog}
            total=${state.total}
            where=${workspace ?? 'all workspaces'}
            onClose=${close}
            onClear=${() => {
              close();
              controller.clear();
            }}
          />`
          : null
      }
    </div>
  `;
}

// Browsers look for the icon again after the address has changed: a relative URL would then lead elsewhere.
for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="icon"]')) link.href = String(link.href);

const place = document.getElementById('inbox');
if (place !== null) {
  const store = new Store(emptyState);
  const controller = createController(store);
  render(html`<${Page} store=${store} controller=${controller} />`, place);
  controller.start();
}
