// The consent page as HTML: the client, the workspace and side, the scopes, and the limits. There is no script.
import type { Leash, ScopeDeclaration, WorkspaceSide } from '../../../core/index.ts';
import { type Html, type HtmlPart, html } from '../../../core/unstable.ts';
import type { ConsentClient, ConsentRequest } from '../authorize/consent-request.ts';
import { tokenField } from './form-token.ts';
import { type LeashFaults, type LeashValues, lifetimes, type NumberLimit, numberLimits, numberOf } from './leash.ts';
import type { ScopeChoices } from './scope-choices.ts';
import type { ChoosableWorkspace, SignedInVisitor } from './visitor.ts';

/** The values that a member has chosen so far. */
export interface ConsentValues {
  readonly side: WorkspaceSide | undefined;
  readonly scopes: ReadonlySet<string>;
  readonly leash: LeashValues;
}

/** The content of the page. */
export interface ConsentView {
  readonly service: string;
  readonly request: ConsentRequest;
  readonly visitor: SignedInVisitor;
  readonly workspaces: readonly ChoosableWorkspace[];
  readonly workspace: ChoosableWorkspace;
  readonly choices: ScopeChoices;
  readonly ceiling: Leash;
  readonly values: ConsentValues;
  readonly faults: LeashFaults;
  readonly formToken: string;
}

/**
 * Puts the name of a client into quotation marks. The name is untrusted, and could otherwise read like a part of our
 * sentence.
 */
const quoted = (name: string): string => `“${name}”`;

function originWords({ verified, host }: ConsentClient): Html {
  if (host === null)
    return html`Unknown. Nobody has checked who runs this program. <span class="pill wait">Unverified</span>`;
  return html`<strong dir="auto">${host}</strong> <span class="pill ${verified ? 'good' : 'wait'}">${verified ? 'Checked address' : 'Unverified'}</span>`;
}

const unverifiedNote = ({ verified, name }: ConsentClient): Html | null =>
  verified
    ? null
    : html`<div class="note bad"><p><b>This program is unverified.</b> Anyone can give a program the name ${quoted(name)}. Go on only if you started this yourself, just now.</p></div>`;

function receiverNote({ client, redirectKind, redirectHost }: ConsentRequest): Html | null {
  if (redirectKind === 'loopback')
    return html`<div class="note"><p><b>The access goes to a program on your device.</b> Any program on this device could pose as ${quoted(client.name)}. Go on only if you just started it here.</p></div>`;
  if (redirectKind === 'private')
    return html`<div class="note"><p><b>The access goes to an app on your device.</b> Any app that opens <code>${redirectHost}</code> links could pose as ${quoted(client.name)}. Go on only if you just started it here.</p></div>`;
  if (client.host === null || redirectHost === client.host) return null;
  return html`<div class="note"><p><b>The access goes to another host.</b> ${client.host} describes the program, and ${redirectHost} receives the access.</p></div>`;
}

function factsOf({ request, visitor }: ConsentView): Html {
  const { client, redirectHost } = request;
  const change = visitor.signOutUrl === undefined ? null : html` · <a href="${visitor.signOutUrl}">Not you?</a>`;
  return html`<section aria-label="Who asks"><dl>
<dt>Comes from</dt><dd>${originWords(client)}</dd>
<dt>Access goes to</dt><dd><strong dir="auto">${redirectHost}</strong></dd>
<dt>Acts for</dt><dd><span dir="auto">${visitor.name}</span>${change}</dd>
</dl></section>`;
}

function workspaceChoice({ workspaces, workspace }: ConsentView): Html {
  if (workspaces.length === 1)
    return html`<section><h2>Workspace</h2><p class="soft">It gets access to this workspace only.</p><strong dir="auto">${workspace.name}</strong></section>`;
  const options = workspaces.map(({ id, name }) =>
    id === workspace.id
      ? html`<option value="${id}" selected>${name}</option>`
      : html`<option value="${id}">${name}</option>`,
  );
  return html`<section><h2>Workspace</h2><p class="soft">It gets access to one workspace.</p>
<form method="get" class="row"><select name="workspace" aria-label="Workspace">${options}</select><button class="plain">Choose</button></form></section>`;
}

