// All starters, in the order in which a new workspace gets them.
import { invitation } from './invitation.ts';
import { loginCode } from './login-code.ts';
import { magicLink } from './magic-link.ts';
import { passwordReset } from './password-reset.ts';
import { receipt } from './receipt.ts';
import { shippingNotice } from './shipping-notice.ts';
import type { Starter } from './starter.ts';
import { welcome } from './welcome.ts';

export const starters: readonly Starter[] = [
  receipt,
  passwordReset,
  loginCode,
  magicLink,
  shippingNotice,
  welcome,
  invitation,
];
