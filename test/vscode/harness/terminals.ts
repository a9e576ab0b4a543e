import { waitUntilNoted } from './keptTerminals';
import type { Page } from './playwright';
import type { QuickInput } from './quickInput';
import { DEFAULT_TIMEOUT, isMatch, waitFor } from './waitFor';

/** The integrated terminals of a window, through the "term" quick access and the panel. */
export class Terminals {
  constructor(
    private readonly page: Page,
    private readonly quickInput: QuickInput,
  ) {}

  /** The names of all terminals of this window, hidden panel or not. Opens none. */
  async list(): Promise<string[]> {
    await this.quickInput.openWith('term ');
    const labels = await waitFor(
      async () => {
        const found = await this.quickInput.labels();
        return found.includes('Create New Terminal') && found;
      },
      { what: 'the list of terminals', timeout: 20_000 },
    );
    await this.quickInput.dismiss();
    return labels.map(terminalName).filter((name): name is string => name !== undefined);
  }

  /** Shows this terminal in the panel, as if clicked. */
  async show(name: string | RegExp): Promise<void> {
    const pattern = typeof name === 'string' ? name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : name.source;
    const whole = typeof name === 'string' ? `^\\d+(\\.\\d+)?: ${pattern}$` : pattern;
    await this.quickInput.choose('term ', new RegExp(whole));
    await this.page.locator('.terminal-wrapper.active .xterm').waitFor({ timeout: DEFAULT_TIMEOUT });
  }

  /** Waits until the next window would show these terminals also when this one crashes now. */
  async waitUntilNoted(): Promise<void> {
    const names = await this.list();
    const [first] = names;
    if (first === undefined) throw new Error('No terminal is there to be noted.');
    await waitUntilNoted(this.page, names.length, () => this.show(first));
  }

  /** Everything this terminal has printed and still holds (scrollback included), wrapped lines rejoined. */
  async text(name: string | RegExp): Promise<string> {
    await this.show(name);
    return this.activeText();
  }

  /** The text of the terminal that is showing; for polling without switching. */
  async activeText(): Promise<string> {
    return String(await this.page.evaluate(READ_ACTIVE_BUFFER));
  }

  /** Waits until the terminal's text contains or matches this, and returns the text. */
  async waitForText(name: string | RegExp, wanted: string | RegExp, timeout = DEFAULT_TIMEOUT): Promise<string> {
    await this.show(name);
    let last = '';
    return waitFor(
      async () => {
        last = await this.activeText();
        return (typeof wanted === 'string' ? last.includes(wanted) : wanted.test(last)) && { last };
      },
      { what: `${String(wanted)} in the terminal ${String(name)}`, timeout },
    ).then(
      (found) => found.last,
      (error: unknown) => {
        throw new Error(`${String(error)}; it shows:\n${last.slice(-2000)}`);
      },
    );
  }

  /** Types into the terminal as a person would. */
  async type(name: string | RegExp, text: string): Promise<void> {
    await this.show(name);
    await this.takeFocus();
    await this.page.keyboard.type(text);
  }

  /** Takes the focus as a terminal does that opens. */
  async takeFocus(): Promise<void> {
    await this.page.locator('.terminal-wrapper.active textarea.xterm-helper-textarea').focus();
  }

  /** Ends a terminal with the trash icon of the panel and waits until it is gone from the list. */
  async close(name: string | RegExp): Promise<void> {
    // The list fills while it is open: count only what holds the terminal itself.
    const before = await waitFor(
      async () => {
        const names = await this.list();
        return names.some((found) => isMatch(found, name)) && names.length;
      },
      { what: `a terminal named ${String(name)}` },
    );
    await this.show(name);
    await this.page
      .locator('.part.panel .title-actions .codicon-trash, .part.panel .title-actions a[aria-label^="Kill Terminal"]')
      .first()
      .click();
    await waitFor(async () => (await this.list()).length < before, { what: `the terminal ${String(name)} to close` });
  }
}

/** "1: Worker" and "2.1: Worker" (split) name terminals; the other entries create one. */
function terminalName(label: string): string | undefined {
  return /^\d+(?:\.\d+)?: (.*)$/.exec(label)?.[1] ?? (/^\d+(?:\.\d+)?:$/.test(label) ? '' : undefined);
}

/** VS Code leaves the xterm instance on its wrapper element; its buffer is the text itself, colours aside. */
const READ_ACTIVE_BUFFER = `(() => {
  const xterm = document.querySelector('.terminal-wrapper.active')?.xterm;
  if (!xterm) return '';
  const { active } = xterm.buffer;
  let text = '';
  for (let index = 0; index < active.length; index += 1) {
    const line = active.getLine(index);
    const continued = active.getLine(index + 1)?.isWrapped === true;
    text += line.translateToString(!continued) + (continued ? '' : '\\n');
  }
  return text.replace(/\\n+$/, '\\n');
})()`;
