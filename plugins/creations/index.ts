// Creations: campaigns over several channels, made from a brief.
import './events.ts';

export { creationsPlugin } from './plugin.ts';
