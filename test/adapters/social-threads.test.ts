// time-limit: 240
// Threads against a strict local server, which fetches the files as the network does.
// full-run: slow
import { suite } from 'uvu';
import { socialAdapterSuite } from '../../plugins/social/testing/index.ts';
import { containerBench, threadsShape } from './social-servers/containers.ts';

const test = suite('threadsSocial');
const harness = async () => (await containerBench(threadsShape)).subject;

socialAdapterSuite('threadsSocial', harness, (name, run) => test(name, run));

test.run();
