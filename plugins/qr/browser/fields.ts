// The fields of forms: texts, choices, colours. Native controls, so that they work with keyboards and screen readers.
import { useState } from 'preact/hooks';
import { html, type Markup } from '../../../core/pages/browser/markup.ts';

type InputEvent = { readonly currentTarget: HTMLInputElement };

/** A line of text. */
export const TextField = (props: {
  readonly label: string;
  readonly value: string | undefined;
  readonly set: (value: string) => void;
  readonly type?: string;
  readonly max?: number;
  readonly hint?: string;
}): Markup => html`
  <label class="field">
    <span>${props.label}</span>
    <input type=${props.type ?? 'text'} value=${props.value ?? ''} maxlength=${props.max} placeholder=${props.hint} spellcheck=${false} autocomplete="off" onInput=${(event: InputEvent) => props.set(event.currentTarget.value)} />
  </label>
`;

/** A choice of one among a few words, as a row of radio buttons: the arrow keys move between them. */
export const SegmentedControl = (props: {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly set: (value: string) => void;
}): Markup => html`
  <fieldset>
    <legend>${props.label}</legend>
    <div class="segments">
      ${props.options.map(
        ([value, text]) => html`
          <label key=${value}>
            <input type="radio" name=${props.name} value=${value} checked=${value === props.value} onChange=${() => props.set(value)} />
            <span>${text}</span>
          </label>
        `,
      )}
    </div>
  </fieldset>
`;

/** A choice of one among many values. */
export const Choices = (props: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly set: (value: string) => void;
}): Markup => html`
  <label class="field">
    <span>${props.label}</span>
    <select value=${props.value} onChange=${(event: { currentTarget: HTMLSelectElement }) => props.set(event.currentTarget.value)}>
      ${props.options.map(([value, text]) => html`<option key=${value} value=${value}>${text}</option>`)}
    </select>
  </label>
`;

/** A colour, by the browser's own picker and as #rrggbb. */
export const ColourField = (props: {
  readonly label: string;
  readonly value: string;
  readonly set: (value: string) => void;
}): Markup => html`
  <label class="field colour">
    <span>${props.label}</span>
    <input type="color" value=${props.value} onInput=${(event: InputEvent) => props.set(event.currentTarget.value)} />
    <code>${props.value}</code>
  </label>
`;

export const Switch = (props: {
  readonly label: string;
  readonly on: boolean;
  readonly set: (on: boolean) => void;
}): Markup => html`
  <label class="switch">
    <input type="checkbox" checked=${props.on} onChange=${(event: InputEvent) => props.set(event.currentTarget.checked)} />
    <span>${props.label}</span>
  </label>
`;

/** A slider for a number, with its value beside it. Screen readers announce the value when the user releases the slider. */
export function Slider(props: {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  readonly unit: string;
  readonly set: (value: number) => void;
}): Markup {
  const { label, value, max, unit, set } = props;
  const [announcement, setAnnouncement] = useState('');
  const id = `slider-${label.toLowerCase()}`;
  return html`
    <div class="field slider">
      <label for=${id}>${label}</label>
      <input id=${id} type="range" min="0" max=${max} value=${value} aria-valuetext=${`${value}${unit}`} onInput=${(event: InputEvent) => set(event.currentTarget.valueAsNumber)} onChange=${(event: InputEvent) => setAnnouncement(`${label} ${event.currentTarget.value}${unit}`)} />
      <span class="shown" aria-hidden="true">${value}${unit}</span>
      <output class="unseen" for=${id}>${announcement}</output>
    </div>
  `;
}
