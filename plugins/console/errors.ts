// The refusals of the console. No operation answers them.
import { defineErrors } from '../../core/index.ts';
import { pageErrors } from '../../core/unstable.ts';

const refusals = pageErrors('console', { page: 'the console', setting: (option) => `consolePlugin({ ${option} })` });

export const errors = defineErrors({
  ...refusals,
  console_not_local: {
    ...refusals.console_not_local,
    description:
      'Without the option access, the console answers only requests from the machine it runs on. Open it under localhost, or set the option access of createService.',
    message: ({ reason }: { readonly reason: string }) =>
      `${reason} Without the option access, the console is for this machine only: open it under http://localhost, or say who is signed in with createService({ access }). In a container, consolePlugin({ privateNetworks: true }) admits private networks, and everyone on them.`,
  },
  console_scope_missing: {
    status: 403,
    type: 'permission_error',
    description: 'The person lacks a scope that the page of the console needs. Add it to what access returns for them.',
    message: ({ scopes }: { readonly scopes: readonly string[] }) =>
      `Your role does not include ${scopes.join(' and ')}. Ask whoever manages the roles of your team.`,
  },
});
