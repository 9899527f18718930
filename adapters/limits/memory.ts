// Rate limits in this process's memory. They are built into the core, because a service without another store uses them.
export { type MemoryLimitStore, memoryLimits } from '../../core/limits/memory-limits.ts';
