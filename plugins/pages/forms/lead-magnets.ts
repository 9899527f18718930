// What forms need of the plugin of lead magnets, where it is composed. It requires pages, so nothing is imported from it.
import type { ServiceContext, Services } from '../../../core/index.ts';

export type LeadMagnets = Pick<Services['leadMagnets'], 'find' | 'giftUrl'>;

export const leadMagnetsOf = ({ services }: ServiceContext): LeadMagnets | undefined => services.leadMagnets;
