// The HTML of the inbox. Everything that comes from a message is escaped.
import type { CaptureMail } from 'postrider/adapters/mail/capture';

type Captured = ReturnType<CaptureMail['messages']>[number];
type Box = Captured['from'];

const references: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text as it may stand in HTML and in a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (found) => references[found] ?? '');

const mailboxOf = ({ name, email }: Box): string =>
  escapeHtml(name === undefined || name === '' ? email : `${name} <${email}>`);

const timeOf = (time: Date): string => {
  const text = time.toISOString();
  return `<time datetime="${text}">${text.slice(0, 19).replace('T', ' ')} UTC</time>`;
};

function page(title: string, home: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${home}inbox.css">
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

/** The list of messages, newest first. */
export function listPage(rows: readonly { message: Captured; href: string }[], home: string): string {
  const items = rows.map(
    ({ message, href }) => `<li><a href="${escapeHtml(href)}">
<span class="subject">${escapeHtml(message.subject)}</span>
<span class="quiet">to ${mailboxOf(message.to)}${message.sandbox ? ' · sandbox' : ''}</span>
<span class="quiet">${timeOf(message.capturedAt)}</span>
</a></li>`,
  );
  const list =
    items.length === 0
      ? '<p class="quiet">No mail yet. Send some, then reload.</p>'
      : `<ul class="mails">${items.join('\n')}</ul>`;
  return page(
    'Inbox',
    home,
    `<h1>Inbox</h1>\n<p class="quiet">What was sent since the start, newest first. Nothing left this machine.</p>\n${list}`,
  );
}

function headerRows({ from, to, replyTo, date, messageId, headers }: Captured): string {
  const rows: [string, string][] = [
    ['From', mailboxOf(from)],
    ['To', mailboxOf(to)],
    ...(replyTo === undefined ? [] : [['Reply-To', mailboxOf(replyTo)] as [string, string]]),
    ['Date', escapeHtml(date.toUTCString())],
    ['Message-ID', escapeHtml(messageId)],
    ...Object.entries(headers).map(([name, value]): [string, string] => [escapeHtml(name), escapeHtml(value)]),
  ];
  return rows.map(([name, value]) => `<tr><th scope="row">${name}</th><td>${value}</td></tr>`).join('\n');
}

function attachmentList({ attachments }: Captured): string {
  if (attachments.length === 0) return '';
  const items = attachments.map(
    ({ filename, contentType, content }) =>
      `<li>${escapeHtml(filename)} <span class="quiet">${escapeHtml(contentType)}, ${content.byteLength} bytes</span></li>`,
  );
  return `<h2>Attachments</h2>\n<ul>${items.join('\n')}</ul>`;
}

/** One message. Its HTML comes from an address of its own, so that it can be locked in. */
export function mailPage(message: Captured, home: string, htmlAddress: string): string {
  return page(
    message.subject,
    home,
    `<p><a href="${home}">All mail</a></p>
<h1>${escapeHtml(message.subject)}</h1>
<p class="quiet">to ${mailboxOf(message.to)} · ${timeOf(message.capturedAt)}</p>
<iframe sandbox="" src="${escapeHtml(htmlAddress)}" title="The message as HTML"></iframe>
<h2>Text</h2>
<pre>${escapeHtml(message.text)}</pre>
<h2>Headers</h2>
<table>${headerRows(message)}</table>
${attachmentList(message)}`,
  );
}

/** A message that is not, or no longer, there. */
export const missingPage = (home: string): string =>
  page(
    'No such mail',
    home,
    `<h1>No such mail</h1>\n<p>Captured mail is forgotten when the program stops. <a href="${home}">See what is there</a>.</p>`,
  );

/** The one style sheet. */
export const styles = `
:root { color-scheme: light dark; --ink: #17251e; --quiet: #56655d; --line: #d9dfda; --page: #f6f7f5; --card: #fff; --link: #14523a; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eef3ef; --quiet: #a9b8b0; --line: #33403a; --page: #101512; --card: #1a211d; --link: #8fd3b1; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { margin: 0 0 .25rem; font-size: 1.75rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 2rem 0 .5rem; font-size: 1.1rem; }
a { color: var(--link); text-underline-offset: .15em; }
a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.quiet { color: var(--quiet); }
.mails { list-style: none; margin: 1.5rem 0 0; padding: 0; border-top: 1px solid var(--line); }
.mails li { border-bottom: 1px solid var(--line); }
.mails a { display: grid; gap: .1rem; padding: .9rem .25rem; color: inherit; text-decoration: none; overflow-wrap: anywhere; }
.mails a:hover .subject { text-decoration: underline; }
.subject { font-weight: 600; }
iframe { width: 100%; height: 44rem; margin-top: 1rem; border: 1px solid var(--line); border-radius: 8px; background: #fff; }
pre { padding: 1rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .4rem .75rem .4rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th { width: 9rem; font-weight: 500; color: var(--quiet); }
`;
