// The form of a design: the content of the code, its style, its frame.
import { html, type Markup } from '../../../core/pages/browser/markup.ts';
import type { QrController } from './controller.ts';
import { Choices, ColourField, SegmentedControl, Slider, Switch, TextField } from './fields.ts';
import type { QrDraft, QrState } from './state.ts';

interface DesignFormProps {
  readonly state: QrState;
  readonly controller: QrController;
}

const kinds = [
  ['static', 'Text or URL'],
  ['shortLink', 'Short link'],
  ['wifi', 'Wi-Fi'],
  ['vcard', 'Contact'],
] as const;

function ContentFields({ state: { draft, designerData }, controller }: DesignFormProps): Markup {
  const { contents, kind } = draft;
  const put = (fields: object) =>
    controller.edit({ contents: { ...contents, [kind]: { ...contents[kind], ...fields } } as QrDraft['contents'] });
  const text = (name: string, label: string, value: string | undefined, max: number, type = 'text') =>
    html`<${TextField} key=${name} label=${label} value=${value} max=${max} type=${type} set=${(typed: string) => put({ [name]: typed })} />`;
  if (kind === 'static') return text('payload', 'Text or URL', contents.static.payload, 1_200);
  if (kind === 'shortLink') {
    const links = designerData?.links ?? [];
    if (links.length === 0)
      return html`<p class="hush">This workspace has no short links. POST /v1/links makes one.</p>`;
    const options = [['', 'Choose a link'], ...links.map(({ id, name }) => [id, name])];
    return html`<${Choices} label="Short link" value=${contents.shortLink.linkId} options=${options} set=${(linkId: string) => put({ linkId })} />`;
  }
  if (kind === 'wifi') {
    const { ssid, password, encryption, hidden } = contents.wifi;
    return html`
      ${text('ssid', 'Network', ssid, 32)}
      <${Choices} label="Encryption" value=${encryption} options=${[
        ['WPA', 'WPA, WPA2, WPA3'],
        ['WEP', 'WEP'],
        ['nopass', 'None'],
      ]} set=${(next: string) => put({ encryption: next, ...(next === 'nopass' ? { password: '' } : {}) })} />
      ${encryption === 'nopass' ? null : text('password', 'Password', password, 63)}
      <${Switch} label="The network is hidden" on=${hidden} set=${(on: boolean) => put({ hidden: on })} />
    `;
  }
  const card = contents.vcard;
  const list = (value: string): string[] => (value.trim() === '' ? [] : [value.trim()]);
  return html`
    ${text('firstName', 'First name', card.firstName, 100)} ${text('lastName', 'Last name', card.lastName, 100)}
    ${text('organisation', 'Organisation', card.organisation, 100)} ${text('title', 'Title', card.title, 100)}
    <${TextField} label="Telephone" type="tel" value=${card.phones[0]} set=${(typed: string) => put({ phones: list(typed) })} />
    <${TextField} label="Email" type="email" value=${card.emails[0]} set=${(typed: string) => put({ emails: list(typed) })} />
    ${text('url', 'Website', card.url, 500, 'url')} ${text('address', 'Address', card.address, 300)}
    ${text('note', 'Note', card.note, 300)}
  `;
}

