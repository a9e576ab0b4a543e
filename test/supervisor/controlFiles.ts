import path from 'node:path';
import type { ControlFiles } from '../../src/adapters/processes/limitGroup';

/** Follows the kernel's rules for control groups as far as the supervisor relies on them. */
export class FakeControlFiles implements ControlFiles {
  readonly #files = new Map<string, string>();

  /** @param passes whether the own group may pass controllers on although processes are in it (as the root does) */
  constructor(
    private readonly controllers: string,
    private readonly passes = true,
    own = '/user/own',
  ) {
    this.#files.set('/proc/self/mounts', 'proc /proc proc rw 0 0\ncgroup2 /cg cgroup2 rw,relatime 0 0\n');
    this.#files.set('/proc/self/cgroup', `1:name=systemd:/x\n0::${own}\n`);
    this.#group(path.posix.join('/cg', own), controllers);
  }

  /** What the kernel would count. */
  count(file: string, text: string): void {
    for (const at of this.#files.keys()) if (at.endsWith(`/${file}`)) this.#files.set(at, text);
  }

  content(file: string): string | undefined {
    return [...this.#files].find(([at]) => at.endsWith(`/run-1/${file}`))?.[1];
  }

  read(file: string): Promise<string> {
    const text = this.#files.get(file);
    return text === undefined ? Promise.reject(new Error(`ENOENT: ${file}`)) : Promise.resolve(text);
  }

  write(file: string, text: string): Promise<void> {
    if (!this.#files.has(file)) return Promise.reject(new Error(`ENOENT: ${file}`));
    if (!file.endsWith('cgroup.subtree_control')) {
      this.#files.set(file, text);
      return Promise.resolve();
    }
    const name = text.slice(1);
    if (!this.controllers.split(' ').includes(name)) return Promise.reject(new Error('ENOENT'));
    if (!this.passes) return Promise.reject(new Error('EBUSY'));
    this.#files.set(file, `${this.#files.get(file) ?? ''} ${name}`.trim());
    return Promise.resolve();
  }

  makeFolder(folder: string): Promise<void> {
    const passed = this.#files.get(`${path.posix.dirname(folder)}/cgroup.subtree_control`);
    if (passed === undefined) return Promise.reject(new Error(`ENOENT: ${folder}`));
    if (this.#files.has(`${folder}/cgroup.procs`)) return Promise.reject(new Error(`EEXIST: ${folder}`));
    this.#group(folder, passed);
    return Promise.resolve();
  }

  removeFolder(folder: string): Promise<void> {
    for (const file of [...this.#files.keys()]) if (file.startsWith(`${folder}/`)) this.#files.delete(file);
    return Promise.resolve();
  }

  #group(folder: string, controllers: string): void {
    const files: Record<string, string> = {
      'cgroup.controllers': controllers,
      'cgroup.subtree_control': '',
      'cgroup.procs': '',
      ...(controllers.includes('pids') && { 'pids.max': 'max', 'pids.events': 'max 0\n' }),
      ...(controllers.includes('memory') && {
        ...{ 'memory.max': 'max', 'memory.oom.group': '0' },
        'memory.events': 'low 0\nhigh 0\nmax 0\noom 0\noom_kill 0\n',
      }),
    };
    for (const [name, text] of Object.entries(files)) this.#files.set(`${folder}/${name}`, text);
  }
}
