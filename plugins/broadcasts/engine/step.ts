// What a step of a broadcast returns.

/** When to make the next step, in milliseconds; 0: at once. Null: nothing is left to do until a call changes the broadcast. */
export type NextStep = number | null;

/** The next step reads outside of its transaction: it stores a part of the audience, or decides the experiment. */
export type ReadingStep = 'prepare' | 'decide';
