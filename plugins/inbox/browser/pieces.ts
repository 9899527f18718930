// Small parts that several views share.
import { useState } from 'preact/hooks';
import { html, type Markup } from '../../../core/pages/browser/markup.ts';
import type { Tone } from './format.ts';
import { Icon, type IconName } from './icons.ts';

/** A button that shows an icon only; its name is read out by screen readers, and shown on hover. */
export const IconButton = (given: {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: () => void;
  readonly disabled?: boolean;
  /** The keys that do the same. */
  readonly keys?: string;
}): Markup => html`
  <button type="button" class="icon-button" aria-label=${given.label} title=${given.keys === undefined ? given.label : `${given.label} (${given.keys})`} disabled=${given.disabled} onClick=${given.onClick}>
    <${Icon} name=${given.icon} />
  </button>
`;

/** Copies a text, and confirms that in its own place. Absent where the browser cannot copy. */
export function CopyButton(given: {
  readonly text: string;
  readonly label?: string;
  /** Shows the icon only. */
  readonly bare?: boolean;
}): Markup {
  const { text, label = 'Copy', bare = false } = given;
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

/** Said in place of what cannot be read: a server that was stopped, or a network that is gone. */
export const Unanswered = (): Markup => html`<p class="unanswered">The service does not answer. Trying again …</p>`;

/** A state as a dot and a word. */
export const Status = ({ text, tone }: { readonly text: string; readonly tone: Tone }): Markup => html`
  <span class=${`status ${tone}`}><i aria-hidden="true"></i>${text}</span>
`;

/** A choice between a few options, side by side. */
export function Segments<T extends string>(given: {
  /** An additional class. */
  readonly name: string;
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly text: string; readonly icon?: IconName }[];
  readonly onChoose: (value: T) => void;
}): Markup {
  return html`
    <div class=${`segments ${given.name}`} role="group" aria-label=${given.label}>
      ${given.options.map(
        ({ value, text, icon }) => html`
          <button type="button" key=${value} aria-pressed=${String(value === given.value)} onClick=${() => given.onChoose(value)}>
            ${icon === undefined ? null : html`<${Icon} name=${icon} />`}<span>${text}</span>
          </button>
        `,
      )}
    </div>
  `;
}
