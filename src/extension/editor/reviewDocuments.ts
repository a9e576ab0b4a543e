import { Uri, workspace, type TextDocumentContentProvider } from 'vscode';
import type { Contribution } from '../registry/contribution';
import { reviewSchemes } from '../registry/registry';
import { ReviewTexts } from './reviewTexts';

/** Which side of a difference a document is. */
export type ReviewSide = keyof typeof reviewSchemes;

/**
 * Read-only documents with what a review shows: earlier contents, and contents as they were when it was opened, so that
 * nothing changes under the reader. A document is named by an id that was given out here; the path beside it is only
 * shown, and nothing is ever read from it.
 */
export class ReviewDocuments implements Contribution, TextDocumentContentProvider {
  readonly #texts = new ReviewTexts();
  readonly #registrations = Object.values(reviewSchemes).map((scheme) =>
    workspace.registerTextDocumentContentProvider(scheme, this),
  );

  /** @param id of this review alone */
  begin(id: string): void {
    this.#texts.begin(id);
  }

  /** @param file whose path the document shows, so that both sides have the same */
  put(review: string, side: ReviewSide, file: Uri, text: string): Uri {
    return Uri.from({ scheme: reviewSchemes[side], path: file.path, query: this.#texts.put(review, text) });
  }

  provideTextDocumentContent({ query }: Uri): string {
    return this.#texts.shown(query);
  }

  dispose(): void {
    for (const registration of this.#registrations) registration.dispose();
  }
}
