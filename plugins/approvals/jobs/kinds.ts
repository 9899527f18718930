// The kinds of jobs, for code that enqueues them.
export const executeKind = 'approvals.execute';
export const expireKind = 'approvals.expire';
export const giveUpKind = 'approvals.give_up';
