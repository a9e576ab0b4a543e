/** Number of reviews; older ones are forgotten, so that their texts do not stay in memory. */
const keptReviews = 12;

/** The texts that reviews show, each under an id that was given out here. */
export class ReviewTexts {
  /** By review, oldest first; in each the texts by id. */
  readonly #reviews = new Map<string, Map<string, string>>();

  begin(review: string): void {
    this.#reviews.set(review, new Map());
    const [oldest = ''] = this.#reviews.keys();
    if (this.#reviews.size > keptReviews) this.#reviews.delete(oldest);
  }

  put(review: string, text: string): string {
    const texts = this.#reviews.get(review);
    const id = `${review}.${texts?.size ?? 0}`;
    texts?.set(id, text);
    return id;
  }

  /** VS Code may open a forgotten text again, and any extension may name one. */
  shown(id: string): string {
    const [review = ''] = id.split('.');
    return (
      this.#reviews.get(review)?.get(id) ??
      'REVIEW_UNKNOWN: this window no longer shows this review. Run Review Changes again.\n'
    );
  }
}