const sideWords: Readonly<Record<WorkspaceSide, readonly [name: string, text: string]>> = {
  live: ['Live', 'Real contacts. Messages reach real people.'],
  sandbox: ['Sandbox', 'Test data. Nothing that it sends leaves the service.'],
};

function sideChoice({ workspace: { sides }, values, faults }: ConsentView): Html {
  const fault = faults.get('side');
  const items = sides.map((side) => {
    const [name, text] = sideWords[side];
    const isOn = sides.length === 1 || values.side === side;
    return html`<label class="choice"><input type="radio" name="side" value="${side}" required${isOn ? html` checked` : null}${side === sides[0] ? focusOf(faults, 'side') : null}><span><strong>${name}</strong><span class="soft">${text}</span></span></label>`;
  });
  return html`<fieldset><legend>Live or sandbox</legend>${faultLine('side', fault)}${items}</fieldset>`;
}

const faultLine = (name: string, fault: string | undefined): Html | null =>
  fault === undefined ? null : html`<p class="fault" id="fault-${name}" role="alert">${fault}</p>`;

const scopeBox = ({ values }: ConsentView, { scope, description, risk }: ScopeDeclaration): Html =>
  html`<label class="choice"><input type="checkbox" name="scope" value="${scope}"${values.scopes.has(scope) ? html` checked` : null}><span>${description}${risk === undefined ? null : html`<span class="risk small">${risk}</span>`}</span></label>`;

function scopeGroup(
  view: ConsentView,
  title: string,
  text: string | null,
  scopes: readonly ScopeDeclaration[],
): Html | null {
  if (scopes.length === 0) return null;
  const hint = text === null ? null : html`<p class="soft">${text}</p>`;
  return html`<fieldset><legend>${title}</legend>${hint}${scopes.map((scope) => scopeBox(view, scope))}</fieldset>`;
}

function lackingNote({ choices: { lacking } }: ConsentView): Html | null {
  if (lacking.length === 0) return null;
  const items = lacking.map(({ description }) => html`<li>${description}</li>`);
  return html`<details class="soft"><summary>It also asked for ${lacking.length === 1 ? 'a right' : `${lacking.length} rights`} that you do not have here</summary><ul class="plain">${items}</ul></details>`;
}

/** The order of the fields on the page. */
const fieldOrder = ['side', 'scope', 'sendsPerHour', 'recipientsPerDay', 'expiresIn'];

/** The browser moves to the first field with a fault. */
function focusOf(faults: LeashFaults, name: string): Html | null {
  const firstFaulty = [...fieldOrder, ...faults.keys()].find((field) => faults.has(field));
  return firstFaulty === name ? html` autofocus` : null;
}

/** One field with its hint and its fault. `control` gets the attributes that connect them. */
function fieldOf(
  name: string,
  label: string,
  hint: HtmlPart,
  faults: LeashFaults,
  control: (attributes: Html) => Html,
): Html {
  const fault = faults.get(name);
  const attributes = html`id="${name}" name="${name}" aria-describedby="hint-${name}${fault === undefined ? '' : ` fault-${name}`}"${fault === undefined ? null : html` aria-invalid="true"`}${focusOf(faults, name)}`;
  return html`<div class="field"><label for="${name}">${label}</label><p class="soft small" id="hint-${name}">${hint}</p>${faultLine(name, fault)}${control(attributes)}</div>`;
}

function numberField({ ceiling, values, faults }: ConsentView, { name, label, hint }: NumberLimit): Html {
  const maximum = numberOf(ceiling, name);
  const end = maximum === undefined ? 'Empty: no limit.' : `At most ${maximum}.`;
  const max = maximum === undefined ? null : html` max="${maximum}"`;
  return fieldOf(
    name,
    label,
    `${hint} ${end}`,
    faults,
    (attributes) =>
      html`<input class="text" type="number" inputmode="numeric" min="0"${max} step="1" value="${values.leash[name] ?? ''}" ${attributes}>`,
  );
}

