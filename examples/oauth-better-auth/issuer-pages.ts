// The pages of issuer.ts: forms without a script. Each page posts its form to its own address, whose query better-auth has signed.

/** A scope on the consent page. */
interface OfferedScope {
  readonly scope: string;
  readonly description: string;
  /** The reason why it is unchecked by default. */
  readonly risk?: string;
}

const pageOf = (title: string, form: string): string =>
  `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><h1>${title}</h1><form method="post">${form}</form>`;

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);

/** The page to sign in. */
export const signInPage = pageOf(
  'Sign in',
  `<label>Email <input name="email" type="email" required></label>
<label>Password <input name="password" type="password" required></label><button>Sign in</button>`,
);

/** The page for a form that was not sent by the consent page, or was sent too late. */
export const refusedPage = pageOf('This request has ended', '<p>Start again from your agent.');

const choice = ({ scope, description, risk }: OfferedScope): string =>
  `<p><label><input type="checkbox" name="scope" value="${escaped(scope)}"${risk === undefined ? ' checked' : ''}>
${escaped(description)} ${escaped(risk ?? '')}</label>`;

/** The consent page, on which a person selects scopes for a client. Anyone can register a client under any name. */
export const consentPage = (client: string, scopes: readonly OfferedScope[]): string =>
  pageOf(
    `${escaped(client)} wants to use Acme`,
    `<p>Go on only if you started this connection yourself: any program can use this name.
${scopes.map(choice).join('\n')}
<p><label><input type="checkbox" name="scope" value="offline_access" checked> For as long as it is used.</label>
<p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button>`,
  );
