import type { Locator, Page } from './playwright';
import { DEFAULT_TIMEOUT, isMatch, waitFor } from './waitFor';

/** What the input at the top of the window shows. */
export interface QuickInputState {
  title: string;
  placeholder: string;
  value: string;
  /** Below the input: what a list or a box asks, or what is wrong with a text. */
  message: string;
  /** Labels of the entries in view. */
  items: string[];
}

/** The palette, quick picks and input boxes. */
export class QuickInput {
  private readonly widget: Locator;
  private readonly input: Locator;

  constructor(private readonly page: Page) {
    this.widget = page.locator('.quick-input-widget');
    this.input = this.widget.locator('.quick-input-box input');
  }

  async isOpen(): Promise<boolean> {
    return this.widget.isVisible();
  }

  /** Waits for a quick pick or input box and reads it. */
  async read(): Promise<QuickInputState> {
    const drawn = await waitFor(async () => (await this.page.evaluate(OPEN_INPUT)) as QuickInputState | null, {
      what: 'a quick pick or input box',
    });
    const { title, message, items, placeholder, value } = drawn;
    return { placeholder, value, title: cleaned(title), message: cleaned(message), items: items.map(cleaned) };
  }

  /** All that it shows: title, prompt, entries with their details, and the placeholder of an empty input. */
  async text(): Promise<string> {
    const { placeholder, value } = await this.read();
    return cleaned(`${value || placeholder} ${await this.widget.innerText()}`);
  }

  /** The prompt of the input box that is open; empty without one, also where a list is open. */
  private async prompt(): Promise<string> {
    const drawn = (await this.page.evaluate(OPEN_INPUT)) as (QuickInputState & { isList: boolean }) | null;
    return drawn?.isList === false ? cleaned(drawn.message) : '';
  }

  /** Waits for an input box that says this; another one may be on its way out. */
  async asks(pattern: RegExp): Promise<void> {
    await waitFor(async () => pattern.test(await this.prompt()), { what: `an input box that asks ${pattern}` });
  }

  /** Types an answer into the input box that is open, or about to open, and waits until it was accepted. */
  async answer(text: string): Promise<void> {
    // The palette is the same widget, without a message: on a busy machine it may still be there, on its way out.
    await waitFor(async () => (await this.prompt()) !== '', {
      what: `an input box for "${text}"`,
    });
    await this.input.fill(text);
    await waitFor(() => this.press('Enter'), { what: `Enter in the input box for "${text}"` });
    // The extension may judge it first: until then the box stays, and an Escape would cancel it.
    await waitFor(async () => !(await this.isOpen()) || (await this.input.inputValue({ timeout: 1000 })) !== text, {
      what: `"${text}" to be accepted`,
    });
  }

  /** Narrows the quick pick that is open to what matches: of a long list only the rows in view are drawn. */
  async narrow(text: string): Promise<void> {
    await this.input.fill(text);
  }

  /** Picks the entry with this label in the quick pick that is open, or about to open. */
  async pick(label: string | RegExp): Promise<void> {
    await waitFor(
      async () => {
        const row = await this.row(label);
        return row !== undefined && (await clicked(row));
      },
      { what: `the entry ${String(label)} in the quick pick` },
    );
  }

  /** Ticks these entries in a quick pick of several, and confirms. */
  async tick(labels: readonly string[]): Promise<void> {
    for (const label of labels) await this.pick(label);
    await waitFor(() => this.press('Enter'), { what: `Enter in the quick pick with ${labels.join(', ')}` });
  }

  /** Closes whatever is open. Escape goes to the input itself: one too many would reach the terminal or editor. */
  async dismiss(): Promise<void> {
    await waitFor(
      async () => {
        if (!(await this.isOpen())) return true;
        if (!(await this.press('Escape'))) return false;
        await this.widget.waitFor({ state: 'hidden', timeout: 2000 });
        return true;
      },
      { what: 'the quick input to close', timeout: 40_000 },
    );
  }

  /** Opens the palette with F1, types the title, picks exactly that command, waits until the palette is gone. */
  async runCommand(title: string): Promise<void> {
    await this.choose(`>${title}`, title);
  }

  /** The titles that the palette offers for what is typed; for "is this command on offer at all?". */
  async commandsMatching(text: string): Promise<string[]> {
    await this.openWith(`>${text}`);
    const found = await waitFor(
      async () => {
        const labels = await this.labels();
        return labels.length > 0 && labels;
      },
      { what: `the palette to answer to "${text}"` },
    );
    await this.dismiss();
    return found.filter((label) => label !== 'No matching commands');
  }

