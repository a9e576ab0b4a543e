// Starts mocha in this process. `mocha/bin/mocha.js` starts a second Node, only to give it an option of Node: that costs
// more than loading a short test file. Traces name the sources.
//
//   node scripts/mocha.mjs [mocha options] FILE ...
import process from 'node:process';
import { main } from 'mocha/lib/cli/cli.js';

process.setSourceMapsEnabled(true);
main(process.argv.slice(2));
