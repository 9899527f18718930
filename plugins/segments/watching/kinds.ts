// Kinds of jobs of watched segments.
export const compareKind = 'segments.compare';
export const forgetKind = 'segments.forget';