  /** Types `text` over the palette's own prefix ("term ", ":12,3", a file path) and picks an entry. */
  async choose(text: string, label: string | RegExp, timeout = DEFAULT_TIMEOUT): Promise<void> {
    await this.openWith(text);
    let opened = Date.now();
    let pause = 2000;
    let seen: string[] = [];
    await waitFor(
      async () => {
        if (await this.take(label)) return true;
        seen = await this.labels();
        // An open palette does not take in what an extension registers later: ask again, and on a busy machine,
        // which needs longer to draw the list, less often.
        if (Date.now() - opened > pause) {
          await this.openWith(text);
          opened = Date.now();
          pause *= 2;
        }
        return undefined;
      },
      { what: `"${String(label)}" among what "${text}" offers`, timeout },
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}; offered: ${seen.join(' | ')}`);
    });
    await waitFor(async () => !(await this.isOpen()) || (await this.input.inputValue({ timeout: 1000 })) !== text, {
      what: `the palette to close after "${String(label)}"`,
    });
  }

  /** Opens the palette and replaces its content, so any quick access prefix works. */
  async openWith(text: string): Promise<void> {
    await this.dismiss();
    await waitFor(
      async () => {
        const [dialog] = await this.page.locator('.monaco-dialog-box .dialog-message-text').allInnerTexts();
        if (dialog !== undefined) throw new Error(`a dialog is in the way: ${dialog}`);
        // The palette closes when a dialog that goes away gives the focus back: it is opened anew then.
        if (!(await this.isOpen())) await this.page.keyboard.press('F1');
        await this.input.waitFor({ timeout: 10_000 });
        await this.input.fill(text, { timeout: 5000 });
        return true;
      },
      { what: `the palette to take "${text}"` },
    );
  }

  /** Labels in view, without their icons and highlights. */
  async labels(): Promise<string[]> {
    const texts = await this.widget.locator(labelNames).allInnerTexts();
    return texts.map(cleaned);
  }

  /**
   * Enter where the entry is the one in focus, else a click. The list is drawn anew while it settles, and the palette
   * closes when something takes the focus: what finds nothing to hit has done nothing, and is tried on what is drawn
   * then.
   */
  private async take(label: string | RegExp): Promise<boolean> {
    // A palette that is closed keeps its rows, and an Enter for them would go into the editor.
    if (!(await this.isOpen())) return false;
    const focused = this.widget.locator('.quick-input-list .monaco-list-row.focused .label-name');
    const texts = await focused.allInnerTexts();
    if (texts.length === 1 && isMatch(cleaned(texts[0] ?? ''), label)) return this.press('Enter');
    const found = await this.row(label);
    return found !== undefined && (await clicked(found));
  }

  /**
   * Presses a key in the input, and nowhere else: where the focus moves between the look and the key, the window
   * swallows the key. False: the input did not get it.
   */
  async press(key: string): Promise<boolean> {
    if (!(await this.page.evaluate(AIM_NEXT_KEY))) return false;
    let got: unknown;
    try {
      await this.input.press(key, { timeout: 20_000 });
    } finally {
      // The command may load the page anew, and nothing is left to ask then.
      got = await this.page.evaluate(AIMED).catch(() => 'input');
    }
    return got === 'input';
  }

  /** Found by its text when it is clicked: the list is drawn anew while it settles, and then another row has its place. */
  private async row(label: string | RegExp): Promise<Locator | undefined> {
    const texts = await this.widget.locator(labelNames).allInnerTexts();
    const text = texts.find((one) => isMatch(cleaned(one), label));
    return text === undefined ? undefined : this.widget.locator(labelNames, { hasText: exactly(text) }).first();
  }
}

/** The listener runs before all of VS Code's, because it captures on the window. */
const AIM_NEXT_KEY = `(() => {
  const input = document.querySelector('.quick-input-widget .quick-input-box input');
  if (!input) return false;
  window.aimed = {
    got: 'none',
    hear(event) {
      window.aimed.got = event.target === input ? 'input' : 'elsewhere';
      if (event.target === input) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
  };
  addEventListener('keydown', window.aimed.hear, { capture: true, once: true });
  return true;
})()`;
/** A key that no listener heard went into a frame: the listener leaves, so that it swallows no later one. */
const AIMED = `(() => {
  removeEventListener('keydown', window.aimed?.hear, { capture: true });
  return window.aimed?.got ?? 'input';
})()`;

const labelNames = '.quick-input-list .monaco-list-row .label-name';

function exactly(text: string): RegExp {
  const words = text.trim().split(/\s+/);
  return new RegExp(`^\\s*${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('\\s+')}\\s*$`);
}

/** VS Code puts no-break spaces and icon glyphs into labels. */
function cleaned(text: string): string {
  return text
    .replace(/[\uE000-\uF8FF]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** In one look: the widget is drawn anew, or closes, between two. */
const OPEN_INPUT = `(() => {
  const widget = document.querySelector('.quick-input-widget');
  const input = widget?.querySelector('.quick-input-box input');
  if (!input?.checkVisibility()) return null;
  const textOf = (element) => (element?.checkVisibility() ? element.innerText : '');
  return {
    title: textOf(widget.querySelector('.quick-input-title')),
    placeholder: input.getAttribute('placeholder') ?? '',
    value: input.value,
    message: textOf(widget.querySelector('.quick-input-message')),
    isList: widget.querySelector('.quick-input-list')?.checkVisibility() === true,
    items: [...widget.querySelectorAll('.quick-input-list .monaco-list-row .label-name')].map(textOf),
  };
})()`;

/** False when the element went away, or never stood still, before it could be clicked. */
async function clicked(row: Locator): Promise<boolean> {
  try {
    await row.click({ timeout: 5000 });
    return true;
  } catch {
    return false;
  }
}
