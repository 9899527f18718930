// What forms need of the plugin of lead magnets, where it is composed.
import type { ServiceSurface, Workspace, WorkspaceHandle } from '../../../core/index.ts';

export interface LeadMagnets {
  find(handle: WorkspaceHandle, id: string): Promise<{ readonly id: string; readonly title: string } | undefined>;
  giftUrl(handle: WorkspaceHandle, workspace: Workspace, id: string): Promise<string | undefined>;
}

export const leadMagnetsOf = ({ services }: Pick<ServiceSurface, 'services'>): LeadMagnets | undefined =>
  (services as { readonly leadMagnets?: LeadMagnets }).leadMagnets;
