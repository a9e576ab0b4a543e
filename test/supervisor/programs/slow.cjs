// A supervisor that is slow to look for its ticket, and finds it revoked: its last act is a file in its run directory.
const { writeFileSync } = require('node:fs');
setTimeout(() => writeFileSync('late', ''), 1500);
