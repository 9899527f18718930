/** The kind of the job that advances a broadcast. */
export const advanceKind = 'broadcasts.advance';
