// Checks that a test goes only to people of the workspace: nobody else asked for the mail, and a test ignores quiet hours and caps. Pure.
import { type ErrorDetail, type Member, normaliseAddress, parseAddress, type Workspace } from '../../../core/index.ts';

/** Faults of addresses that belong neither to a member nor to a sending domain of the workspace. */
export function addressFaults(
  to: readonly string[],
  members: readonly Member[],
  { sendingDomains }: Pick<Workspace, 'sendingDomains'>,
): ErrorDetail[] {
  const memberAddresses = new Set(members.map(({ email }) => normaliseAddress(email)));
  return to.flatMap((address, index) => {
    const domain = parseAddress(address)?.domain ?? '';
    if (memberAddresses.has(normaliseAddress(address)) || sendingDomains.includes(domain)) return [];
    const domains = sendingDomains.length === 0 ? 'none' : sendingDomains.join(', ');
    const message = `A test goes only to members of the workspace and to addresses on its sending domains (${domains}). ${address} is neither.`;
    return [{ path: `to.${index}`, code: 'not_own_address', message }];
  });
}

/** The addresses without repetitions, in the spelling that comes first. */
export const distinct = (to: readonly string[]): string[] =>
  to.filter((address, index) => to.findIndex((one) => normaliseAddress(one) === normaliseAddress(address)) === index);
