// The kinds of jobs, for what enqueues them.
export const executeKind = 'approvals.execute';
export const expireKind = 'approvals.expire';
export const giveUpKind = 'approvals.give_up';
