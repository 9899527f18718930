// time-limit: 240
// TikTok against a strict local server, which fetches photos as the network does.
// full-run: slow
import { suite } from 'uvu';
import { socialAdapterSuite } from '../../plugins/social/testing/index.ts';
import { tiktokBench } from './social-servers/tiktok.ts';

const test = suite('tiktokSocial');
const harness = async () => (await tiktokBench()).subject;

socialAdapterSuite('tiktokSocial', harness, (name, run) => test(name, run));

test.run();