const textField = (
  { ceiling, values, faults }: ConsentView,
  name: 'recipientDomains' | 'tools',
  label: string,
  hint: string,
): Html =>
  fieldOf(
    name,
    label,
    `${hint} ${ceiling[name] === undefined ? 'Empty: all.' : `Possible: ${ceiling[name].join(', ')}.`}`,
    faults,
    (attributes) =>
      html`<input class="text" value="${values.leash[name] ?? ''}" maxlength="5000" autocapitalize="none" spellcheck="false" ${attributes}>`,
  );

const days = (count: number): string => (count === 1 ? 'After 1 day' : `After ${count} days`);

function endField({ ceiling, values, faults }: ConsentView): Html {
  const longest = ceiling.expiresAt === undefined ? 'Without a fixed end' : `On ${ceiling.expiresAt.slice(0, 10)}`;
  const option = (value: string, text: string): Html =>
    value === (values.leash['expiresIn'] ?? '')
      ? html`<option value="${value}" selected>${text}</option>`
      : html`<option value="${value}">${text}</option>`;
  return fieldOf(
    'expiresIn',
    'Access ends',
    'It also ends after 30 days without use.',
    faults,
    (attributes) =>
      html`<select ${attributes}>${option('', longest)}${lifetimes.map((count) => option(String(count), days(count)))}</select>`,
  );
}

function limits(view: ConsentView): Html {
  const [first, second, ...rest] = numberLimits.map((limit) => numberField(view, limit));
  const more = [
    ...rest,
    textField(view, 'recipientDomains', 'Only recipients at', 'Domains, separated by commas: example.com.'),
    textField(view, 'tools', 'Only these tools', 'Names, separated by commas: send_transactional.'),
  ];
  const isOpen = ['creditsPerDay', 'holdAbove', 'recipientDomains', 'tools'].some((name) => view.faults.has(name));
  return html`<fieldset><legend>Limits</legend><p class="soft">The service refuses what goes beyond them.</p>
<div class="fields">${[first, second]}${endField(view)}</div>
<details${isOpen ? html` open` : null}><summary>More limits</summary><div class="fields">${more}</div></details></fieldset>`;
}

/** The body of the page. */
export function consentHtml(view: ConsentView): Html {
  const { service, request, workspace, choices, formToken } = view;
  const { client } = request;
  const logo =
    client.logoUri === undefined ? null : html`<img src="${client.logoUri}" alt="" referrerpolicy="no-referrer">`;
  const hasFault = view.faults.size > 0;
  return html`<div class="head">${logo}<div><h1><span dir="auto">${client.name}</span> wants to use ${service}</h1><p class="soft">It is a program that acts for you. You choose what it may do.</p></div></div>
${hasFault ? html`<div class="note bad" role="alert"><p>Nothing was allowed yet. Correct the marked fields.</p></div>` : null}
${unverifiedNote(client)}
${receiverNote(request)}
${factsOf(view)}
${workspaceChoice(view)}
<form method="post">
<input type="hidden" name="${tokenField}" value="${formToken}">
<input type="hidden" name="workspace" value="${workspace.id}">
${sideChoice(view)}
${faultLine('scope', view.faults.get('scope'))}
${scopeGroup(view, 'It may see', null, choices.reading)}
${scopeGroup(view, 'It may change', 'A right to change something includes seeing it.', choices.changing)}
${scopeGroup(view, 'Risky: off until you allow it', 'Turn on only what it needs.', choices.risky)}
${lackingNote(view)}
${limits(view)}
<div class="buttons"><button name="decision" value="allow">Allow</button><button class="plain" name="decision" value="deny" formnovalidate>Do not allow</button></div>
<p class="soft small">You can end this access at any time under <a href="../connected-apps">Connected apps</a>.</p>
</form>`;
}
