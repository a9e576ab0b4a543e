import assert from 'node:assert/strict';
import { readHost } from '../../src/adapters/launches/hosts';
import { agentNames } from '../../src/contracts/vocabulary/workers';
import { agentWorkers } from '../../src/workers/registry';

describe('the provider of each agent CLI', () => {
  for (const name of agentNames) {
    const { provider, environmentNames } = agentWorkers[name];

    it(`${name}: every host stands in its one form, encrypted, with a reason`, () => {
      assert.ok(provider.hosts.length > 0);
      for (const { host, reason } of provider.hosts) {
        assert.equal(readHost(host), host);
        assert.match(host, /:443$/);
        assert.match(reason, /^[A-Z].*\.$/);
      }
    });

    it(`${name}: the variables that name another place reach the CLI`, () => {
      for (const variable of provider.baseUrls) assert.ok(environmentNames.includes(variable), variable);
      const named = environmentNames.filter((variable) => variable.endsWith('_BASE_URL'));
      assert.deepEqual([...provider.baseUrls].sort(), named.sort());
    });
  }
});
