// The interpreter of sequences: pure, the same for the engine and the simulator.
export { createInterpreter } from './interpreter.ts';
