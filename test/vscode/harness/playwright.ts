import { createRequire } from 'node:module';
import path from 'node:path';

/*
 * The part of Playwright's API that the harness uses (playwright-core 1.65, https://playwright.dev/docs/api).
 * Written down here because the package lives in the tools folder, which a type check must not need.
 * Scripts for the page are passed as strings: tests are compiled without the DOM.
 */

export interface Locator {
  locator(selector: string, options?: { hasText?: string | RegExp }): Locator;
  getByRole(role: string, options?: { name?: string | RegExp; exact?: boolean }): Locator;
  getByText(text: string | RegExp, options?: { exact?: boolean }): Locator;
  first(): Locator;
  last(): Locator;
  nth(index: number): Locator;
  all(): Promise<Locator[]>;
  count(): Promise<number>;
  click(options?: { timeout?: number; force?: boolean; button?: 'left' | 'right'; clickCount?: number }): Promise<void>;
  hover(options?: { timeout?: number; force?: boolean }): Promise<void>;
  fill(value: string, options?: { timeout?: number }): Promise<void>;
  press(key: string, options?: { timeout?: number }): Promise<void>;
  focus(options?: { timeout?: number }): Promise<void>;
  check(options?: { timeout?: number }): Promise<void>;
  inputValue(options?: { timeout?: number }): Promise<string>;
  innerText(options?: { timeout?: number }): Promise<string>;
  innerHTML(options?: { timeout?: number }): Promise<string>;
  textContent(options?: { timeout?: number }): Promise<string | null>;
  allInnerTexts(): Promise<string[]>;
  allTextContents(): Promise<string[]>;
  getAttribute(name: string, options?: { timeout?: number }): Promise<string | null>;
  isVisible(): Promise<boolean>;
  isEnabled(options?: { timeout?: number }): Promise<boolean>;
  waitFor(options?: { state?: 'attached' | 'detached' | 'visible' | 'hidden'; timeout?: number }): Promise<void>;
  boundingBox(): Promise<{ x: number; y: number; width: number; height: number } | null>;
}

export interface Frame {
  name(): string;
  url(): string;
  parentFrame(): Frame | null;
  isDetached(): boolean;
  frameElement(): Promise<{ getAttribute(name: string): Promise<string | null>; isVisible(): Promise<boolean> }>;
  evaluate(script: string): Promise<unknown>;
  locator(selector: string, options?: { hasText?: string | RegExp }): Locator;
  getByRole(role: string, options?: { name?: string | RegExp; exact?: boolean }): Locator;
  getByText(text: string | RegExp, options?: { exact?: boolean }): Locator;
}

/** A request of a page that a test answers in the server's place. */
interface Route {
  fulfill(answer: { status: number; json: unknown }): Promise<void>;
}

export interface Page {
  goto(
    url: string,
    options?: { timeout?: number; waitUntil?: 'load' | 'domcontentloaded' | 'commit' },
  ): Promise<unknown>;
  url(): string;
  locator(selector: string, options?: { hasText?: string | RegExp }): Locator;
  getByRole(role: string, options?: { name?: string | RegExp; exact?: boolean }): Locator;
  evaluate(script: string): Promise<unknown>;
  frames(): Frame[];
  mainFrame(): Frame;
  keyboard: {
    press(key: string): Promise<void>;
    type(text: string, options?: { delay?: number }): Promise<void>;
    insertText(text: string): Promise<void>;
  };
  mouse: { move(x: number, y: number): Promise<void> };
  screenshot(options: {
    path: string;
    timeout?: number;
    fullPage?: boolean;
    clip?: { x: number; y: number; width: number; height: number };
  }): Promise<unknown>;
  reload(): Promise<unknown>;
  route(url: string, answer: (route: Route) => Promise<void>): Promise<void>;
  unroute(url: string): Promise<void>;
  bringToFront(): Promise<void>;
  isClosed(): boolean;
  context(): BrowserContext;
  close(options?: { runBeforeUnload?: boolean }): Promise<void>;
  once(event: 'close' | 'load' | 'crash', listener: () => void): void;
  on(event: 'dialog', listener: (dialog: { accept(): Promise<void> }) => void): void;
  on(event: 'console', listener: (message: { type(): string; text(): string }) => void): void;
  on(event: 'framenavigated', listener: (frame: Frame) => void): void;
  on(event: 'pageerror', listener: (error: Error) => void): void;
  on(event: 'request', listener: (request: { url(): string; method(): string }) => void): void;
  setViewportSize(size: { width: number; height: number }): Promise<void>;
  emulateMedia(options: {
    colorScheme?: 'light' | 'dark';
    contrast?: 'more' | 'no-preference';
    forcedColors?: 'active' | 'none';
    reducedMotion?: 'reduce' | 'no-preference';
  }): Promise<void>;
  waitForURL(url: string, options?: { timeout?: number }): Promise<void>;
  waitForEvent(event: 'popup', options?: { timeout?: number }): Promise<Page>;
}

interface DevToolsSession {
  send(method: string): Promise<unknown>;
  /** Frames of web sockets, those included that the page opened before. Binary ones are given as base64. */
  on(
    event: 'Network.webSocketFrameSent' | 'Network.webSocketFrameReceived',
    listener: (frame: SocketFrame) => void,
  ): void;
  detach(): Promise<void>;
}

interface SocketFrame {
  /** Which socket. */
  readonly requestId: string;
  readonly response: { readonly payloadData: string };
}

export interface BrowserContext {
  /** Calls back for all its pages, those included that a page opens. */
  on(event: 'request', listener: (request: { url(): string }) => void): void;
  newPage(): Promise<Page>;
  /** Runs before any script of each page. */
  addInitScript(script: { content: string }): Promise<void>;
  /** Chrome DevTools Protocol. */
  newCDPSession(page: Page): Promise<DevToolsSession>;
  /** Those that it would send to this address. */
  cookies(url: string): Promise<
    readonly {
      readonly name: string;
      readonly value: string;
      readonly path: string;
      readonly httpOnly: boolean;
      readonly sameSite: string;
    }[]
  >;
  close(): Promise<void>;
  grantPermissions(permissions: string[], options?: { origin?: string }): Promise<void>;
}

export interface Browser {
  newContext(options: {
    viewport: { width: number; height: number };
    deviceScaleFactor?: number;
    colorScheme?: 'light' | 'dark';
    reducedMotion?: 'reduce';
    timezoneId?: string;
  }): Promise<BrowserContext>;
  close(): Promise<void>;
  isConnected(): boolean;
}

interface Playwright {
  chromium: {
    launch(options: {
      executablePath: string;
      env: Record<string, string | undefined>;
      args: string[];
      headless: boolean;
    }): Promise<Browser>;
  };
}

/** Playwright from the tools folder; the tests run with the repository root as their working folder. */
export function loadPlaywright(): Playwright {
  const require = createRequire(path.resolve('test/tools/vscode/package.json'));
  return require('playwright-core') as Playwright;
}
