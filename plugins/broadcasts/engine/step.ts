// The result of a step of a broadcast.

/** The time of the next step, in milliseconds; 0: at once. Null: there is no step until a call changes the broadcast. */
export type NextStep = number | null;

/** The kind of a next step that reads outside of its transaction: it stores a part of the audience, or decides the experiment. */
export type ReadingStep = 'prepare' | 'decide';
