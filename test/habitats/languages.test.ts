import { languages } from './chosen';
import { lookAround } from './look';

/** What `npm test` shows of other languages; toolchains.test.ts has the rest. */
lookAround('languages', languages, true);
