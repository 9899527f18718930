// Every action of the user. The only place that changes the state.
import { change, PageApiRefusal, read, urlOf } from '../../../core/pages/browser/api.ts';
import type { DesignerData, QrDesign, QrExport, QrPreview, QrWorkspaceList } from '../designer/wire.ts';
import { formMessage } from './form-message.ts';
import {
  addressOf,
  bodyOf,
  draftOf,
  emptyDraft,
  emptyState,
  type QrDraft,
  type QrState,
  readAddress,
} from './state.ts';

export type ExportFormat = 'svg' | 'png' | 'webp' | 'png-print' | 'pdf';

/** The actions of the page. */
export interface QrController {
  start(): void;
  goWorkspace(workspace: string): void;
  /** Opens a stored design; the empty text begins a new one. */
  open(design: string): void;
  edit(changes: Partial<QrDraft>): void;
  save(): void;
  /** Stores unsaved changes, then downloads the design in this format. */
  download(format: ExportFormat): void;
}

/**
 * How long the page waits after typing before it asks for a picture, in milliseconds, so that it does not ask for one per letter.
 */
const pause = 300;

function saveFile({ contentType, dataBase64, filename }: QrExport): void {
  const bytes = Uint8Array.from(atob(dataBase64), (letter) => letter.charCodeAt(0));
  const url = URL.createObjectURL(new Blob([bytes], { type: contentType }));
  const link = Object.assign(document.createElement('a'), { href: url, download: filename });
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** The controller. `show` is called with every new state. It sends no request before `start`. */
export function createController(show: (state: QrState) => void): QrController {
  let state = emptyState;
  let timer: number | undefined;
  /** Incremented with every change of the draft: late answers are dropped. */
  let version = 0;
  /** Changes that are not stored, by design: opening another design must not lose them. */
  const unsaved = new Map<string, QrDraft>();

  const set = (changed: Partial<QrState>): void => {
    state = { ...state, ...changed };
    show(state);
  };
  const notify = (text: string, tone: 'good' | 'bad' = 'good') => ({ notice: { text, tone, at: Date.now() } });
  const wordsOf = (error: unknown): string =>
    error instanceof PageApiRefusal ? formMessage(error.message) : 'The service cannot be reached.';
  const here = () => ({ workspace: state.workspace });
  const placeOf = (design: string): string => `${state.workspace} ${design}`;

  async function draw(): Promise<void> {
    const asked = version;
    try {
      const preview = await change<QrPreview>('POST', urlOf('preview', here()), bodyOf(state.draft));
      if (asked === version) set({ preview, fault: undefined });
    } catch (error) {
      if (asked === version) set({ fault: wordsOf(error) });
    }
  }

  const drawSoon = (after: number): void => {
    version += 1;
    window.clearTimeout(timer);
    timer = window.setTimeout(() => void draw(), after);
  };

  function reveal(design: string): void {
    const found = state.designerData?.designs.find(({ qrId }) => qrId === design);
    const isGone = found === undefined && design !== '';
    const kept = isGone ? undefined : unsaved.get(placeOf(design));
    const draft = kept ?? (found === undefined ? emptyDraft : draftOf(found));
    const isChanged = kept !== undefined || found === undefined;
    set({ design, isGone, draft, isChanged, preview: undefined, fault: undefined });
    if (isGone) window.clearTimeout(timer);
    else drawSoon(0);
  }

  /** `isStart`: a visit that names no design opens the newest one. */
  async function load(design: string, isStart = false): Promise<void> {
    try {
      const workspaces = state.workspaces ?? (await read<QrWorkspaceList>(urlOf('workspaces')))?.value;
      const workspace = state.workspace || (workspaces?.data[0]?.id ?? '');
      set({ workspaces, workspace });
      if (workspace === '') return;
      const designerData = (await read<DesignerData>(urlOf('designs', here())))?.value;
      set({ designerData });
      const newest = isStart && design === '' ? (designerData?.designs[0]?.qrId ?? '') : '';
      reveal(newest === '' ? design : newest);
      if (newest !== '') history.replaceState(null, '', addressOf(state));
    } catch (error) {
      set({ refusal: wordsOf(error) });
    }
  }

  /** Stores the draft. Returns the id of the design; undefined if it was refused. */
  async function store(): Promise<string | undefined> {
    if (!state.isChanged && state.design !== '') return state.design;
    const path = state.design === '' ? 'designs' : `designs/${encodeURIComponent(state.design)}`;
    const asked = version;
    const place = placeOf(state.design);
    const stored = await change<QrDesign>('POST', urlOf(path, here()), bodyOf(state.draft));
    if (stored === undefined) return undefined;
    if (asked === version) unsaved.delete(place);
    const others = state.designerData?.designs ?? [];
    const isNew = !others.some(({ qrId }) => qrId === stored.qrId);
    const designs = isNew ? [stored, ...others] : others.map((one) => (one.qrId === stored.qrId ? stored : one));
    set({
      design: stored.qrId,
      isChanged: asked !== version,
      designerData: { links: [], logos: [], ...state.designerData, designs },
    });
    history.replaceState(null, '', addressOf(state));
    return stored.qrId;
  }

  const attempt = (busy: QrState['busy'], work: () => Promise<string>): void => {
    if (state.busy !== '' || state.isGone) return;
    set({ busy });
    work()
      .then((text) => set({ busy: '', ...notify(text) }))
      .catch((error: unknown) => set({ busy: '', ...notify(wordsOf(error), 'bad') }));
  };

  const go = (design: string, workspace: string): void => {
    const isElsewhere = workspace !== state.workspace;
    set({ workspace, design });
    history.pushState(null, '', addressOf(state));
    if (isElsewhere) void load(design);
    else reveal(design);
  };

  return {
    start() {
      set(readAddress(location.href));
      window.addEventListener('popstate', () => {
        const place = readAddress(location.href);
        set(place);
        void load(place.design);
      });
      window.addEventListener('beforeunload', (event) => {
        if (unsaved.size > 0) event.preventDefault();
      });
      void load(state.design, true);
    },

    goWorkspace: (workspace) => go('', workspace),
    open: (design) => go(design, state.workspace),

    edit(changes) {
      set({ draft: { ...state.draft, ...changes }, isChanged: true });
      unsaved.set(placeOf(state.design), state.draft);
      drawSoon(pause);
    },

    save: () =>
      attempt('saving', async () => {
        await store();
        return 'Saved.';
      }),

    download: (format) =>
      attempt('exporting', async () => {
        const design = await store();
        const path = `designs/${encodeURIComponent(design ?? '')}/render`;
        const made = await change<QrExport>('POST', urlOf(path, here()), { format });
        if (made !== undefined) saveFile(made);
        return `Downloaded ${made?.filename ?? ''}.`;
      }),
  };
}
