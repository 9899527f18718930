// Shown beside the list while no message is open: how to send the first message, or the next one.
import { useEffect, useState } from 'preact/hooks';
import { pageBase, read, urlOf } from '../../../core/pages/browser/api.ts';
import { html, type Markup } from '../../../core/pages/browser/markup.ts';
import type { SendExample } from '../wire.ts';
import { Icon } from './icons.ts';
import { CopyButton, ServerUnreachable } from './shared-parts.ts';
import type { InboxState } from './state.ts';

type Example = NonNullable<SendExample['example']>;

const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * A command that works as soon as the variable TEST_KEY is set. It makes a new idempotency key each time, because some plans require
 * one for each send.
 */
function curlLine({ template, variables }: Example): string {
  const url = new URL(`../v1/templates/${encodeURIComponent(template)}/send`, pageBase).href;
  const message = JSON.stringify({ to: 'ada@example.com', variables });
  return [
    `curl ${url} \\`,
    '  -H "Authorization: Bearer $TEST_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    '  -H "Idempotency-Key: $(uuidgen 2>/dev/null || date +%s)" \\',
    `  -d ${quoteForShell(message)}`,
  ].join('\n');
}

/** Shown if the workspace has no template yet. */
const placeholder: Example = { template: 'receipt', variables: {} };

const Command = ({ line }: { readonly line: string }): Markup => html`
  <div class="shell">
    <pre tabindex="0" aria-label="A command that sends a message">${line}</pre>
    <${CopyButton} text=${line} />
  </div>
`;

function FirstSend({ workspace }: { readonly workspace: string }): Markup {
  const [example, setExample] = useState<Example | null | undefined>(undefined);
  useEffect(() => {
    let isWanted = true;
    read<SendExample>(urlOf('example', { workspace })).then(
      (answer) => isWanted && setExample(answer?.value.example ?? null),
      () => isWanted && setExample(null),
    );
    return () => {
      isWanted = false;
    };
  }, [workspace]);
  return html`
    <div class="welcome">
      <div class="welcome-mark"><${Icon} name="letter" /></div>
      <h2>No mail yet</h2>
      <p>Send with a test key, and the message appears here by itself. It never leaves this service.</p>
      ${example === undefined ? null : html`<${Command} line=${curlLine(example ?? placeholder)} />`}
      ${example === null ? html`<p class="quiet">Put the key of one of your templates in place of <span class="code">${placeholder.template}</span>.</p>` : null}
    </div>
  `;
}

/** The right side of the page while no message is open. */
export function Welcome({ state }: { readonly state: InboxState }): Markup {
  const { items, query, total, workspace } = state;
  const isEmpty = items !== undefined && total === 0 && query === '';
  return html`
    <section class="reader idle" aria-label="Message">
      ${state.online ? null : html`<${ServerUnreachable} />`}
      ${
        isEmpty
          ? html`<${FirstSend} workspace=${workspace} />`
          : html`
            <div class="welcome">
              <div class="welcome-mark"><${Icon} name="letter" /></div>
              <p>Choose a message, or press <kbd>j</kbd>.</p>
            </div>
          `
      }
    </section>
  `;
}
