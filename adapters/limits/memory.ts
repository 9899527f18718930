// Rate limits in this process's memory. The core has them built in, since a service without another store uses them.
export { type MemoryLimitStore, memoryLimits } from '../../core/limits/memory-limits.ts';
