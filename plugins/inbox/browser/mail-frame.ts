// The message as its recipient sees it: in a frame that runs no script, with a chosen width and the height of its
// content.
import { useEffect, useRef, useState } from 'preact/hooks';
import { urlOf } from '../../../core/pages/browser/api.ts';
import { html, type Markup } from '../../../core/pages/browser/markup.ts';
import type { MessageDetail } from '../wire.ts';
import type { InboxController } from './controller.ts';
import { Icon } from './icons.ts';
import { Segments, ServerUnreachable } from './shared-parts.ts';
import type { InboxState } from './state.ts';

/** The maximum height in pixels. Without it, a message whose height depends on its frame would grow forever. */
const highest = 20_000;

/** The time after which a message that failed to load is requested again, in milliseconds. */
const patience = 4_000;

interface FrameProps {
  readonly src: string;
  readonly dark: boolean;
  readonly onKey: (event: KeyboardEvent) => void;
}

/** Gives the frame the height of its content, and keeps the scroll position. */
function fit(frame: HTMLIFrameElement): void {
  const page = frame.contentDocument?.documentElement;
  if (page === undefined || page === null) return;
  const scroller = frame.closest('.reader');
  const top = scroller?.scrollTop ?? 0;
  frame.style.height = '0';
  frame.style.height = `${Math.min(highest, Math.max(120, page.scrollHeight))}px`;
  if (scroller !== null && scroller !== undefined) scroller.scrollTop = top;
}

function Frame({ src, dark, onKey }: FrameProps): Markup {
  const frame = useRef<HTMLIFrameElement>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (!failed) return undefined;
    const timer = window.setTimeout(() => setFailed(false), patience);
    return () => window.clearTimeout(timer);
  }, [failed]);
  useEffect(() => {
    const { current } = frame;
    if (current === null) return undefined;
    let width = 0;
    const resized = new ResizeObserver(() => {
      if (current.clientWidth === width) return;
      width = current.clientWidth;
      fit(current);
    });
    const load = (): void => {
      // After a failed request the frame shows the browser's error page, whose document is not accessible.
      if (current.contentDocument === null) {
        setFailed(true);
        return;
      }
      fit(current);
      // The shortcuts of the page work while the message has the focus; images that load later make the message higher.
      current.contentDocument?.addEventListener('keydown', onKey);
      current.contentDocument?.addEventListener('load', () => fit(current), true);
    };
    current.addEventListener('load', load);
    resized.observe(current);
    return () => {
      resized.disconnect();
      current.removeEventListener('load', load);
    };
  }, [src, failed]);
  if (failed) return html`<${ServerUnreachable} />`;
  return html`
    <iframe
      ref=${frame}
      class=${dark ? 'mail dark' : 'mail'}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      referrerpolicy="no-referrer"
      title="The message as its reader sees it"
      src=${src}
    ></iframe>
  `;
}

/** The notice about remote images. Empty while they are loaded for this message only. */
function RemoteBar({
  hosts,
  state: { remote, remoteAlways },
  controller,
}: {
  readonly hosts: readonly string[];
  readonly state: InboxState;
  readonly controller: InboxController;
}): Markup {
  const [first, ...others] = hosts;
  if (first === undefined || (remote && !remoteAlways)) return null;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  if (remoteAlways) {
    return html`
      <div class="bar" role="note">
        <${Icon} name="image" />
        <p>Pictures from <b>${first}</b>${more} are loaded, as those of every message.</p>
        <button type="button" class="button small" onClick=${() => controller.loadRemote('never')}>Stop loading</button>
      </div>
    `;
  }
  return html`
    <div class="bar" role="note">
      <${Icon} name="image" />
      <p>Pictures from <b>${first}</b>${more} are not loaded: that would count as an open, and tell them your address.</p>
      <button type="button" class="button small" onClick=${() => controller.loadRemote('once')}>Load them</button>
      <button type="button" class="button small" onClick=${() => controller.loadRemote('always')}>Always load</button>
    </div>
  `;
}

/** The rendered message with its choices. */
export function RenderedMessage(props: {
  readonly detail: MessageDetail;
  readonly state: InboxState;
  readonly controller: InboxController;
  readonly onKey: (event: KeyboardEvent) => void;
}): Markup {
  const { detail, state, controller, onKey } = props;
  const { width, scheme, remote } = state;
  if (detail.html === '') return html`<div class="paper"><pre class="prose" dir="auto">${detail.text}</pre></div>`;
  const isDark = scheme === 'dark' && detail.dark_styles;
  const src = urlOf(`messages/${encodeURIComponent(detail.id)}/html`, {
    workspace: detail.workspace,
    scheme,
    remote: remote ? '1' : '',
  });
  return html`
    <div class="rendered">
      <div class="rendered-tools">
        <${Segments}
          name="width"
          label="Width"
          value=${width}
          options=${[
            { value: 'desktop', text: 'Desktop', icon: 'desktop' },
            { value: 'mobile', text: 'Mobile', icon: 'mobile' },
          ]}
          onChoose=${(value: InboxState['width']) => controller.set({ width: value })}
        />
        <${Segments}
          name="colours"
          label="Colours"
          value=${scheme}
          options=${[{ value: 'light', text: 'Light', icon: 'sun' }, { value: 'dark', text: 'Dark', icon: 'moon' }]}
          onChoose=${(value: InboxState['scheme']) => controller.set({ scheme: value })}
        />
        <a class="button small quiet" href=${src} target="_blank" rel="noopener"><${Icon} name="external" />Open in a tab</a>
      </div>
      <${RemoteBar} hosts=${detail.remote_hosts} state=${state} controller=${controller} />
      ${
        scheme === 'dark' && !detail.dark_styles
          ? html`<div class="bar" role="note"><${Icon} name="moon" /><p>This message has no styles for dark mode. Mail programs show it light, or turn its colours round by themselves.</p></div>`
          : null
      }
      <div class=${`stage ${width}${isDark ? ' dark' : ''}`}>
        <${Frame} key=${src} src=${src} dark=${isDark} onKey=${onKey} />
      </div>
    </div>
  `;
}
