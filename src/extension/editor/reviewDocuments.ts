import { Uri, workspace, type TextDocumentContentProvider } from 'vscode';
import { type Contribution, reviewSchemes } from '../registry/registry';

/** Number of reviews; older ones are forgotten, so that their texts do not stay in memory. */
const keptReviews = 12;

/**
 * Read-only documents of a review: earlier contents, and contents as of the moment of opening, so that nothing changes
 * under the reader. An id that was given out here names a document; its path is only shown, and never read.
 */
export class ReviewDocuments implements Contribution, TextDocumentContentProvider {
  /** By review, oldest first; in each the texts by id. */
  readonly #reviews = new Map<string, Map<string, string>>();
  readonly #registrations = Object.values(reviewSchemes).map((scheme) =>
    workspace.registerTextDocumentContentProvider(scheme, this),
  );

  /** @param review of this review alone */
  begin(review: string): void {
    this.#reviews.set(review, new Map());
    const [oldest = ''] = this.#reviews.keys();
    if (this.#reviews.size > keptReviews) this.#reviews.delete(oldest);
  }

  /** @param file its path is shown for the document, so that both sides have the same */
  put(review: string, side: keyof typeof reviewSchemes, file: Uri, text: string): Uri {
    const texts = this.#reviews.get(review);
    const query = `${review}.${texts?.size ?? 0}`;
    texts?.set(query, text);
    return Uri.from({ scheme: reviewSchemes[side], path: file.path, query });
  }

  /** VS Code may open a forgotten text again, and any extension may name one. */
  provideTextDocumentContent({ query }: Pick<Uri, 'query'>): string {
    const [review = ''] = query.split('.');
    return (
      this.#reviews.get(review)?.get(query) ??
      'REVIEW_UNKNOWN: this window no longer shows this review. Run Review Changes again.\n'
    );
  }

  dispose(): void {
    for (const registration of this.#registrations) registration.dispose();
  }
}
