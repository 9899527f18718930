// The page: connects state, controller and components. Runs once, when the page is loaded.
import { useEffect, useState } from 'preact/hooks';
import { Refused, showPage, titleWindow, WorkspacePicker } from '../../../core/pages/browser/console.ts';
import { html, type Markup } from '../../../core/pages/browser/markup.ts';
import { Notice } from '../../../core/pages/browser/notice.ts';
import type { QrDesign } from '../designer/wire.ts';
import { createController, type ExportFormat, type QrController } from './controller.ts';
import { DesignForm } from './form.ts';
import { formMessage } from './form-message.ts';
import { emptyState, mayChange, type QrState } from './state.ts';

interface QrPageProps {
  readonly state: QrState;
  readonly controller: QrController;
}

const kindNames = { static: 'Text', shortLink: 'Short link', wifi: 'Wi-Fi', vcard: 'Contact' } as const;

const nameOf = ({ label, payload }: QrDesign): string => label ?? payload.slice(0, 60);

function Side({ state, controller }: QrPageProps): Markup {
  const { workspaces, designerData } = state;
  return html`
    <nav class="side" aria-label="QR codes">
      <h1>QR codes</h1>
      <${WorkspacePicker} workspaces=${workspaces?.data} value=${state.workspace} set=${(id: string) => controller.goWorkspace(id)} />
      ${mayChange(state) ? html`<button type="button" class="button new" aria-current=${String(state.design === '')} onClick=${() => controller.open('')}>New code</button>` : null}
      <ul class="choices designs">
        ${designerData?.designs.map(
          (design) => html`
            <li key=${design.qrId}>
              <button type="button" aria-current=${String(design.qrId === state.design)} onClick=${() => controller.open(design.qrId)}>
                ${design.sandbox ? html`<span class="mark">Sandbox</span> ` : null}
                <b dir="auto">${nameOf(design)}</b>${' '}
                <span class="hush">${kindNames[design.encodes.kind]}</span>
              </button>
            </li>
          `,
        )}
      </ul>
      ${designerData?.designs.length === 0 ? html`<p class="hush">No code was saved yet. Type what yours should hold, choose how it looks, and save it.</p>` : null}
    </nav>
  `;
}

/** The result of the scan of the design, as a word and a sentence. */
function Verdict({ state: { preview, fault } }: { readonly state: QrState }): Markup {
  if (fault !== undefined) return html`<p class="verdict bad" role="status"><b>Unknown</b> ${fault}</p>`;
  if (preview === undefined) return html`<p class="verdict" role="status">Drawing …</p>`;
  if (!preview.readable)
    return html`<p class="verdict bad" role="status"><b>${preview.isComplete ? 'Not readable' : 'Incomplete'}</b> ${formMessage(preview.message)}</p>`;
  return html`<p class="verdict good" role="status"><b>Readable</b> It was scanned, and contains the right content.</p>`;
}

const withPrice = (text: string, price: number): string =>
  price === 0 ? text : `${text} · ${price} credit${price === 1 ? '' : 's'}`;

function Result({ state, controller }: QrPageProps): Markup {
  const { preview, fault, busy, workspaces, design, isChanged } = state;
  const { create = 1, pngPrint = 2, pdf = 5 } = workspaces?.prices ?? {};
  const isSaved = !isChanged && design !== '';
  const canUse = preview?.readable === true && fault === undefined && busy === '' && (isSaved || mayChange(state));
  // The attribute disabled is not used, because it would take the focus away from the button that was pressed.
  const canSave = canUse && (isChanged || design === '') && mayChange(state);
  const button = (format: ExportFormat, text: string, price: number) => html`
    <button type="button" class="button" key=${format} aria-disabled=${String(!canUse)} onClick=${() => canUse && controller.download(format)}>${withPrice(text, price)}</button>
  `;
  return html`
    <section class="result" aria-labelledby="preview-heading">
      <h2 id="preview-heading">Preview</h2>
      <div class=${preview?.readable === true && fault === undefined ? 'picture' : 'picture stale'}>
        ${preview?.readable === true ? html`<img alt="The QR code as it will look" src=${`data:image/svg+xml;base64,${btoa(preview.svg)}`} />` : html`<p class="hush">No picture</p>`}
      </div>
      <${Verdict} state=${state} />
      ${preview?.readable === true ? html`<details class="payload"><summary>What scanners read</summary><pre tabindex="0">${preview.payload}</pre></details>` : null}
      ${
        mayChange(state)
          ? html`<button type="button" class="button save" aria-disabled=${String(!canSave)} onClick=${() => canSave && controller.save()}>
              ${design === '' ? withPrice('Save', create) : isChanged ? 'Save changes' : 'Saved'}
            </button>`
          : html`<p class="hush">Your role does not include links:write, so you can download saved codes only.</p>`
      }
      <h3>Download</h3>
      <div class="downloads">
        ${button('svg', 'SVG', 0)} ${button('png', 'PNG', 0)} ${button('webp', 'WebP', 0)}
        ${button('png-print', 'PNG for print', pngPrint)} ${button('pdf', 'PDF for print', pdf)}
      </div>
      ${mayChange(state) && (isChanged || design === '') ? html`<p class="hush">A download saves the code first.</p>` : null}
      <${Notice} notice=${state.notice} />
    </section>
  `;
}

/** The reason why there is no form. */
function absence({ workspaces, isGone, design }: QrState): string {
  if (isGone) return `There is no code ${design}, or it was deleted. Choose another one, or begin a new one.`;
  return workspaces === undefined ? 'Reading …' : 'There is no workspace yet.';
}

function Page(): Markup {
  const [state, setState] = useState(emptyState);
  const [controller] = useState(() => createController(setState));
  useEffect(() => {
    controller.start();
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      controller.save();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  const selectedDesign = state.designerData?.designs.find(({ qrId }) => qrId === state.design);
  const name = selectedDesign === undefined ? undefined : nameOf(selectedDesign);
  const isNew = state.designerData !== undefined && state.design === '';
  titleWindow([isNew ? 'New code' : name, 'QR codes', state.workspaces?.service.name]);
  if (state.refusal !== undefined)
    return html`<${Refused} title="The QR codes cannot be shown" reason=${state.refusal} />`;
  return html`
    <div class="console">
      <${Side} state=${state} controller=${controller} />
      <main class="columns">
        ${
          state.designerData === undefined || state.isGone
            ? html`<p class="hush">${absence(state)}</p>`
            : html`<${Result} state=${state} controller=${controller} /><${DesignForm} state=${state} controller=${controller} />`
        }
      </main>
    </div>
  `;
}

showPage('qr-designer', Page);
