// The domain of a new link, as it is stored.
import { coreErrors, hostName, type Workspace } from '../../core/index.ts';
import { planOfTier } from '../../core/unstable.ts';
import { errors } from './errors.ts';

/**
 * The stored domain; '' for the default domain. `own` are the domains of the workspace, the default domain first.
 * @throws domain_not_allowed; plan_required if the plan does not include own domains
 */
export function domainOf({ plan }: Workspace, input: string | undefined, own: readonly string[]): string {
  const [standard, ...others] = own;
  const domain = input === undefined ? standard : hostName(input);
  if (domain === standard) return '';
  if (domain === undefined || !others.includes(domain))
    throw errors.domain_not_allowed({ domain: String(input).slice(0, 100), allowed: own });
  if (!plan.customDomains || plan.tier < 1)
    throw coreErrors.plan_required({ plan: planOfTier(1), what: 'A short domain of your own' });
  return domain;
}
