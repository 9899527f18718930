// time-limit: 240
// Instagram against a strict local server, which fetches the files as the network does.
// full-run: slow
import { suite } from 'uvu';
import { socialAdapterSuite } from '../../plugins/social/testing/index.ts';
import { containerBench, instagramShape } from './social-servers/containers.ts';

const test = suite('instagramSocial');
const harness = async () => (await containerBench(instagramShape)).subject;

socialAdapterSuite('instagramSocial', harness, (name, run) => test(name, run));

test.run();
