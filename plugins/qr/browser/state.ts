// The whole state of the page, and its address, so that each design can be linked to.
import { pageBase, urlOf } from '../../../core/pages/browser/api.ts';
import type { NoticeText } from '../../../core/pages/browser/notice.ts';
import type { DesignerData, QrDesign, QrPreview, QrWorkspaceList } from '../designer/wire.ts';

export type DesignContent = QrDesign['encodes'];
export type Kind = DesignContent['kind'];

/** The content of the form. Every kind of content keeps its fields while another kind is chosen. */
export interface QrDraft {
  readonly kind: Kind;
  readonly contents: { readonly [K in Kind]: Extract<DesignContent, { readonly kind: K }> };
  readonly label: string;
  readonly style: QrDesign['style'];
  readonly frame: QrDesign['frame'];
}

/** The parts of an address. */
export interface QrSelection {
  readonly workspace: string;
  /** Empty for a new design. */
  readonly design: string;
}

export interface QrState extends QrSelection {
  readonly workspaces: QrWorkspaceList | undefined;
  readonly designerData: DesignerData | undefined;
  /** Whether no design has the id in the address. */
  readonly isGone: boolean;
  readonly draft: QrDraft;
  /** Whether the draft differs from the stored design. */
  readonly isChanged: boolean;
  readonly preview: QrPreview | undefined;
  /** The reason why the service returned no preview. */
  readonly fault: string | undefined;
  /** The running action. */
  readonly busy: '' | 'saving' | 'exporting';
  readonly refusal: string | undefined;
  readonly notice: NoticeText | undefined;
}

export const emptyDraft: QrDraft = {
  kind: 'static',
  contents: {
    static: { kind: 'static', payload: 'https://example.com' },
    shortLink: { kind: 'shortLink', linkId: '' },
    wifi: { kind: 'wifi', ssid: '', encryption: 'WPA', hidden: false },
    vcard: { kind: 'vcard', firstName: '', lastName: '', phones: [], emails: [] },
  },
  label: '',
  style: {
    foreground: '#000000',
    background: '#ffffff',
    dots: 'square',
    corners: 'square',
    eyes: null,
    errorCorrection: 'M',
    margin: 4,
    logoAssetId: null,
    gradient: null,
  },
  frame: { kind: 'none', text: null, colour: null },
};

/** The form of a stored design. */
export const draftOf = ({ encodes, label, style, frame }: QrDesign): QrDraft => ({
  kind: encodes.kind,
  contents: { ...emptyDraft.contents, [encodes.kind]: encodes },
  label: label ?? '',
  style,
  frame,
});

/** Removes empty texts, because a field with an empty text counts as missing. */
const withoutEmpty = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '' && value !== undefined));

/** The design in the form that the routes accept. */
export const bodyOf = ({ kind, contents, label, style, frame }: QrDraft): object => ({
  encodes: withoutEmpty(contents[kind]),
  label: label.trim() === '' ? null : label,
  style,
  frame,
});

export function readAddress(href: string): QrSelection {
  const { searchParams } = new URL(href);
  return { workspace: searchParams.get('workspace') ?? '', design: searchParams.get('design') ?? '' };
}

export const addressOf = ({ workspace, design }: QrSelection): string => urlOf(pageBase.href, { workspace, design });

/** Whether the visitor may save designs in the chosen workspace. */
export const mayChange = ({ workspaces, workspace }: Pick<QrState, 'workspaces' | 'workspace'>): boolean =>
  workspaces?.data.find(({ id }) => id === workspace)?.may_change ?? true;

export const emptyState: QrState = {
  ...readAddress(pageBase.href),
  workspaces: undefined,
  designerData: undefined,
  isGone: false,
  draft: emptyDraft,
  isChanged: false,
  preview: undefined,
  fault: undefined,
  busy: '',
  refusal: undefined,
  notice: undefined,
};
