// Parts that are shared by pages with a list at their side: the choice of the workspace, the page for a refused request,
// and the code that starts a page. Their style is console.css.
import { type ComponentType, h, render } from 'preact';
import { pageBase } from './api.ts';
import { html, type Markup } from './markup.ts';

/** The field that chooses a workspace. Empty if there are fewer than two. */
export const WorkspacePicker = (props: {
  readonly workspaces: readonly { readonly id: string; readonly name: string }[] | undefined;
  /** The id of the chosen workspace. */
  readonly value: string;
  readonly set: (id: string) => void;
}): Markup =>
  (props.workspaces?.length ?? 0) < 2
    ? null
    : html`
      <label class="picker">
        <span>Workspace</span>
        <select value=${props.value} onChange=${(event: { currentTarget: HTMLSelectElement }) => props.set(event.currentTarget.value)}>
          ${props.workspaces?.map(({ id, name }) => html`<option key=${id} value=${id}>${name}</option>`)}
        </select>
      </label>
    `;

/** The page that is shown if the service refuses the request. */
export const Refused = (props: { readonly title: string; readonly reason: string }): Markup => html`
  <main class="refusal">
    <h1>${props.title}</h1>
    <p>${props.reason}</p>
    <p><a class="button" href=${pageBase.href}>Start again</a></p>
  </main>
`;

/**
 * Sets the title of the window, so that users can distinguish several windows of a page. The most specific name is the
 * first. Does nothing while the last name is undefined, because the page then has no data yet.
 */
export function titleWindow(names: readonly (string | undefined)[]): void {
  if (names.at(-1) !== undefined) document.title = names.filter((name) => name !== undefined).join(' · ');
}

/** Fills the document of the page `name` with its component. */
export function showPage(name: string, page: ComponentType): void {
  // Browsers look for the icon again after the address has changed: a relative URL would then lead elsewhere.
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="icon"]')) link.href = String(link.href);
  const place = document.getElementById(name);
  if (place !== null) render(h(page, {}), place);
}
