// A short notice at the lower edge of the window, which disappears by itself. Its style is notice.css.
import { useEffect, useState } from 'preact/hooks';
import { html, type Markup } from './markup.ts';

/** A short notice to the user. */
export interface NoticeText {
  readonly text: string;
  readonly tone: 'good' | 'bad';
  /** Distinguishes two notices with the same text. */
  readonly at: number;
}

/** The time for which a notice stays, in milliseconds. A refusal stays longer, because it must be read with care. */
const noticeTime = { good: 4_500, bad: 9_000 } as const;

/** The current notice; screen readers read it out. */
export function Notice({ notice }: { readonly notice: NoticeText | undefined }): Markup {
  const [shown, setShown] = useState(notice);
  useEffect(() => {
    setShown(notice);
    const timer = window.setTimeout(() => setShown(undefined), noticeTime[notice?.tone ?? 'good']);
    return () => window.clearTimeout(timer);
  }, [notice]);
  return html`
    <div class="notices" role="status">
      ${shown === undefined ? null : html`<p key=${shown.at} class=${`notice ${shown.tone}`} dir="auto">${shown.text}</p>`}
    </div>
  `;
}
