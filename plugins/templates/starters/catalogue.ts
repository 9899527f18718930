// All starters, in the order in which a new workspace gets them.
import { invitation } from './invitation.ts';
import { loginCode } from './login-code.ts';
import { magicLink } from './magic-link.ts';
import { passwordReset } from './password-reset.ts';
import { receipt } from './receipt.ts';
import { shippingNotice } from './shipping-notice.ts';
import { type Starter, type StarterLayout, starterIn } from './starter.ts';
import { starterTexts } from './texts/index.ts';
import { welcome } from './welcome.ts';

export const starterLayouts: readonly StarterLayout[] = [
  receipt,
  passwordReset,
  loginCode,
  magicLink,
  shippingNotice,
  welcome,
  invitation,
];

let inEnglish: readonly Starter[] | undefined;

/** The starters in English. */
export function starters(): readonly Starter[] {
  inEnglish ??= starterLayouts.map((layout) => starterIn(layout, { language: 'en', texts: starterTexts.en }));
  return inEnglish;
}
