import { liveServers } from './server';

/**
 * Call inside a `describe`: after a failed test it prints each live server's last log lines and processes,
 * saves a screenshot of each window, and prints the notifications behind its bell.
 */
export function dumpOnFailure(): void {
  afterEach(async function () {
    const test = this.currentTest;
    if (test?.state !== 'failed') return;
    for (const server of liveServers) {
      for (const [index, window] of server.windows.entries()) {
        const name = `failure-${test.fullTitle().slice(-80)}-${index + 1}`;
        const saved = await window.screenshot(name).catch((error: unknown) => `no screenshot: ${String(error)}`);
        console.error(`  window ${index + 1}: ${saved}`);
        const told = await window.notifications
          .list()
          .catch((error: unknown) => [{ severity: '', text: String(error) }]);
        for (const { severity, text } of told) console.error(`  notification: ${severity} ${text}`);
      }
      const processes = await server.processes();
      console.error(
        processes.map(({ pid, parent, command }) => `  ${pid} < ${parent} ${command.slice(0, 160)}`).join('\n'),
      );
      console.error((await server.log()).split('\n').slice(-30).join('\n'));
    }
  });
}
