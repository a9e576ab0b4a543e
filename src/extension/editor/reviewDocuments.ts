import { Uri, workspace, type TextDocumentContentProvider } from 'vscode';
import type { Contribution } from '../registry/contribution';
import { reviewSchemes } from '../registry/registry';
import { ReviewTexts } from './reviewTexts';

export type ReviewSide = keyof typeof reviewSchemes;

/** Keeps contents as of the moment of opening. An id names a document; its path is only shown, and never read. */
export class ReviewDocuments implements Contribution, TextDocumentContentProvider {
  readonly #texts = new ReviewTexts();
  readonly #registrations = Object.values(reviewSchemes).map((scheme) =>
    workspace.registerTextDocumentContentProvider(scheme, this),
  );

  /** @param id of this review alone */
  begin(id: string): void {
    this.#texts.begin(id);
  }

  /** @param file its path is shown for the document, so that both sides have the same */
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
