import assert from 'node:assert/strict';
import { ask, follow, type Answered, type EventClient, type Headers } from '../support/eventClient';
import { until, type CliBed, type Ended } from './cliBed';

/** A real `mission events serve`. */
export interface Served {
  readonly url: string;
  readonly port: number;
  readonly token: string;
  /** The link that it printed. */
  readonly link: string;
  readonly pid: number;
  readonly ended: Promise<Ended>;
  get(path: string, headers?: Headers): Promise<Answered>;
  follow(path: string, headers?: Headers, reads?: boolean): Promise<EventClient>;
  kill(signal: NodeJS.Signals): void;
}

export async function serve(bed: CliBed, ...args: string[]): Promise<Served> {
  const { child, ended } = bed.start('events', 'serve', ...args);
  let printed = '';
  child.stdout?.on('data', (data: Buffer) => (printed += data.toString()));
  const line = await until(() => {
    if (child.exitCode !== null) assert.fail(`The server ended with ${child.exitCode}: ${printed}`);
    return printed.includes('\n') ? printed : null;
  });
  // A program that reads line by line gets all of it in the first one.
  assert.equal(line.indexOf('\n'), line.length - 1, `one line, not ${JSON.stringify(line)}`);
  const { url, port, token, link } = JSON.parse(line) as Pick<Served, 'url' | 'port' | 'token' | 'link'>;
  const bearer = { authorization: `Bearer ${token}` };
  return {
    ...{ url, port, token, link, ended, pid: child.pid ?? 0 },
    get: (path, headers = {}) => ask(`${url}${path}`, { ...bearer, ...headers }),
    follow: (path, headers = {}, reads = true) => follow(`${url}${path}`, { ...bearer, ...headers }, reads),
    kill: (signal) => void child.kill(signal),
  };
}
