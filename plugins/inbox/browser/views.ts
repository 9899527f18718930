// The other views of a message: text, links, files, headers, source.
import { useEffect, useState } from 'preact/hooks';
import { readText, urlOf } from '../../../core/pages/browser/api.ts';
import { html, type Markup } from '../../../core/pages/browser/markup.ts';
import type { MailLink, MessageAttachment, MessageDetail } from '../wire.ts';
import type { InboxController } from './controller.ts';
import { sizeOf } from './format.ts';
import { Icon } from './icons.ts';
import { CopyButton, Segments } from './shared-parts.ts';

interface ViewProps {
  readonly detail: MessageDetail;
}

const Empty = ({ text }: { readonly text: string }): Markup => html`<p class="hush">${text}</p>`;

export function TextView({ detail }: ViewProps): Markup {
  if (detail.text === '') return html`<${Empty} text="This message has no text part." />`;
  return html`
    <div class="paper">
      <div class="paper-tools"><${CopyButton} text=${detail.text} /></div>
      <pre class="prose" dir="auto">${detail.text}</pre>
    </div>
  `;
}

/** Only links with these schemes are opened from this page. */
const isSafe = (url: string): boolean => /^(https?|mailto|tel):/i.test(url);

function LinkRow({
  link,
  report,
}: {
  readonly link: MailLink;
  /** Undefined if the visitor may not report. */
  readonly report: ((url: string) => void) | undefined;
}): Markup {
  return html`
    <li>
      <div>
        <b dir="auto">${link.text || 'Only in the text part, or without a text'}</b>
        ${
          isSafe(link.url)
            ? html`<a href=${link.url} target="_blank" rel="noopener noreferrer">${link.url}</a>`
            : html`<span class="code">${link.url}</span>`
        }
      </div>
      <div class="actions">
        <${CopyButton} text=${link.url} />
        ${report === undefined ? null : html`<button type="button" class="button small" onClick=${() => report(link.url)}>Report a click</button>`}
      </div>
    </li>
  `;
}

export function LinksView({ detail, controller }: ViewProps & { readonly controller: InboxController }): Markup {
  if (detail.links.length === 0) return html`<${Empty} text="This message has no links." />`;
  const report = controller.mayChange(detail.workspace) ? (url: string) => controller.report('click', url) : undefined;
  return html`
    <ul class="paper things">
      ${detail.links.map((link) => html`<${LinkRow} key=${link.url} link=${link} report=${report} />`)}
    </ul>
  `;
}

function FileRow({ detail, file }: ViewProps & { readonly file: MessageAttachment }): Markup {
  const url = urlOf(`messages/${encodeURIComponent(detail.id)}/attachments/${file.index}`, {
    workspace: detail.workspace,
  });
  const isPicture = /^image\/(png|jpe?g|gif|webp|avif|svg\+xml)\b/i.test(file.content_type);
  return html`
    <li>
      <span class="thumb">${isPicture ? html`<img src=${url} alt="" loading="lazy" />` : html`<${Icon} name="file" />`}</span>
      <div>
        <b dir="auto">${file.filename}</b>
        <span>${file.content_type}, ${sizeOf(file.size)}${file.inline ? html`, shown in the message as <span class="code">cid:${file.content_id}</span>` : null}</span>
      </div>
      <div class="actions"><a class="button small" href=${url} download=${file.filename}><${Icon} name="download" />Download</a></div>
    </li>
  `;
}

export function AttachmentsView({ detail }: ViewProps): Markup {
  if (detail.attachments.length === 0) return html`<${Empty} text="This message has no files." />`;
  return html`
    <ul class="paper things">
      ${detail.attachments.map((file) => html`<${FileRow} key=${file.index} detail=${detail} file=${file} />`)}
    </ul>
  `;
}

export function HeadersView({ detail }: ViewProps): Markup {
  const text = detail.headers.map(({ name, value }) => `${name}: ${value}`).join('\n');
  return html`
    <div class="paper">
      <div class="paper-tools"><${CopyButton} text=${text} /></div>
      <dl class="headers">
        ${detail.headers.map(({ name, value }, index) => html`<div key=${index}><dt>${name}</dt><dd dir="auto">${value}</dd></div>`)}
      </dl>
    </div>
  `;
}

type Loaded = { readonly text: string } | { readonly fault: string } | undefined;

export function SourceView({ detail }: ViewProps): Markup {
  const [kind, setKind] = useState<'message' | 'html'>('message');
  const [loaded, setLoaded] = useState<Loaded>(undefined);
  const place = `messages/${encodeURIComponent(detail.id)}/source`;
  useEffect(() => {
    let isWanted = true;
    setLoaded(undefined);
    readText(urlOf(place, { workspace: detail.workspace })).then(
      (text) => isWanted && setLoaded({ text }),
      (error: unknown) => isWanted && setLoaded({ fault: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      isWanted = false;
    };
  }, [detail.id]);
  const text = kind === 'html' ? detail.html : loaded !== undefined && 'text' in loaded ? loaded.text : '';
  return html`
    <div class="paper">
      <div class="paper-tools">
        <${Segments}
          name="which"
          label="Which source"
          value=${kind}
          options=${[{ value: 'message', text: 'Message' }, { value: 'html', text: 'HTML' }]}
          onChoose=${setKind}
        />
        <${CopyButton} text=${text} />
        <a class="button small" href=${urlOf(place, { workspace: detail.workspace, download: '1' })}><${Icon} name="download" />.eml</a>
      </div>
      ${kind === 'message' && loaded === undefined ? html`<${Empty} text="Loading the source …" />` : null}
      ${kind === 'message' && loaded !== undefined && 'fault' in loaded ? html`<${Empty} text=${loaded.fault} />` : null}
      ${text === '' ? null : html`<pre class="source" tabindex="0" aria-label="Source">${text}</pre>`}
    </div>
  `;
}
