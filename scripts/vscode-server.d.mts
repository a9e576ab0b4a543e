/** A person's settings, as in settings.json: of the user, and those of the machine. */
export type VscodeSettings = Record<string, unknown>;

export interface VscodeServerOptions {
  /** The repository root (where test/tools/vscode lies). */
  root: string;
  /** Everything the server keeps: user data, extensions, its private HOME, its log. Kept between starts. */
  serverDataDir: string;
  /** Extensions to list as installed, each used from the folder where it lies. */
  extensionDirs?: string[];
  /** A packaged extension to install for real, instead of the above. */
  vsix?: string;
  /** 'few': of the extensions that VS Code brings only those that the stories use, which costs less. Default 'all'. */
  builtIn?: 'all' | 'few';
  /** Written into the files of the user and of the machine when the data folder has none yet. */
  settings?: VscodeSettings;
  /** 'on': VS Code asks whether to trust a folder; 'off': every folder is trusted. Default 'off'. */
  trust?: 'on' | 'off';
  /** Honour the development payload of windowUrl. VS Code then shows no notification toasts. Default false. */
  development?: boolean;
  /** 0 or absent: a free port. */
  port?: number;
  /** How long the extension host of a window that vanished without a word is kept. VS Code's default is 3 h. */
  reconnectionGraceSeconds?: number;
  /** Added to the server's clean environment (PATH, HOME, LANG, SHELL). */
  env?: Record<string, string>;
}

export interface VscodeServer {
  /** `http://127.0.0.1:<port>` */
  url: string;
  port: number;
  pid: number;
  logFile: string;
  serverDataDir: string;
  /** Every live process the server started, also those that left its process tree (Linux). */
  processes(): Promise<{ pid: number; parent: number; command: string }[]>;
  /** Ends the server and everything in processes(). */
  stop(): Promise<void>;
}

export class VscodeToolsError extends Error {}

export function installVscodeTools(root: string, log?: (line: string) => void): Promise<string>;
export function findBrowser(
  root: string,
): Promise<{ executablePath: string; env: Record<string, string>; name: string }>;
export function startVscodeServer(options: VscodeServerOptions): Promise<VscodeServer>;
export function windowUrl(
  server: Pick<VscodeServer, 'url' | 'port'>,
  workspaceDir: string | undefined,
  development?: { extensionDevelopmentPath?: string; extensionTestsPath?: string },
): string;
