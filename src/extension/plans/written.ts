import type { Uri } from 'vscode';

/** Tells who follows that we wrote a plan file, and waits for them: file events come later, and get lost. */
export class PlanWritten {
  readonly #followers: ((uri: Uri) => Promise<void>)[] = [];

  follow(follower: (uri: Uri) => Promise<void>): void {
    this.#followers.push(follower);
  }

  async tell(uri: Uri): Promise<void> {
    await Promise.all(this.#followers.map((follower) => follower(uri)));
  }
}
