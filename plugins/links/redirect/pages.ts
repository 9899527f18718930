// The pages that visitors see in place of a destination. They need no script, load nothing, and disclose nothing about the link.
import type { HttpResponse } from '../../../core/index.ts';
import { escapeHtml, pageFrame, plainResponse } from '../../../core/unstable.ts';

const frame = pageFrame(
  `:root{color-scheme:light dark;--paper:#f6f6f4;--card:#fff;--ink:#1d1f23;--soft:#575b63;--line:#8b8f96;--act:#1f4fd8;--on-act:#fff;--bad:#a3200d}
@media (prefers-color-scheme:dark){:root{--paper:#141517;--card:#1e2023;--ink:#f2f2ef;--soft:#b3b6bd;--line:#777b83;--act:#9db8ff;--on-act:#10131a;--bad:#ffab9c}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px 16px;background:var(--paper);color:var(--ink);font:17px/1.5 system-ui,sans-serif}
main{width:100%;max-width:440px;padding:32px 28px;background:var(--card);border:1px solid var(--line);border-radius:14px;overflow-wrap:anywhere}
p{margin:0 0 20px;color:var(--soft)}
p.from{margin:0 0 8px;font-size:15px}
p.wrong{color:var(--bad)}
main>:last-child{margin-bottom:0}
h1{margin:0 0 12px;font-size:24px;line-height:1.25}
label{display:block;margin:0 0 6px;font-weight:600}
input{width:100%;min-height:48px;margin:0 0 16px;padding:10px 12px;border:1px solid var(--line);border-radius:10px;background:var(--paper);color:var(--ink);font:inherit}
button{width:100%;min-height:48px;padding:12px 20px;border:0;border-radius:10px;background:var(--act);color:var(--on-act);font:inherit;font-weight:600;cursor:pointer}
input:focus-visible,button:focus-visible{outline:3px solid var(--act);outline-offset:2px}`,
  // Browsers also apply form-action to the redirect after the form, and the redirect may lead to any site.
  { 'form-action': "'self' https: http:" },
);

const headers = {
  'Content-Security-Policy': frame.policy,
  'Cache-Control': 'private, no-store',
};

function page(status: number, service: string, title: string, body: string): HttpResponse {
  const html = frame.write({
    title,
    body: `<main>
<p class="from"><bdi>${escapeHtml(service)}</bdi></p>
<h1>${escapeHtml(title)}</h1>
${body}
</main>`,
  });
  return { ...plainResponse('text/html; charset=utf-8', html, headers), status };
}

const paragraph = (text: string): string => `<p>${text}</p>`;

/** The link does not exist, or is not live yet. Both look alike. */
export const missingPage = (service: string): HttpResponse =>
  page(
    404,
    service,
    'This link does not work',
    paragraph('Check that it is complete, or ask the person who gave it to you.'),
  );

export const expiredPage = (service: string): HttpResponse =>
  page(410, service, 'This link has expired', paragraph('Ask the person who gave it to you for a new one.'));

export const disabledPage = (service: string): HttpResponse =>
  page(410, service, 'This link was disabled', paragraph('It no longer leads anywhere.'));

/** The landing page of archived links if the program has none. */
export const archivedPage = (service: string): HttpResponse =>
  page(200, service, 'This link is no longer in use', paragraph('Its owner has archived it.'));

/** The form posts to its own address. */
export const passwordPage = (service: string, isWrong: boolean): HttpResponse =>
  page(
    isWrong ? 403 : 200,
    service,
    'This link is protected by a password',
    `${isWrong ? '<p class="wrong" role="alert">That is not the password. Try again.</p>\n' : ''}<form method="post">
<label for="password">Password</label>
<input id="password" name="password" type="password" required maxlength="200" autocomplete="off">
<button>Continue</button>
</form>`,
  );
