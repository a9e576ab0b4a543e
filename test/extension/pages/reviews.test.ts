import assert from 'node:assert/strict';
import { systemIds } from '../../../src/adapters/system/clock';
import { markup } from '../../../src/base/text/marked/markup';
import { ui } from '../../../src/base/text/marked/ui';
import type { Reviews } from '../../../src/extension/pages/reviews';
import { fakeVscode } from '../fakeVscode';

/** What a page of VS Code does here: it has a text, is in front or not, and says when it has closed. */
class Page {
  readonly webview = { html: '', cspSource: 'here', asWebviewUri: (uri: string) => uri };
  readonly #closed: (() => void)[] = [];
  active = true;
  isOpen = true;

  onDidDispose(listener: () => void): void {
    this.#closed.push(listener);
  }

  dispose(): void {
    this.isOpen = false;
    for (const listener of this.#closed.splice(0)) listener();
  }

  /** What the link of its button hands to its command. */
  get argument(): unknown {
    const [, argument = ''] = /href="command:missionControl\.review\.approve\?([^"]*)"/.exec(this.webview.html) ?? [];
    return (JSON.parse(decodeURIComponent(argument)) as readonly unknown[])[0];
  }
}

describe('the pages that ask for an approval', () => {
  let pages: Page[];
  let said: string[];
  let hostStarts: () => Reviews;

  before(async () => {
    fakeVscode({
      Uri: { joinPath: (...parts: readonly string[]) => parts.join('/') },
      TabInputWebview: Page,
      window: {
        createWebviewPanel: () => {
          for (const page of pages) page.active = false;
          const page = new Page();
          pages.push(page);
          return page;
        },
        showInformationMessage: (text: string) => Promise.resolve(void said.push(text)),
        tabGroups: { activeTabGroup: {} },
      },
    });
    const reviews = await import('../../../src/extension/pages/reviews');
    hostStarts = () => new reviews.Reviews({ extensionUri: 'extension' as never }, systemIds);
  });
  beforeEach(() => {
    [pages, said] = [[], []];
  });

  const asked = (reviews: Reviews, about: string): Promise<boolean> =>
    reviews.ask({ about, title: ui`Approve`, body: markup`<main></main>`, button: ui`Approve and Run` });
  const page = (index: number): Page => pages[index] ?? assert.fail(`there is no page ${index}`);

  it('approve once where the button is pressed twice, and do not say that nothing was approved', async () => {
    const reviews = hostStarts();
    const approved = asked(reviews, 'a');
    const { argument } = page(0);
    reviews.approve(argument);
    reviews.approve(argument);
    assert.deepEqual([await approved, page(0).isOpen, said], [true, false, []]);
  });

  it('approve nothing where they were closed before, and say so', async () => {
    const reviews = hostStarts();
    const approved = asked(reviews, 'a');
    page(0).dispose();
    reviews.approve(page(0).argument);
    assert.equal(await approved, false);
    assert.deepEqual(said, ['That page no longer asks, so nothing was approved. Run its command again.']);
  });

  it('approve no plan of another extension host, whose page is still to be seen', async () => {
    void asked(hostStarts(), 'a');
    const now = hostStarts();
    const approved = asked(now, 'b');
    now.approve(page(0).argument);
    now.dispose();
    assert.deepEqual([await approved, said.length], [false, 1]);
  });

  it('ask about a plan in one place: a further question closes the page of the one before', async () => {
    const reviews = hostStarts();
    const [first, another, second] = ['a', 'b', 'a'].map((about) => asked(reviews, about));
    assert.deepEqual(
      pages.map(({ isOpen }) => isOpen),
      [false, true, true],
    );
    for (const each of pages) reviews.approve(each.argument);
    assert.deepEqual(await Promise.all([first, another, second]), [false, true, true]);
    assert.equal(said.length, 1);
  });

  it('are approved from the palette where they are in front', async () => {
    const reviews = hostStarts();
    const [behind, front] = ['a', 'b'].map((about) => asked(reviews, about));
    reviews.approve(undefined);
    assert.deepEqual([await front, page(0).isOpen, page(1).isOpen], [true, true, false]);
    reviews.approve(undefined);
    assert.equal(said.length, 1);
    reviews.dispose();
    assert.equal(await behind, false);
  });
});
