import { decide } from './decide.ts';
import { listPending } from './list-pending.ts';
import { listPolicies } from './list-policies.ts';
import { listRequests } from './list-requests.ts';
import { previewRequest } from './preview-request.ts';
import { readRequest } from './read-request.ts';
import { setPolicy } from './set-policy.ts';
import { submitForApproval } from './submit.ts';
import { withdrawRequest } from './withdraw.ts';

export const operations = [
  listPolicies,
  setPolicy,
  listPending,
  decide,
  listRequests,
  readRequest,
  previewRequest,
  submitForApproval,
  withdrawRequest,
] as const;
