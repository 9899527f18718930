// The part of the lead-magnets plugin that forms use, if it is composed. That plugin requires pages, so pages imports
// nothing from it.
import type { ServiceContext, Services } from '../../../core/index.ts';

export type LeadMagnets = Pick<Services['leadMagnets'], 'find' | 'giftUrl'>;

export const leadMagnetsOf = ({ services }: ServiceContext): LeadMagnets | undefined => services.leadMagnets;
