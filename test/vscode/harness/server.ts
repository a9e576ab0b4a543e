import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { VscodeServer, VscodeSettings } from '../../../scripts/vscode-server.mjs';
import { installVscodeTools, startVscodeServer, windowUrl } from '../../../scripts/vscode-server.mjs';
import { closeBrowser, forgetBrowser, sharedBrowser } from './browser';
import type { BrowserContext } from './playwright';
import { waitFor } from './waitFor';
import { VscodeWindow } from './window';

export interface ServerOptions {
  /** The folder that windows open. */
  workspaceDir: string;
  /** The extension under test, used from where it lies; the repository root for the product. */
  extensionDir?: string;
  /** A packaged extension, installed as a person does, instead of the one above. */
  vsix?: string;
  /** What VS Code brings itself. Default 'few': what the stories use of it. */
  builtIn?: 'all' | 'few';
  /** More extensions, for example one that a test brings; listed before it. */
  otherExtensionDirs?: readonly string[];
  /** Keeps user data, workspace storage and logs. A second start on the same folder is "the next day". */
  serverDataDir: string;
  userSettings?: VscodeSettings;
  /** 'on': a folder opens with VS Code's question whether to trust it; 'off' (default): everything is trusted. */
  trust?: 'on' | 'off';
  /** How long VS Code keeps the extension host of a window that vanished (see vanish()). Default 3 hours. */
  reconnectionGraceSeconds?: number;
  /** Reaches the extension host, on top of a clean environment. */
  env?: Record<string, string>;
}

/** A running VS Code server together with one person's browser profile. */
export class Server {
  readonly windows: VscodeWindow[] = [];
  private profile: Promise<BrowserContext> | undefined;

  constructor(
    private readonly server: VscodeServer,
    private readonly options: ServerOptions,
  ) {}

  get url(): string {
    return this.server.url;
  }

  /** Opens one more window, by default on the server's workspace; '': without a folder. */
  async openWindow(workspaceDir: string = this.options.workspaceDir): Promise<VscodeWindow> {
    this.profile ??= this.newProfile();
    const page = await (await this.profile).newPage();
    const window = new VscodeWindow(page, this);
    this.windows.push(window);
    await window.open(windowUrl(this.server, workspaceDir));
    return window;
  }

  /** Every live process the server started, detached ones included. */
  processes(): Promise<{ pid: number; parent: number; command: string }[]> {
    return this.server.processes();
  }

  /** The pids of the live extension hosts: one per window. */
  async extensionHosts(): Promise<number[]> {
    const all = await this.server.processes();
    return all.filter(({ command }) => command.includes('--type=extensionHost')).map(({ pid }) => pid);
  }

  /** Resolves when exactly `count` extension hosts are alive. */
  async waitForExtensionHosts(count: number): Promise<number[]> {
    return waitFor(
      async () => {
        const hosts = await this.extensionHosts();
        return hosts.length === count && hosts;
      },
      { what: `${count} extension hosts` },
    );
  }

  log(): Promise<string> {
    return readFile(this.server.logFile, 'utf8');
  }

  /** Closes every window, ends the server and all it started. The profile (browser storage) is gone afterwards. */
  async stop(): Promise<void> {
    liveServers.delete(this);
    await closedOrGivenUp(await this.profile);
    await this.server.stop();
    if (liveServers.size === 0) await closeBrowser();
  }

  private async newProfile(): Promise<BrowserContext> {
    const browser = await sharedBrowser();
    const profile = await browser.newContext({ viewport: { width: 1400, height: 900 }, reducedMotion: 'reduce' });
    await profile.addInitScript({ content: withoutMotion });
    await profile.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: this.server.url });
    return profile;
  }
}

/**
 * A browser that hangs is not part of the product: what it shows ends with the server, and the browser with this
 * process.
 */
async function closedOrGivenUp(profile: BrowserContext | undefined): Promise<void> {
  const closed = profile?.close().then(() => true) ?? Promise.resolve(true);
  if (await Promise.race([closed, delay(30_000, false, { ref: false })])) return;
  console.log('The browser did not close its windows within 30 seconds, and is given up.');
  forgetBrowser();
}

/** Servers that a failing test may want to say something about. */
export const liveServers = new Set<Server>();

/** Installs VS Code where needed and starts a server. Stop it in `after`. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const root = process.cwd();
  await installVscodeTools(root);
  // VS Code asks the person's login shell for PATH, which begins with that of the machine.
  const home = path.join(options.serverDataDir, 'home');
  await mkdir(home, { recursive: true });
  const searched = options.env?.['PATH'] ?? process.env['PATH'] ?? '';
  await writeFile(path.join(home, '.profile'), `PATH='${searched}'; export PATH\n`);
  const server = await startVscodeServer({
    root,
    serverDataDir: path.resolve(options.serverDataDir),
    extensionDirs: [...(options.otherExtensionDirs ?? []), ...(options.extensionDir ? [options.extensionDir] : [])].map(
      (folder) => path.resolve(folder),
    ),
    ...(options.vsix && { vsix: options.vsix }),
    trust: options.trust ?? 'off',
    builtIn: options.builtIn ?? 'few',
    ...(options.userSettings && { settings: options.userSettings }),
    ...(options.env && { env: options.env }),
    ...(options.reconnectionGraceSeconds !== undefined && {
      reconnectionGraceSeconds: options.reconnectionGraceSeconds,
    }),
  });
  const started = new Server(server, options);
  liveServers.add(started);
  return started;
}

/** Nothing moves, because each drawn frame costs more than most of what VS Code does in between. */
const withoutMotion = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    '*, ::before, ::after { animation-duration: 0s !important; animation-iteration-count: 1 !important; transition: none !important; }',
  );
  document.adoptedStyleSheets.push(sheet);
}`;
