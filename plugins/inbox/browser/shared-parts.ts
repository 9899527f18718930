// Small parts that several views share.
import { useState } from 'preact/hooks';
import { html, type Markup } from '../../../core/pages/browser/markup.ts';
import type { Tone } from './format.ts';
import { Icon, type IconName } from './icons.ts';

/** A button that shows an icon only; its name is read out by screen readers, and shown on hover. */
export const IconButton = (props: {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: () => void;
  readonly disabled?: boolean;
  /** The keys with the same effect. */
  readonly keys?: string;
}): Markup => html`
  <button type="button" class="icon-button" aria-label=${props.label} title=${props.keys === undefined ? props.label : `${props.label} (${props.keys})`} disabled=${props.disabled} onClick=${props.onClick}>
    <${Icon} name=${props.icon} />
  </button>
`;

/** Copies a text, and confirms it on the button. Absent if the browser cannot copy. */
export function CopyButton(props: {
  readonly text: string;
  readonly label?: string;
  /** Shows the icon only. */
  readonly bare?: boolean;
}): Markup {
  const { text, label = 'Copy', bare = false } = props;
  const [copied, setCopied] = useState(false);
  // Only pages over HTTPS, or of this machine, have a clipboard.
  if (!('clipboard' in navigator)) return null;
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true);
        window.setTimeout(() => setCopied(false), 1_600);
      },
      () => setCopied(false),
    );
  };
  const caption = copied ? 'Copied' : label;
  return html`
    <button type="button" class=${bare ? 'icon-button' : 'button small'} title=${bare ? caption : null} onClick=${copy}>
      <${Icon} name=${copied ? 'check' : 'copy'} /><span class=${bare ? 'unseen' : ''} aria-live="polite">${caption}</span>
    </button>
  `;
}

/** Shown instead of content that cannot be read, because the server was stopped or the network is down. */
export const ServerUnreachable = (): Markup =>
  html`<p class="unanswered">The service does not answer. Trying again …</p>`;

/** A state as a dot and a word. */
export const Status = ({ text, tone }: { readonly text: string; readonly tone: Tone }): Markup => html`
  <span class=${`status ${tone}`}><i aria-hidden="true"></i>${text}</span>
`;

/** A choice between a few options, side by side. */
export function Segments<T extends string>(props: {
  /** An additional class. */
  readonly name: string;
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly text: string; readonly icon?: IconName }[];
  readonly onChoose: (value: T) => void;
}): Markup {
  return html`
    <div class=${`segments ${props.name}`} role="group" aria-label=${props.label}>
      ${props.options.map(
        ({ value, text, icon }) => html`
          <button type="button" key=${value} aria-pressed=${String(value === props.value)} onClick=${() => props.onChoose(value)}>
            ${icon === undefined ? null : html`<${Icon} name=${icon} />`}<span>${text}</span>
          </button>
        `,
      )}
    </div>
  `;
}
