// Performs every action of the user. Only this file changes the state.
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
 * How long the page waits after typing before it requests a picture, in milliseconds, so that not every letter causes a
 * request.
 */
const typingPauseMs = 300;

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
  /** Incremented with every change of the draft, so that answers to earlier requests are dropped. */
  let version = 0;
  /** Changes that are not stored, by design, so that opening another design does not lose them. */
  const unsaved = new Map<string, QrDraft>();

  const setState = (changed: Partial<QrState>): void => {
    state = { ...state, ...changed };
    show(state);
  };
  const notify = (text: string, tone: 'good' | 'bad' = 'good') => ({ notice: { text, tone, at: Date.now() } });
  const wordsOf = (error: unknown): string =>
    error instanceof PageApiRefusal ? formMessage(error.message) : 'The service cannot be reached.';
  const workspaceQuery = () => ({ workspace: state.workspace });
  const draftKeyOf = (design: string): string => `${state.workspace} ${design}`;

  async function draw(): Promise<void> {
    const requestVersion = version;
    try {
      const preview = await change<QrPreview>('POST', urlOf('preview', workspaceQuery()), bodyOf(state.draft));
      if (requestVersion === version) setState({ preview, fault: undefined });
    } catch (error) {
      if (requestVersion === version) setState({ fault: wordsOf(error) });
    }
  }

  const drawSoon = (after: number): void => {
    version += 1;
    window.clearTimeout(timer);
    timer = window.setTimeout(() => void draw(), after);
  };

  function showDesign(design: string): void {
    const storedDesign = state.designerData?.designs.find(({ qrId }) => qrId === design);
    const isGone = storedDesign === undefined && design !== '';
    const unsavedDraft = isGone ? undefined : unsaved.get(draftKeyOf(design));
    const draft = unsavedDraft ?? (storedDesign === undefined ? emptyDraft : draftOf(storedDesign));
    const isChanged = unsavedDraft !== undefined || storedDesign === undefined;
    setState({ design, isGone, draft, isChanged, preview: undefined, fault: undefined });
    if (isGone) window.clearTimeout(timer);
    else drawSoon(0);
  }

  /** `isStart`: a visit that names no design opens the newest one. */
  async function load(design: string, isStart = false): Promise<void> {
    try {
      const workspaces = state.workspaces ?? (await read<QrWorkspaceList>(urlOf('workspaces')))?.value;
      const workspace = state.workspace || (workspaces?.data[0]?.id ?? '');
      setState({ workspaces, workspace });
      if (workspace === '') return;
      const designerData = (await read<DesignerData>(urlOf('designs', workspaceQuery())))?.value;
      setState({ designerData });
      const newest = isStart && design === '' ? (designerData?.designs[0]?.qrId ?? '') : '';
      showDesign(newest === '' ? design : newest);
      if (newest !== '') history.replaceState(null, '', addressOf(state));
    } catch (error) {
      setState({ refusal: wordsOf(error) });
    }
  }

  /** Stores the draft. Returns the id of the design; undefined if it was refused. */
  async function store(): Promise<string | undefined> {
    if (!state.isChanged && state.design !== '') return state.design;
    const path = state.design === '' ? 'designs' : `designs/${encodeURIComponent(state.design)}`;
    const requestVersion = version;
    const draftKey = draftKeyOf(state.design);
    const stored = await change<QrDesign>('POST', urlOf(path, workspaceQuery()), bodyOf(state.draft));
    if (stored === undefined) return undefined;
    if (requestVersion === version) unsaved.delete(draftKey);
    const earlierDesigns = state.designerData?.designs ?? [];
    const isNew = !earlierDesigns.some(({ qrId }) => qrId === stored.qrId);
    const designs = isNew
      ? [stored, ...earlierDesigns]
      : earlierDesigns.map((one) => (one.qrId === stored.qrId ? stored : one));
    setState({
      design: stored.qrId,
      isChanged: requestVersion !== version,
      designerData: { links: [], logos: [], ...state.designerData, designs },
    });
    history.replaceState(null, '', addressOf(state));
    return stored.qrId;
  }

  const runAction = (busy: QrState['busy'], work: () => Promise<string>): void => {
    if (state.busy !== '' || state.isGone) return;
    setState({ busy });
    work()
      .then((text) => setState({ busy: '', ...notify(text) }))
      .catch((error: unknown) => setState({ busy: '', ...notify(wordsOf(error), 'bad') }));
  };

  const openDesign = (design: string, workspace: string): void => {
    const isOtherWorkspace = workspace !== state.workspace;
    setState({ workspace, design });
    history.pushState(null, '', addressOf(state));
    if (isOtherWorkspace) void load(design);
    else showDesign(design);
  };

  return {
    start() {
      setState(readAddress(location.href));
      window.addEventListener('popstate', () => {
        const selection = readAddress(location.href);
        setState(selection);
        void load(selection.design);
      });
      window.addEventListener('beforeunload', (event) => {
        if (unsaved.size > 0) event.preventDefault();
      });
      void load(state.design, true);
    },

    goWorkspace: (workspace) => openDesign('', workspace),
    open: (design) => openDesign(design, state.workspace),

    edit(changes) {
      setState({ draft: { ...state.draft, ...changes }, isChanged: true });
      unsaved.set(draftKeyOf(state.design), state.draft);
      drawSoon(typingPauseMs);
    },

    save: () =>
      runAction('saving', async () => {
        await store();
        return 'Saved.';
      }),

    download: (format) =>
      runAction('exporting', async () => {
        const design = await store();
        const path = `designs/${encodeURIComponent(design ?? '')}/render`;
        const exported = await change<QrExport>('POST', urlOf(path, workspaceQuery()), { format });
        if (exported !== undefined) saveFile(exported);
        return `Downloaded ${exported?.filename ?? ''}.`;
      }),
  };
}
