// Warnings about a valid mail, for problems that recipients would notice. Pure.
import type { z } from '../../../core/index.ts';
import { foreignPlaceholders } from '../language/foreign.ts';
import type { templatePreview } from '../schema.ts';

type Warning = z.output<typeof templatePreview>['warnings'][number];

/** Gmail shows at most 102 kB of a message's HTML and hides the further HTML behind a link. */
export const clippedAbove = 102_000;

/** Variable names that authors use for links that every mail can have. */
const linkMarks: Readonly<Record<string, string>> = {
  unsubscribe_url: '%unsubscribe_url%',
  unsubscribeUrl: '%unsubscribe_url%',
  unsubscribe_link: '%unsubscribe_url%',
  unsubscribe: '%unsubscribe_url%',
  preferences_url: '%preferences_url%',
};

const isTheme = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && ['palette', 'fonts', 'logo', 'radius'].some((name) => name in value);

const contactWarning: Warning = {
  code: 'contact_variable',
  message:
    'contact is a variable that every send has to give: a template does not see the contact. Read {{name}} in the template, and let a sequence give it: variables: {"name": "{{ contact.attributes.name }}"}.',
};

/**
 * Warns about variables that callers would have to pass although the service knows their values. `variables` are the
 * variables of the contract.
 */
export function variableWarnings(variables: Readonly<Record<string, unknown>>): Warning[] {
  const warnings: Warning[] = Object.keys(variables).flatMap((name) => {
    const mark = Object.hasOwn(linkMarks, name) ? linkMarks[name] : undefined;
    if (mark === undefined) return [];
    const message = `${name} is a variable that every send has to give. For the recipient's own link write ${mark} in place of it.`;
    return [{ code: 'unsubscribe_variable' as const, message }];
  });
  if (isTheme(variables['theme'])) {
    const message =
      'theme is a variable that every send has to give. Remove it from the contract: then it comes from the brand.';
    warnings.push({ code: 'theme_variable', message });
  }
  if (Object.hasOwn(variables, 'contact')) warnings.push(contactWarning);
  return warnings;
}

export function warningsOf(mail: { readonly html: string; readonly text: string; readonly subject: string }) {
  const warnings: Warning[] = [];
  const bytes = Buffer.byteLength(mail.html);
  if (bytes > clippedAbove) {
    const message = `The HTML has ${Math.ceil(bytes / 1_000)} kB: Gmail cuts messages off at ${clippedAbove / 1_000} kB.`;
    warnings.push({ code: 'html_clipped', message });
  }
  if (mail.subject.trim() === '') warnings.push({ code: 'subject_empty', message: 'The subject is empty.' });
  if (mail.text.trim() === '')
    warnings.push({ code: 'text_empty', message: 'The text part is empty: readers of plain text see nothing.' });
  for (const message of foreignPlaceholders(`${mail.subject}\n${mail.html}\n${mail.text}`))
    warnings.push({ code: 'foreign_placeholder', message });
  return warnings;
}
