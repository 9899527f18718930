// The interpreter of sequences: pure, and shared by the engine and the simulator.
export { createInterpreter } from './interpreter.ts';
