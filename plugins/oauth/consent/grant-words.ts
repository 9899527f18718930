// A grant's rights and limits in words. Used by the page of a member's own connected apps and by the page of the console.
import type { Leash, ScopeDeclaration } from '../../../core/index.ts';
import { type Html, html } from '../../../core/unstable.ts';
import { leashWords } from './leash.ts';

/** The number of rights, which opens to their descriptions: those with a risk first. */
export function rightsList(declarations: readonly ScopeDeclaration[], granted: readonly string[]): Html {
  const grantedScopes = declarations.filter(({ scope }) => granted.includes(scope));
  const items = [
    ...grantedScopes.filter(({ risk }) => risk !== undefined),
    ...grantedScopes.filter(({ risk }) => risk === undefined),
  ];
  return html`<details><summary>${grantedScopes.length === 1 ? 'One right' : `${grantedScopes.length} rights`}</summary><ul class="plain">${items.map(({ description }) => html`<li>${description}</li>`)}</ul></details>`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The limits as one line. */
export function limitWords(leash: Leash | null): string {
  const limits = leashWords(leash);
  return limits.length === 0 ? 'None' : capital(limits.join('; '));
}
