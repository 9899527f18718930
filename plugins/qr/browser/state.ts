// The whole state of the page, and its address, so that each design can be linked to.
import { pageBase, urlOf } from '../../../core/pages/browser/api.ts';
import type { NoticeText } from '../../../core/pages/browser/notice.ts';
import type { Design, Drawer, Preview, WorkspaceList } from '../designer/wire.ts';

export type Encodes = Design['encodes'];
export type Kind = Encodes['kind'];

/** What the form holds: every kind of content keeps its fields while another one is chosen. */
export interface Draft {
  readonly kind: Kind;
  readonly contents: { readonly [K in Kind]: Extract<Encodes, { readonly kind: K }> };
  readonly label: string;
  readonly style: Design['style'];
  readonly frame: Design['frame'];
}

/** The parts of an address. */
export interface Place {
  readonly workspace: string;
  /** Empty for a new design. */
  readonly design: string;
}

export interface State extends Place {
  readonly workspaces: WorkspaceList | undefined;
  readonly drawer: Drawer | undefined;
  /** There is no design with the id of the address. */
  readonly isGone: boolean;
  readonly draft: Draft;
  /** Whether the draft differs from what is stored. */
  readonly isChanged: boolean;
  readonly preview: Preview | undefined;
  /** Why the service did not answer with a preview. */
  readonly fault: string | undefined;
  /** What runs at the moment. */
  readonly busy: '' | 'saving' | 'exporting';
  readonly refusal: string | undefined;
  readonly notice: NoticeText | undefined;
}

export const emptyDraft: Draft = {
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
export const draftOf = ({ encodes, label, style, frame }: Design): Draft => ({
  kind: encodes.kind,
  contents: { ...emptyDraft.contents, [encodes.kind]: encodes },
  label: label ?? '',
  style,
  frame,
});

/** Without empty texts, which stand for fields that are not given. */
const given = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '' && value !== undefined));

/** The design as the routes take it. */
export const bodyOf = ({ kind, contents, label, style, frame }: Draft): object => ({
  encodes: given(contents[kind]),
  label: label.trim() === '' ? null : label,
  style,
  frame,
});

export function readAddress(href: string): Place {
  const { searchParams } = new URL(href);
  return { workspace: searchParams.get('workspace') ?? '', design: searchParams.get('design') ?? '' };
}

export const addressOf = ({ workspace, design }: Place): string => urlOf(pageBase.href, { workspace, design });

export const emptyState: State = {
  ...readAddress(pageBase.href),
  workspaces: undefined,
  drawer: undefined,
  isGone: false,
  draft: emptyDraft,
  isChanged: false,
  preview: undefined,
  fault: undefined,
  busy: '',
  refusal: undefined,
  notice: undefined,
};