function AppearanceFields({ state: { draft, designerData }, controller }: DesignFormProps): Markup {
  const { style } = draft;
  const put = (fields: Partial<QrDraft['style']>) => controller.edit({ style: { ...style, ...fields } });
  const { gradient, eyes } = style;
  const logos = designerData?.logos ?? [];
  return html`
    <${SegmentedControl} label="Dots" name="dots" value=${style.dots} options=${[
      ['square', 'Square'],
      ['rounded', 'Rounded'],
      ['dots', 'Dots'],
      ['diamond', 'Diamond'],
    ]} set=${(dots: QrDraft['style']['dots']) => put({ dots })} />
    <${SegmentedControl} label="Corners" name="corners" value=${style.corners} options=${[
      ['square', 'Square'],
      ['rounded', 'Rounded'],
      ['circle', 'Circle'],
    ]} set=${(corners: QrDraft['style']['corners']) => put({ corners })} />
    <div class="colours">
      ${gradient === null ? html`<${ColourField} label="Code" value=${style.foreground} set=${(foreground: string) => put({ foreground })} />` : null}
      <${ColourField} label="Background" value=${style.background} set=${(background: string) => put({ background })} />
      ${eyes === null ? null : html`<${ColourField} label="Corners" value=${eyes} set=${(next: string) => put({ eyes: next })} />`}
      ${
        gradient === null
          ? null
          : html`
            <${ColourField} label="From" value=${gradient.from} set=${(from: string) => put({ gradient: { ...gradient, from } })} />
            <${ColourField} label="To" value=${gradient.to} set=${(to: string) => put({ gradient: { ...gradient, to } })} />
          `
      }
    </div>
    ${gradient === null ? null : html`<${Slider} label="Angle" value=${gradient.angle} max=${360} unit="°" set=${(angle: number) => put({ gradient: { ...gradient, angle } })} />`}
    <${Switch} label="Gradient" on=${gradient !== null} set=${(on: boolean) => put({ gradient: on ? { from: style.foreground, to: '#24476b', angle: 45 } : null })} />
    <${Switch} label="Corners in a colour of their own" on=${eyes !== null} set=${(on: boolean) => put({ eyes: on ? style.foreground : null })} />
    <${SegmentedControl} label="Error correction" name="correction" value=${style.errorCorrection} options=${[
      ['L', 'L 7 %'],
      ['M', 'M 15 %'],
      ['Q', 'Q 25 %'],
      ['H', 'H 30 %'],
    ]} set=${(errorCorrection: QrDraft['style']['errorCorrection']) => put({ errorCorrection })} />
    <${Slider} label="Margin" value=${style.margin} max=${10} unit="" set=${(margin: number) => put({ margin })} />
    ${
      logos.length === 0 && style.logoAssetId === null
        ? html`<p class="hush">A logo is a picture among the assets of the workspace. There is none yet: upload one with POST /v1/assets.</p>`
        : html`<${Choices} label="Logo" value=${style.logoAssetId ?? ''} options=${[['', 'None'], ...logos.map(({ id, name }) => [id, name])]} set=${(id: string) => put({ logoAssetId: id === '' ? null : id, ...(id === '' ? {} : { errorCorrection: 'H' as const }) })} />`
    }
  `;
}

function FrameFields({ state: { draft }, controller }: DesignFormProps): Markup {
  const { frame, style } = draft;
  const hasText = frame.kind !== 'none' && frame.kind !== 'border';
  const choose = (kind: QrDraft['frame']['kind']) => {
    const withText = kind !== 'none' && kind !== 'border';
    controller.edit({ frame: { ...frame, kind, text: withText ? (frame.text ?? 'Scan me') : null } });
  };
  return html`
    <${SegmentedControl} label="Around the code" name="frame" value=${frame.kind} options=${[
      ['none', 'None'],
      ['border', 'Border'],
      ['banner-bottom', 'Banner below'],
      ['banner-top', 'Banner above'],
      ['bubble', 'Bubble'],
    ]} set=${choose} />
    ${hasText ? html`<${TextField} label="Text" value=${frame.text ?? ''} max=${30} set=${(typed: string) => controller.edit({ frame: { ...frame, text: typed } })} />` : null}
    ${frame.kind === 'none' ? null : html`<${ColourField} label="Frame colour" value=${frame.colour ?? style.foreground} set=${(colour: string) => controller.edit({ frame: { ...frame, colour } })} />`}
  `;
}

/** The whole form. */
export const DesignForm = ({ state, controller }: DesignFormProps): Markup => html`
  <form class="form" onSubmit=${(event: Event) => {
    event.preventDefault();
    controller.save();
  }}>
    <section aria-labelledby="content-heading">
      <h2 id="content-heading">Content</h2>
      <${TextField} label="Name" value=${state.draft.label} max=${200} hint="for yourself" set=${(label: string) => controller.edit({ label })} />
      <${SegmentedControl} label="Content type" name="kind" value=${state.draft.kind} options=${kinds} set=${(kind: QrDraft['kind']) => controller.edit({ kind })} />
      <${ContentFields} state=${state} controller=${controller} />
    </section>
    <section aria-labelledby="look-heading">
      <h2 id="look-heading">Look</h2>
      <${AppearanceFields} state=${state} controller=${controller} />
    </section>
    <section aria-labelledby="frame-heading">
      <h2 id="frame-heading">Frame</h2>
      <${FrameFields} state=${state} controller=${controller} />
    </section>
  </form>
`;
